import { type Account, type AccountQuota, askAll } from '../common/aws/account';
import { stackOf } from '../storage/search';

/**
 * The families of each quota on vCPUs, with its codes and what a new account has. A family is the letters of a type before its generation.
 * Sources: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-on-demand-instances.html and
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-spot-limits.html.
 */
const QUOTAS: readonly {
  readonly families: string;
  readonly label: string;
  readonly onDemand: string;
  /** `null`: the family cannot be had as Spot Instances. */
  readonly spot: string | null;
  readonly usual: number;
}[] = [
  {
    families: 'a c d h i im is m r t z',
    label: 'Standard (A, C, D, H, I, M, R, T, Z)',
    onDemand: 'L-1216C47A',
    spot: 'L-34B43A08',
    usual: 5,
  },
  { families: 'hpc', label: 'HPC', onDemand: 'L-F7808C92', spot: null, usual: 0 },
  { families: 'dl', label: 'DL', onDemand: 'L-6E869C2A', spot: 'L-85EED4F7', usual: 0 },
  { families: 'f', label: 'F', onDemand: 'L-74FC7D96', spot: 'L-88CF9481', usual: 0 },
  { families: 'g gr vt', label: 'G and VT', onDemand: 'L-DB2E81BA', spot: 'L-3819A6DF', usual: 0 },
  { families: 'inf', label: 'Inf', onDemand: 'L-1945791B', spot: 'L-B5D1601B', usual: 0 },
  { families: 'p', label: 'P', onDemand: 'L-417A185B', spot: 'L-7212CCBC', usual: 0 },
  { families: 'trn', label: 'Trn', onDemand: 'L-2C3B7624', spot: 'L-6B0D517C', usual: 0 },
  { families: 'u', label: 'High Memory', onDemand: 'L-43DA4232', spot: null, usual: 0 },
  { families: 'x', label: 'X', onDemand: 'L-7295265B', spot: 'L-E3A00192', usual: 0 },
];

/** P5 and later Spot Instances count apart from those before them. */
const P5_SPOT = 'L-C4BD4855';

/** The quota on vCPUs of all running instances of a kind in a Region, shared by its types; `null` for an unknown kind. */
export function vcpuQuotaOf(type: string, purchase: 'on-demand' | 'spot'): AccountQuota | null {
  const [, family = '', generation] = /^([a-z]+)-?(\d+)/.exec(type) ?? [];
  const found = QUOTAS.find(({ families }) => families.split(' ').includes(family));
  const spot = purchase === 'spot';
  const code = spot ? (family === 'p' && Number(generation) >= 5 ? P5_SPOT : found?.spot) : found?.onDemand;
  if (found === undefined || code === null || code === undefined) return null;
  const { label, usual } = found;
  const kind = [...(found === QUOTAS[0] ? [] : [label]), ...(spot ? ['Spot'] : [])].map((word) => `, ${word}`).join('');
  return {
    name: `vCPU quota${kind}`,
    service: 'ec2',
    code,
    unit: 'vCPUs',
    usual: {
      value: usual,
      warning: 'fsxbench:vcpuQuota',
      of: spot ? `All ${label} Spot Instance Requests` : `Running On-Demand ${label} instances`,
    },
    used: (account, butOf) => vcpusInUse(account, butOf, code, purchase),
  };
}

/** vCPUs of instances, and of unused capacity reservations, which count on quotas as well. */
async function vcpusInUse(
  account: Account,
  butOf: string,
  code: string,
  purchase: 'on-demand' | 'spot',
): Promise<number> {
  const counts = (type = ''): boolean => vcpuQuotaOf(type, purchase)?.code === code;
  const reservations = await askAll(
    account,
    'ec2:DescribeInstances',
    { Filters: [{ Name: 'instance-state-name', Values: ['pending', 'running'] }] },
    'Reservations',
  );
  const running = reservations
    .flatMap(({ Instances = [] }) => Instances)
    .filter(({ InstanceLifecycle }) => (InstanceLifecycle === 'spot') === (purchase === 'spot'))
    .filter(({ InstanceType }) => counts(InstanceType))
    .filter((instance) => stackOf(instance) !== butOf)
    .reduce((sum, { CpuOptions: { CoreCount = 0, ThreadsPerCore = 1 } = {} }) => sum + CoreCount * ThreadsPerCore, 0);
  if (purchase === 'spot') return running;
  const unused = (
    await askAll(
      account,
      'ec2:DescribeCapacityReservations',
      { Filters: [{ Name: 'state', Values: ['active'] }] },
      'CapacityReservations',
    )
  ).filter(({ InstanceType, AvailableInstanceCount = 0 }) => counts(InstanceType) && AvailableInstanceCount > 0);
  const vcpus = await vcpusByType(
    account,
    unused.flatMap(({ InstanceType = [] }) => InstanceType),
  );
  return unused.reduce(
    (sum, { InstanceType = '', AvailableInstanceCount = 0 }) =>
      sum + (vcpus.get(InstanceType) ?? 0) * AvailableInstanceCount,
    running,
  );
}

/** vCPUs of instance types, as EC2 knows them in the Region; without those that it does not. */
export async function vcpusByType(account: Account, types: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (types.length === 0) return new Map();
  const found = await instanceTypesOf(account, types);
  return new Map(found.map(({ InstanceType = '', VCpuInfo }) => [InstanceType, VCpuInfo?.DefaultVCpus ?? 0]));
}

/** EC2's description of instance types that it knows in the Region. */
export function instanceTypesOf(account: Account, types: readonly string[]) {
  const Filters = [{ Name: 'instance-type', Values: [...new Set(types)].sort() }];
  return askAll(account, 'ec2:DescribeInstanceTypes', { Filters }, 'InstanceTypes');
}
