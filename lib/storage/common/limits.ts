/** A documented ceiling in MB/s (10^6 bytes), of all clients and all servers together. */
export interface Limit {
  /** `client_nic`, `server_network`, `disk` … */
  readonly name: string;
  readonly baselineMBps: number;
  /** Rate of a burst; equals the baseline without a documented burst. */
  readonly burstMBps: number;
  readonly source: string;
}

export interface LimitOptions {
  /** Direction of the data: some disks read faster than they write. @default write */
  readonly mode?: 'write' | 'read';
  /** Bytes before compression ÷ bytes after it; counts where the storage compresses. @default - no limit of compressed data */
  readonly ratio?: number;
  /** @default - no limits of the clients */
  readonly clients?: {
    readonly count: number;
    readonly networkBaselineMbps: number;
    readonly networkBurstMbps?: number;
    /** MB/s of each of them to EBS. @default - not known */
    readonly ebsBaselineMBps?: number | undefined;
    readonly ebsBurstMBps?: number | undefined;
    /** The clients reach the file system over EFA, which must have been made with it. @default false */
    readonly efa?: boolean;
  };
  /** Some Regions have less network burst. @default - a Region with full burst */
  readonly region?: string;
}

/** A MiB/s in the MB/s (10^6) of all limits: EBS and EFS count in the former. */
export const MBPS_PER_MIBPS = 2 ** 20 / 1e6;

/** A limit in MB/s; without a documented burst, the burst equals the baseline. */
export const limit = (name: string, source: string, baselineMBps: number, burstMBps = baselineMBps): Limit => ({
  name,
  baselineMBps,
  burstMBps,
  source,
});

/** The disks behind compression: each byte of theirs is `ratio` bytes of the clients. */
export const compressedDisk = ({ baselineMBps, burstMBps }: Limit, ratio: number, source: string): Limit =>
  limit('disk_compressed', source, baselineMBps * ratio, burstMBps * ratio);

/** Source of what instances have. */
const NETWORK_PAGE = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-network-bandwidth.html';

/** Network of so many machines, in Mbit/s each; `burst` lasts as long as its credits. */
interface Network {
  readonly count: number;
  readonly networkBaselineMbps: number;
  readonly networkBurstMbps?: number | undefined;
}

/** The network of machines as a limit. @param of the machines, for people @param share of useful traffic: a half if each byte passes twice */
export function networkLimit(name: string, network: Network, of: string, share = 1): Limit {
  const { count, networkBaselineMbps, networkBurstMbps = networkBaselineMbps } = network;
  const MBps = (mbps: number) => (count * mbps * share) / 8;
  const source = `${networkBaselineMbps} Mbit/s × ${count} ${of} (${NETWORK_PAGE})`;
  return limit(name, source, MBps(networkBaselineMbps), MBps(networkBurstMbps));
}

/** The network of the clients; nothing where they are not known. */
export const clientNetwork = (clients: LimitOptions['clients']): Limit[] =>
  clients === undefined ? [] : [networkLimit('client_nic', clients, 'clients')];

/** The limits that can bind: the bare disk does not bind compressed data. */
export function effective(limits: readonly Limit[]): readonly Limit[] {
  const compressed = limits.some(({ name }) => name === 'disk_compressed');
  return compressed ? limits.filter(({ name }) => name !== 'disk') : limits;
}

/** The lowest of the limits, sustained and in a burst; `null` without limits. */
export function bindingOf(limits: readonly Limit[]): { readonly baseline: Limit; readonly burst: Limit } | null {
  const [first, ...rest] = effective(limits);
  if (first === undefined) return null;
  return {
    baseline: rest.reduce((low, limit) => (limit.baselineMBps < low.baselineMBps ? limit : low), first),
    burst: rest.reduce((low, limit) => (limit.burstMBps < low.burstMBps ? limit : low), first),
  };
}

/** The compression ratio beyond which writes gain nothing, as the network's baseline ÷ the disks'. Not published; `null` without both limits. */
export function kneeOf(limits: readonly Pick<Limit, 'name' | 'baselineMBps'>[]): number | null {
  const rate = (name: string) => limits.find((limit) => limit.name === name)?.baselineMBps;
  const [network, disk] = [rate('server_network'), rate('disk')];
  return network === undefined || disk === undefined || disk === 0 ? null : network / disk;
}

/** The lowest limit except the disks, and the ratio that reaches it; a ratio of 1 or less needs no compression. `null` if no byte reaches a disk. */
export function gainEnd(limits: readonly Limit[]): { readonly limit: Limit['name']; readonly ratio: number } | null {
  const disk = limits.find(({ name }) => name === 'disk');
  const others = bindingOf(limits.filter(({ name }) => name !== 'disk' && name !== 'disk_compressed'));
  if (disk === undefined || others === null) return null;
  return { limit: others.baseline.name, ratio: others.baseline.baselineMBps / disk.baselineMBps };
}
