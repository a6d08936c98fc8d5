import { groupOf, keyOf } from '../../common/collections';
import { meanOf } from '../../common/statistics';
import { type CollectedSeries, seriesOf, tooShort, within } from '../../schema/metrics';
import { armNamed } from '../../schema/plan';
import { bindingOf, effective, type Limit } from '../../storage/common/limits';
import { metricInRole } from '../../storage/lookup';
import type { RunArm } from '../arm';
import { type CellKey, isSameWork, type OperationKind } from '../figures/operationKind';
import type { MetadataResults, OperationRate } from '../metadata';
import { ofKey } from '../metadata/subject';
import type { Subject, SubjectFigures } from '../subject';
import type { MeasuredTask } from '../task';
import { limitsOf } from './known';

interface LimitReached extends Limit {
  /** Measured ÷ baseline: 1 is the documented sustained rate. */
  readonly efficiency: number | null;
  readonly burstEfficiency: number | null;
}

/** Utilisation of servers (by the service) or clients (by EC2) while the arm worked. */
export interface Evidence {
  readonly metric: string;
  readonly limit: 'server_network' | 'disk' | ClientLimit;
  /** Utilisation of the busiest server, target or client, 0 to 1; `null` with a reason. */
  readonly value: number | null;
  readonly reason: string | null;
  /** Weak evidence about the workload: it counts only if no known limit was reached. */
  readonly weak?: true;
}

export interface LimitResult extends CellKey {
  readonly kind: OperationKind;
  /** Measured compression ratio; `null` if it was not measured or does not apply. */
  readonly ratio: number | null;
  readonly measuredMBps: number | null;
  /** Empty with a reason if no limit is documented. */
  readonly limits: readonly LimitReached[];
  readonly reason: string | null;
  readonly binding: { readonly baseline: string; readonly burst: string } | null;
  readonly evidence: readonly Evidence[];
  /** The bottleneck; `null` if no limit was reached or the result is inconclusive. */
  readonly limitedBy: string | null;
  /** Basis of the verdict: the service's utilisation, or only the arithmetic of the documented limits. */
  readonly because: 'utilisation' | 'documented limit' | null;
  /** True if faster than the documented baseline: burst credits, or more than is documented. */
  readonly aboveBaseline: boolean;
  /** Service metric that contradicts the limit that the rate reached. @default - none does */
  readonly contradiction?: Evidence & { readonly value: number };
}

/** A limit is taken for reached from this share on. A convention of fsxbench; published runs came to 99 to 106 %. */
export const REACHED = 0.85;
/** Published runs came to 106 % of a documented rate at most (AWS compression blog); what is faster than this was not held up by it. */
export const MOST_OF_BURST = 1.15;
/** A rate is above a sustained one from this multiple of it on. */
const ABOVE = 1.02;
/** A server is busy from this utilisation on. */
const BUSY = 0.9;
/** A server that is less busy than this holds nobody up, whatever the rate: well below {@link BUSY}, and below {@link REACHED}. */
const IDLE = 0.75;

const UTILISATION = [
  ['network_utilisation', 'server_network'],
  ['disk_utilisation', 'disk'],
  ['disk_iops_utilisation', 'disk'],
] as const;

type Binding = NonNullable<ReturnType<typeof bindingOf>>;

export function limitResults(subject: SubjectFigures): LimitResult[] {
  const data = subject.measured.filter(({ operation }) => operation === 'write' || operation === 'read');
  const groups = Map.groupBy(data, ({ name, compressibility, arm }) => keyOf(name, compressibility, arm));
  return [...groups.values()].map((tasks) => resultOf(subject, tasks));
}

export const modeOf = ({ kind }: Pick<LimitResult, 'kind'>): 'write' | 'read' =>
  kind.id === 'write' ? 'write' : 'read';

function resultOf(subject: SubjectFigures, tasks: readonly MeasuredTask[]): LimitResult {
  const { arm, compressibility, name: operation, kind } = tasks[0] as MeasuredTask;
  const own = armNamed(subject.arms, arm);
  const mode = modeOf({ kind });
  const cell = subject.cells.find(
    (one) => one.metric === 'throughput' && isSameWork(one, { arm, operation, compressibility }),
  );
  const measuredMBps = cell?.median ?? null;
  const base = { arm, operation, kind, compressibility, measuredMBps };
  const none = (reason: string): LimitResult => ({
    ...base,
    ratio: null,
    limits: [],
    reason,
    binding: null,
    evidence: [],
    limitedBy: null,
    because: null,
    aboveBaseline: false,
  });
  const { limits, ratio, reason } = limitsOf(subject, own, tasks, mode);
  if (reason !== null) return none(reason);
  const lowest = bindingOf(limits);
  if (lowest === null) return none('AWS documents no limits for such a configuration');
  const reached = limits.map(
    (limit): LimitReached => ({
      ...limit,
      efficiency: measuredMBps === null ? null : measuredMBps / limit.baselineMBps,
      burstEfficiency: measuredMBps === null ? null : measuredMBps / limit.burstMBps,
    }),
  );
  const servers = UTILISATION.flatMap(([role, limit]): Evidence[] => {
    const metric = metricInRole(own.storage, role)?.name;
    return metric === undefined ? [] : [{ metric, limit, ...utilisation(own, metric, tasks) }];
  });
  const evidence = [...servers, ...clientEvidence(subject, tasks, mode)];
  return {
    ...base,
    ratio,
    limits: reached,
    reason: null,
    binding: { baseline: lowest.baseline.name, burst: lowest.burst.name },
    evidence,
    // A limit that the model holds is one that was met; its servers write on after a phase, past its few periods.
    ...verdict(reached, lowest, evidence, measuredMBps, own.deployed?.model ? [] : servers),
  };
}

function utilisation(arm: RunArm, metric: string, tasks: readonly MeasuredTask[]): Pick<Evidence, 'value' | 'reason'> {
  const { series, reason } = seriesOf(arm.series, metric);
  if (reason !== null) return { value: null, reason };
  const means = series.flatMap((one) => meanOf(within(one, tasks)) ?? []);
  if (means.length === 0) return { value: null, reason: tooShort(metric) };
  return { value: Math.max(...means) / 100, reason: null };
}

/** The bottleneck of a rate in MB/s. @param witnesses evidence that may contradict a documented limit */
export function verdict(
  limits: readonly Limit[],
  lowest: Binding,
  evidence: readonly Evidence[],
  measured: number | null,
  witnesses: readonly Evidence[],
): Pick<LimitResult, 'limitedBy' | 'because' | 'aboveBaseline' | 'contradiction'> {
  if (measured === null) return { limitedBy: null, because: null, aboveBaseline: false };
  const strong = evidence.filter(({ weak }) => weak === undefined);
  const busiest = busiestOf(strong, limits, measured);
  const credible = limits.filter((limit) => busiest !== null || contradictionOf(limit, measured, witnesses) === null);
  // A rate far above a limit was not bound by it, as reads from server memory are not by disks
  // (https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html).
  const possible = bindingOf(credible.filter(({ burstMBps }) => measured <= burstMBps * MOST_OF_BURST));
  const beyond = measured > lowest.burst.burstMBps * MOST_OF_BURST;
  const setter = beyond ? possible : credible.length === limits.length ? lowest : bindingOf(credible);
  const aboveBaseline = measured > (setter ?? lowest).baseline.baselineMBps * ABOVE;
  const reached = setter && reachedOf(setter, measured, aboveBaseline);
  if (busiest !== null && !(reached && isNearer(reached, busiest, evidence, measured))) {
    const { evidence: of, limit } = busiest;
    return { limitedBy: limit?.name ?? of.limit, because: 'utilisation', aboveBaseline };
  }
  if (reached) {
    const isConfirmed = evidence.some((one) => isOf(one, reached) && (one.value ?? 0) >= BUSY);
    return { limitedBy: reached.name, because: isConfirmed ? 'utilisation' : 'documented limit', aboveBaseline };
  }
  const otherwise = busiestOf(evidence, limits, measured)?.evidence;
  // The limit that the rate reached by the documented figures alone.
  const refuted = reachedOf(lowest, measured, measured > lowest.baseline.baselineMBps * ABOVE);
  const contradiction = beyond || refuted === null ? null : contradictionOf(refuted, measured, witnesses);
  return {
    limitedBy: otherwise?.limit ?? null,
    because: otherwise === undefined ? null : 'utilisation',
    aboveBaseline,
    ...(contradiction === null ? {} : { contradiction }),
  };
}

/** True if a metric measures a limit: the disk metric measures both kinds of data. */
const isOf = (evidence: Evidence, { name }: Limit): boolean =>
  evidence.limit === (name === 'disk_compressed' ? 'disk' : name);

/** True if a limit without a metric was reached more closely than the busiest metric shows. A metric that shows more than the rate does is believed. */
function isNearer(reached: Limit, busiest: Busy, evidence: readonly Evidence[], measured: number): boolean {
  if (busiest.limit === undefined || evidence.some((one) => one.value !== null && isOf(one, reached))) return false;
  if (saysMore(busiest.evidence.value ?? 0, busiest.limit, measured)) return false;
  const { baselineMBps, burstMBps } = reached;
  return measured / (measured > baselineMBps * ABOVE ? burstMBps : baselineMBps) > busiest.nearness;
}

function reachedOf({ baseline, burst }: Binding, measured: number, aboveBaseline: boolean): Limit | null {
  const [next, ceiling] = aboveBaseline ? [burst, burst.burstMBps] : [baseline, baseline.baselineMBps];
  if (measured >= ceiling * REACHED) return next;
  return aboveBaseline && measured < baseline.baselineMBps / REACHED ? baseline : null;
}

/** The service's metric by which its servers were far from a documented limit; the busiest, if there are several. */
function contradictionOf(
  { name, baselineMBps, burstMBps }: Limit,
  measured: number,
  witnesses: readonly Evidence[],
): LimitResult['contradiction'] | null {
  const own = name === 'disk_compressed' ? 'disk' : name;
  const known = witnesses.flatMap((one) =>
    one.limit === own && one.value !== null ? { ...one, value: one.value } : [],
  );
  const [first, ...others] = known;
  if (first === undefined) return null;
  const busiest = others.reduce((max, one) => (one.value > max.value ? one : max), first);
  // AWS does not say whether it is a share of the sustained rate or of the burst.
  const max = measured > baselineMBps * ABOVE ? 1 : burstMBps / baselineMBps;
  return busiest.value * max < IDLE ? busiest : null;
}

/** A busy resource, with how near it was to what its documented limit allows: 1 is all of it. */
interface Busy {
  readonly evidence: Evidence;
  /** `undefined` if nothing is documented of it. */
  readonly limit: Limit | undefined;
  readonly nearness: number;
}

/** True if utilisation is higher than the rate explains: a server with more than its share, or traffic of others. */
const saysMore = (utilisation: number, { baselineMBps }: Limit, measured: number): boolean =>
  utilisation > (measured / baselineMBps) * MOST_OF_BURST;

/** The busy resource nearest to its burst: one that may burst is not held up at its baseline. CPUs come last: waiting clients are busy, too (Open MPI polls). */
function busiestOf(all: readonly Evidence[], limits: readonly Limit[], measured: number): Busy | null {
  const busy = all.flatMap((evidence): Busy[] => {
    const { value } = evidence;
    if (value === null || value < BUSY) return [];
    const limit = effective(limits).find((one) => isOf(evidence, one));
    if (limit === undefined || limit.burstMBps <= limit.baselineMBps) return [{ evidence, limit, nearness: value }];
    const ofBurst = (value * limit.baselineMBps) / limit.burstMBps;
    const nearness = !saysMore(value, limit, measured) ? measured / limit.burstMBps : value > ABOVE ? ofBurst : value;
    return nearness >= REACHED ? [{ evidence, limit, nearness }] : [];
  });
  const ofCpu = ({ evidence }: Busy): boolean => evidence.limit === 'client_cpu';
  const ranked = busy.some((one) => !ofCpu(one)) ? busy.filter((one) => !ofCpu(one)) : busy;
  return ranked.reduce<Busy | null>((max, one) => (one.nearness > (max?.nearness ?? 0) ? one : max), null);
}

/** True if the rate was above what the limit that set the pace sustains, and a burst beyond that is documented. */
export const isBursting = ({ measuredMBps, limits, limitedBy }: LimitResult): boolean =>
  limits.some(
    ({ name, baselineMBps, burstMBps }) =>
      name === limitedBy && burstMBps > baselineMBps && (measuredMBps ?? 0) > baselineMBps * ABOVE,
  );

/** Utilisation of the resource that set the pace; `null` if the verdict rests on documented limits alone. */
export function busyness({ because, evidence, limitedBy }: LimitResult): number | null {
  const own = limitedBy === 'disk_compressed' ? 'disk' : limitedBy;
  const values = evidence.flatMap((one) => (one.limit === own ? (one.value ?? []) : []));
  return because !== 'utilisation' || values.length === 0 ? null : Math.max(...values);
}

/** True if far faster than the lowest limit at its documented best, and near no other: something undocumented set the pace, such as a cache. */
export function isBeyond({ limits, binding, limitedBy, measuredMBps }: LimitResult): boolean {
  const lowest = limits.find(({ name }) => name === binding?.burst);
  return limitedBy === null && lowest !== undefined && (measuredMBps ?? 0) > lowest.burstMBps * MOST_OF_BURST;
}

/** Empty if the plan does not vary the nodes: the metadata results then show the limits. */
export function operationLimits(subject: Subject) {
  const { nodes, rates = [], bounds = [] } = subject.metadata ?? {};
  if (nodes === undefined) return [];
  return rates.map((rate) => ({
    arm: rate.arm,
    operation: rate.operation,
    nodes,
    /** Documented rate for the metadata IOPS, and the share of it that was reached; `null` if none is documented. */
    perSecond: rate.documented.value,
    share: rate.efficiency.value,
    limitedBy: limitOf(subject, rate, nodes, bounds),
  }));
}

/** Judges the servers by their own metrics, else by the documented rate; then the clients by their load. */
function limitOf(
  subject: Subject,
  rate: OperationRate,
  nodes: number,
  bounds: MetadataResults['bounds'],
): 'metadata_servers' | 'client_cpu' | null {
  const { arm, operation, efficiency } = rate;
  const bound = ofKey(bounds, rate);
  if (bound?.by === 'server') return 'metadata_servers';
  if (bound?.by == null && (efficiency.value ?? 0) >= REACHED) return 'metadata_servers';
  const tasks = subject.measured.filter(
    (task) => task.arm === arm && task.operation === operation && task.plannedNodes === nodes,
  );
  const busy = clientEvidence(subject, tasks, 'write').some(
    ({ limit, value }) => limit === 'client_cpu' && (value ?? 0) >= BUSY,
  );
  return busy ? 'client_cpu' : null;
}

/** Bottlenecks on the client side, the likelier cause first. */
const CLIENT_LIMITS = ['client_nic', 'client_cpu'] as const;
type ClientLimit = (typeof CLIENT_LIMITS)[number];

/** Writing, the clients send; reading, they receive. */
const DIRECTION = { write: 'NetworkOut', read: 'NetworkIn' } as const;

/** The busiest client's CPU and network utilisation during these tasks, by EC2's metrics and the documented baseline, if collected. */
function clientEvidence(
  subject: SubjectFigures,
  tasks: readonly MeasuredTask[],
  operation: 'write' | 'read',
): Evidence[] {
  const { clientMetrics } = subject;
  if (clientMetrics === undefined) return sampled(tasks);
  const baseline = subject.clients.networkBaselineMbps;
  const network = DIRECTION[operation];
  const load = (metric: string, share: (mean: number, series: CollectedSeries) => number) =>
    busiest(subject, clientMetrics.series, tasks, metric, share);
  const cpu: Evidence = {
    metric: 'CPUUtilization',
    limit: 'client_cpu',
    ...load('CPUUtilization', (percent) => percent / 100),
  };
  const nic = { metric: network, limit: 'client_nic' } as const;
  if (baseline === null) {
    const reason = `no network baseline is documented for ${subject.clients.instanceType ?? 'the clients'}`;
    return [{ ...nic, value: null, reason }, cpu];
  }
  const share = (bytes: number, { periodSeconds }: CollectedSeries) => (bytes * 8) / periodSeconds / (baseline * 1e6);
  return [{ ...nic, ...load(network, share) }, cpu];
}

/** The tool's mean CPU load on the busiest client, as the clients recorded it with each task. */
function sampled(tasks: readonly MeasuredTask[]): Evidence[] {
  const loads = tasks.flatMap(({ load }) => load);
  const byClient = [...Map.groupBy(loads, ({ client }) => client).values()];
  const means = byClient.flatMap((own) => meanOf(own.map(({ tool }) => tool)) ?? []);
  if (means.length === 0) return [];
  const value = Math.min(1, Math.max(...means));
  return [{ metric: '/proc/stat of the clients', limit: 'client_cpu', value, reason: null, weak: true }];
}

/** The mean over whole periods of each client's own tasks; of those the highest. */
function busiest(
  { plan, manifest }: SubjectFigures,
  all: readonly CollectedSeries[],
  tasks: readonly MeasuredTask[],
  metric: string,
  share: (mean: number, series: CollectedSeries) => number,
): Pick<Evidence, 'value' | 'reason'> {
  const clients = manifest?.fleet.clients ?? [];
  const groups = plan?.arms.length ?? 1;
  const series = all.filter((one) => one.metric === metric);
  if (series.every(({ points }) => points.length === 0))
    return { value: null, reason: `${metric}: ${series[0]?.reason ?? 'EC2 published none'}` };
  const shares = series.flatMap((one) => {
    const own = tasks.filter(({ group }) =>
      groupOf(clients, groups, group).some(({ instanceId }) => instanceId === one.dimensions.InstanceId),
    );
    const mean = meanOf(within(one, own));
    return mean === null ? [] : share(mean, one);
  });
  return shares.length === 0 ? { value: null, reason: tooShort(metric) } : { value: Math.max(...shares), reason: null };
}
