import { groupOf } from '../../common/collections';
import { meanOf } from '../../common/statistics';
import { type CollectedSeries, tooShort, within } from '../../schema/metrics';
import type { SubjectFigures } from '../subject';
import type { MeasuredTask } from '../task';
import type { Evidence } from './limitedBy';

/** Bottlenecks on the client side, the likelier cause first. */
export const CLIENT_LIMITS = ['client_nic', 'client_cpu'] as const;
export type ClientLimit = (typeof CLIENT_LIMITS)[number];

/** Writing, the clients send; reading, they receive. */
const DIRECTION = { write: 'NetworkOut', read: 'NetworkIn' } as const;

/** The busiest client's CPU and network utilisation during these tasks, by EC2's metrics and the documented baseline, if collected. */
export function clientEvidence(
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
