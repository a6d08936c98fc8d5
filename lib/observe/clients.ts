import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { BOUNDED } from '../kit/aws/bounded';
import type { ClientMetricsFile, CollectedSeries } from '../schema/metrics';
import type { Manifest } from '../schema/run';
import { getPoints } from './cloudwatch';
import { keptPeriod, metricsPeriodOf } from './period';

const NAMESPACE = 'AWS/EC2';

/**
 * Metrics of EC2 for each instance: bytes and packets over all of its network interfaces in a period, and the share of its processors that
 * was used. Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/viewing_metrics_with_cloudwatch.html
 */
const METRICS = [
  { metric: 'CPUUtilization', stat: 'Average', unit: 'Percent' },
  { metric: 'NetworkIn', stat: 'Sum', unit: 'Bytes' },
  { metric: 'NetworkOut', stat: 'Sum', unit: 'Bytes' },
  { metric: 'NetworkPacketsIn', stat: 'Sum', unit: 'Count' },
  { metric: 'NetworkPacketsOut', stat: 'Sum', unit: 'Count' },
] as const;

/** Options of a collection. */
export interface ClientCollection {
  readonly manifest: Manifest;
  readonly window: { readonly from: Date; readonly to: Date };
  readonly client?: CloudWatchClient;
  /** @default - the time of the call */
  readonly now?: Date;
}

/**
 * Collects EC2's metrics of the clients over the run's window: load of their processors and network cards.
 *
 * @returns `null` for a run whose clients are no instances of EC2: in the lab, and on one machine
 */
export async function collectClients(options: ClientCollection): Promise<ClientMetricsFile | null> {
  const { manifest, window, now = new Date() } = options;
  const { clients } = manifest.fleet;
  if (manifest.lab || clients.length === 0) return null;
  const wanted = metricsPeriodOf(manifest);
  const kept = keptPeriod(window.from, now, wanted);
  const periodSeconds = kept ?? wanted;
  const asked = clients.flatMap(({ instanceId }) =>
    METRICS.map((one) => ({ ...one, namespace: NAMESPACE, dimensions: { InstanceId: instanceId } })),
  );
  const answers = kept === null ? [] : await getPoints(await clientOf(options), asked, { ...window, periodSeconds });
  const series = asked.map(({ stat, ...one }, index): CollectedSeries => {
    const { points = [], reason } = answers[index] ?? { reason: 'CloudWatch keeps nothing for more than 455 days' };
    return { ...one, statistic: stat, periodSeconds, points, ...(reason && { reason }) };
  });
  const iso = { from: window.from.toISOString(), to: window.to.toISOString() };
  return { schema: 'fsxbench.client-metrics/1', run: manifest.run, window: iso, series };
}

async function clientOf({ client }: ClientCollection): Promise<CloudWatchClient> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  return client ?? new CloudWatchClient(BOUNDED);
}
