import type { ClientMetricsFile } from '../schema/metrics';
import { cloudWatchOr, collectSeries } from './cloudwatch';
import type { CollectOptions } from './collect';
import { keptPeriod, metricsPeriodOf, NOT_KEPT } from './period';
import { isoOf } from './window';

const NAMESPACE = 'AWS/EC2';

/**
 * Metrics of EC2 for each instance: bytes and packets over all of its network interfaces in a period, and the share of its processors that
 * was used. Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/viewing_metrics_with_cloudwatch.html
 */
const METRICS = [
  { metric: 'CPUUtilization', statistic: 'Average', unit: 'Percent' },
  { metric: 'NetworkIn', statistic: 'Sum', unit: 'Bytes' },
  { metric: 'NetworkOut', statistic: 'Sum', unit: 'Bytes' },
  { metric: 'NetworkPacketsIn', statistic: 'Sum', unit: 'Count' },
  { metric: 'NetworkPacketsOut', statistic: 'Sum', unit: 'Count' },
] as const;

/** Collects EC2's metrics of the clients over the run's window. @returns `null` without EC2 instances: in the lab, and on one computer */
export async function collectClients(options: Omit<CollectOptions, 'dashboard'>): Promise<ClientMetricsFile | null> {
  const { manifest, window, now = new Date() } = options;
  const { clients } = manifest.fleet;
  if (manifest.lab || clients.length === 0) return null;
  const wanted = metricsPeriodOf(manifest);
  const kept = keptPeriod(window.from, now, wanted);
  const asked = clients.flatMap(({ instanceId }) =>
    METRICS.map(({ metric, unit, statistic }) => ({
      metric,
      unit,
      namespace: NAMESPACE,
      dimensions: { InstanceId: instanceId },
      statistic,
    })),
  );
  const series =
    kept === null
      ? asked.map((one) => ({ ...one, periodSeconds: wanted, points: [], reason: NOT_KEPT }))
      : await collectSeries(await cloudWatchOr(options.client), asked, { ...window, periodSeconds: kept });
  return { schema: 'fsxbench.client-metrics/1', run: manifest.run, window: isoOf(window), series };
}
