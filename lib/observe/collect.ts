import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { chunks } from '../common/collections';
import type { Dashboard } from '../dashboard/graph';
import type {
  ClientMetricsFile,
  CollectedAlarm,
  DashboardMetricsFile,
  MetricSeries,
  MetricsFile,
} from '../schema/metrics';
import type { DeployedArm, Manifest } from '../schema/run';
import { storageOrNone } from '../storage/lookup';
import type { StorageMetric } from '../storage/storage';
import { cloudWatchOr, collectSeries, type Grid, listMetrics } from './cloudwatch';
import { collectShown } from './dashboard';
import { isListed, isoOf, keptPeriod, metricsPeriodOf, NOT_KEPT, type TimeWindow, wholeMinutes } from './window';

export interface CollectOptions {
  readonly manifest: Manifest;
  /** From the first task's start to the last one's end. */
  readonly window: TimeWindow;
  /** The run's dashboard, whose metrics are also collected. @default - only metrics of the arms' file systems */
  readonly dashboard?: { readonly name: string; readonly shown: Dashboard; readonly alarms: readonly string[] };
  readonly client?: CloudWatchClient;
  /** @default - the time of the call */
  readonly now?: Date;
}

/**
 * Collects every metric of every arm over the run's window, per server and target, and all others of its dashboard. A documented metric without data
 * is included with the reason, since it does not mean zero.
 */
export async function collectMetrics(options: CollectOptions) {
  const { manifest, window, dashboard, now = new Date() } = options;
  const client = await cloudWatchOr(options.client);
  // The emulator keeps all data points.
  const wanted = metricsPeriodOf(manifest);
  const kept = manifest.lab ? wanted : keptPeriod(window.from, now, wanted);
  const listed = manifest.lab || isListed(window.from, now);
  const files = new Map<string, MetricsFile>();
  const { run } = manifest;
  for (const arm of manifest.arms) {
    const series = await collectArm(client, arm, { ...window, periodSeconds: kept ?? wanted }, { kept, listed });
    files.set(arm.name, { schema: 'fsxbench.metrics/1', run, window: isoOf(window), series });
  }
  if (dashboard === undefined || kept === null) return { arms: files, dashboard: null };
  // The driver publishes once a minute, from the minute on in which it started.
  const whole = wholeMinutes(window);
  const before = [...files.values()].flatMap(({ series }) => series);
  return {
    arms: files,
    dashboard: {
      schema: 'fsxbench.dashboard-metrics/1',
      run,
      dashboard: dashboard.name,
      window: isoOf(whole),
      series: await collectShown(client, dashboard.shown, { ...whole, periodSeconds: kept }, before),
      // The emulator stores alarms and calls all of them OK.
      alarms: manifest.lab ? null : await alarmsOf(client, dashboard.alarms),
    } satisfies DashboardMetricsFile,
  };
}

/** @param kept `null` if CloudWatch no longer has any data. @param listed true if it still lists metrics published then */
async function collectArm(
  client: CloudWatchClient,
  arm: DeployedArm,
  grid: Grid,
  { kept, listed }: { readonly kept: number | null; readonly listed: boolean },
): Promise<MetricSeries[]> {
  const { fileSystemId } = arm;
  const metrics = storageOrNone(arm.kind)?.monitoring?.metrics;
  if (fileSystemId === null || metrics === undefined) return [];
  const { namespace, table } = metrics;
  const identities = (metrics.parts?.(fileSystemId) ?? [fileSystemId]).map(metrics.identity);
  const { periodSeconds } = grid;
  const base = { arm: arm.name, namespace, periodSeconds };
  const absent = ({ name, statistic, unit }: StorageMetric, reason: string): MetricSeries => ({
    ...base,
    metric: name,
    dimensions: identities[0] ?? {},
    statistic,
    unit,
    points: [],
    reason,
  });
  if (kept === null) return table.map((info) => absent(info, NOT_KEPT));
  const published = listed
    ? (await Promise.all(identities.map((identity) => listMetrics(client, namespace, identity)))).flat()
    : metrics.assumed(fileSystemId, arm.describe);
  const wanted = published.flatMap(({ metric, dimensions }) => {
    const info = table.find(({ name }) => name === metric);
    return info ? [{ ...base, metric, dimensions, statistic: info.statistic, unit: info.unit }] : [];
  });
  const answers = await collectSeries(client, wanted, grid);
  // A presumed metric without data points may not exist.
  const series = answers.filter(({ points }) => listed || points.length > 0);
  const missing = table.filter(({ name }) => !series.some(({ metric }) => metric === name));
  return [...series, ...missing.map((info) => absent(info, arm.model?.uncounted?.[info.name] ?? whyNot(info)))];
}

const whyNot = ({ only }: StorageMetric): string =>
  `the service published none${only === undefined ? '' : `, ${only}`}`;

/** DescribeAlarms takes 100 names per call (CloudWatch API reference). */
const NAMES_PER_CALL = 100;

/** The current states of alarms by their ARNs; deleted alarms are omitted. */
export async function alarmsOf(client: CloudWatchClient, arns: readonly string[]): Promise<CollectedAlarm[]> {
  const { DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
  const names = [...new Set(arns)].map((arn) => arn.split(':alarm:')[1] ?? arn);
  const found: CollectedAlarm[] = [];
  for (const some of chunks(names, NAMES_PER_CALL)) {
    const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({
        AlarmNames: some,
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        MaxRecords: NAMES_PER_CALL,
      }),
    );
    for (const { AlarmName = '', AlarmDescription = '', StateValue, StateUpdatedTimestamp } of [
      ...MetricAlarms,
      ...CompositeAlarms,
    ]) {
      const since = StateUpdatedTimestamp?.toISOString() ?? null;
      found.push({ name: AlarmName, state: StateValue ?? 'INSUFFICIENT_DATA', since, description: AlarmDescription });
    }
  }
  return found;
}

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
  const asked = clients.flatMap(({ instanceId }) => {
    const dimensions = { InstanceId: instanceId };
    return METRICS.map(({ metric, unit, statistic }) => ({
      metric,
      unit,
      namespace: 'AWS/EC2',
      dimensions,
      statistic,
    }));
  });
  const series =
    kept === null
      ? asked.map((one) => ({ ...one, periodSeconds: wanted, points: [], reason: NOT_KEPT }))
      : await collectSeries(await cloudWatchOr(options.client), asked, { ...window, periodSeconds: kept });
  return { schema: 'fsxbench.client-metrics/1', run: manifest.run, window: isoOf(window), series };
}
