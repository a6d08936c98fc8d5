import data from './instanceTypes.json';

/** EC2's figures for an instance type; scripts/instances.mjs fetches them. */
export interface InstanceTypeInfo {
  readonly vcpus: number;
  readonly memoryMiB: number;
  /** Sustained network bandwidth in Mbit/s; with several network cards that of one of them, for Lustre over TCP uses one. */
  readonly networkBaselineMbps: number;
  /** Mbit/s for some minutes; absent where it is the baseline. */
  readonly networkBurstMbps?: number;
  /** Mbit/s over EFA with all network cards together; absent for one card. */
  readonly efaMbps?: number;
  /** Sustained bandwidth to EBS in MB/s, of all its volumes together. */
  readonly ebsBaselineMBps: number;
  /** MB/s for half an hour a day at least; absent where it is the baseline (EC2 user guide, ebs-optimized). */
  readonly ebsBurstMBps?: number;
  /** Elastic Fabric Adapter. FSx asks for the fourth Nitro generation, which c5n is not (https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html). */
  readonly efa: boolean;
  /** Can be in a cluster placement group. */
  readonly placementGroup: boolean;
}

const TYPES: Readonly<Record<string, readonly (number | boolean)[]>> = data.types;

const EFA_MBPS: Readonly<Record<string, number>> = data.efaMbps;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const WITHOUT_SPOT = setOf(data.withoutSpot);
const ON_XEN = setOf(data.onXen);

/** True for a type that EC2 has no Spot capacity of, such as those for high-performance computing. */
export const isWithoutSpot = (name: string): boolean => WITHOUT_SPOT.has(name);

/** True for a type before the Nitro System, on which EBS volumes are no NVMe devices. */
export const isOnXen = (name: string): boolean => ON_XEN.has(name);

/** True for a type that boots Amazon Linux 2023: no macOS, no first Graviton (https://docs.aws.amazon.com/linux/al2023/ug/system-requirements.html). */
export const bootsAmazonLinux = (name: string): boolean => !/^(?:mac|a1\.)/.test(name);

/** Types that were asked for: a search for advice asks for the same ones thousands of times. */
const described = new Map<string, InstanceTypeInfo>();

/** Looks up an instance type; `null` for one that is not in the data, never a guess. */
export function instanceType(name: string): InstanceTypeInfo | null {
  const row = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (row === undefined) return null;
  const found = described.get(name) ?? { ...describe(row), ...efaOf(name) };
  described.set(name, found);
  return found;
}

const efaOf = (name: string): Pick<InstanceTypeInfo, 'efaMbps'> =>
  Object.hasOwn(EFA_MBPS, name) ? { efaMbps: EFA_MBPS[name] as number } : {};

function describe(row: readonly (number | boolean)[]): InstanceTypeInfo {
  const values = Object.fromEntries(data.columns.map((column, index) => [column, row[index]]));
  const { networkBaselineMbps, networkBurstMbps, ebsBaselineMBps, ebsBurstMBps, ...rest } = values;
  return {
    ...rest,
    networkBaselineMbps,
    ...(networkBurstMbps === networkBaselineMbps ? {} : { networkBurstMbps }),
    ebsBaselineMBps,
    ...(ebsBurstMBps === ebsBaselineMBps ? {} : { ebsBurstMBps }),
  } as unknown as InstanceTypeInfo;
}

/** The types of the data, families together, small ones first. */
export const instanceTypeNames = (): readonly string[] => Object.keys(TYPES);
