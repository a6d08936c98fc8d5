import type { CloudWatchClient, MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import * as z from 'zod';
import { BOUNDED } from '../common/aws/connection';
import { chunks } from '../common/collections';
import type { Search } from '../dashboard/expression';
import type { Dashboard } from '../dashboard/graph';
import type {
  ClientMetricsFile,
  CollectedAlarm,
  CollectedSeries,
  DashboardMetricsFile,
  MetricSeries,
  MetricsFile,
} from '../schema/metrics';
import type { DeployedArm, Manifest } from '../schema/run';
import { metricNamed, storageOrNone } from '../storage/lookup';
import type { PublishedMetric, StorageMetric } from '../storage/storage';
import { leavesIn } from './draw/graph';
import { type AskedMetric, finds } from './draw/source';
import { isListed, isoOf, keptPeriod, metricsPeriodOf, NOT_KEPT, type TimeWindow, wholeMinutes } from './window';

interface CollectOptions {
  readonly manifest: Manifest;
  /** From the first task's start to the last one's end. */
  readonly window: TimeWindow;
  /** The run's dashboard, whose metrics are also collected. @default - only metrics of the arms' file systems */
  readonly dashboard?: { readonly name: string; readonly shown: Dashboard; readonly alarms: readonly string[] };
  readonly client?: CloudWatchClient;
  /** @default - the time of the call */
  readonly now?: Date;
}

/** Collects every metric of every arm over the run's window, per server and target, and of its dashboard. One without data has the reason: it is not zero. */
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

/** EC2's metrics of an instance: all its interfaces' traffic, and its processors' use (https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/viewing_metrics_with_cloudwatch.html). */
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

const keyOf = ({ namespace, metric, dimensions, stat }: AskedMetric): string =>
  JSON.stringify([namespace, metric, Object.entries(dimensions).sort(), stat]);

/** Every metric of a dashboard for drawing, including those in expressions, without those already collected; one without data has a reason. */
export async function collectShown(
  client: CloudWatchClient,
  dashboard: Dashboard,
  grid: Grid,
  before: readonly CollectedSeries[] = [],
): Promise<CollectedSeries[]> {
  const known = new Set(before.map(({ statistic, ...one }) => keyOf({ ...one, stat: statistic })));
  const wanted = new Map<string, AskedMetric>();
  const nothing: CollectedSeries[] = [];
  const searched = new Set<string>();
  // Metrics are listed once per namespace and set of exact values.
  const listings = new Map<string, readonly PublishedMetric[]>();
  for (const leaf of leavesIn(dashboard)) {
    if ('kind' in leaf) wanted.set(keyOf(leaf), leaf);
    else if (!searched.has(JSON.stringify(leaf))) {
      searched.add(JSON.stringify(leaf));
      const { namespace, resource, stat } = leaf;
      const key = JSON.stringify([namespace, resource]);
      const listed = listings.get(key) ?? (await listMetrics(client, namespace, resource));
      listings.set(key, listed);
      const found = listed.filter((one) => finds(leaf, { namespace, ...one }));
      for (const one of found) wanted.set(keyOf({ namespace, ...one, stat }), { namespace, ...one, stat });
      if (found.length === 0) nothing.push(nothingFound(leaf, grid));
    }
  }
  const asked = [...wanted].flatMap(([key, { namespace, metric, dimensions, stat }]) =>
    known.has(key) ? [] : [{ namespace, metric, dimensions, statistic: stat, unit: unitOf(namespace, metric) }],
  );
  const series = await collectSeries(client, asked, grid);
  const all = [...before, ...series];
  const explained = ({ namespace, metric, dimensions }: CollectedSeries): boolean =>
    all.some(
      (one) =>
        one.namespace === namespace &&
        one.metric === metric &&
        Object.entries(dimensions).every(([name, value]) => one.dimensions[name] === value),
    );
  return [...series, ...nothing.filter((one) => !explained(one))];
}

/** A series that says why a graph is empty. */
const nothingFound = ({ namespace, metric, resource, stat }: Search, { periodSeconds }: Grid): CollectedSeries => ({
  namespace,
  metric,
  dimensions: resource,
  statistic: stat,
  unit: unitOf(namespace, metric),
  periodSeconds,
  points: [],
  reason: 'the service published none',
});

const unitOf = (namespace: string, metric: string): string | null => metricNamed(namespace, metric)?.unit ?? null;

/** Part of a deployed body that nothing else has. */
const body = z.looseObject({
  widgets: z.array(z.looseObject({ properties: z.looseObject({ alarms: z.array(z.string()).default([]) }) })),
});

/** ARNs of the alarms that a dashboard's body shows. @throws Error for one that CloudWatch would refuse, with the first problem */
export function alarmsInBody(text: string): readonly string[] {
  const parsed = body.safeParse(parsedJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`the dashboard's body is not in CloudWatch's format: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return parsed.data.widgets.flatMap(({ properties }) => properties.alarms);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the dashboard's body must be JSON: ${(error as Error).message}`);
  }
}

/** GetMetricData takes 500 queries per call (CloudWatch quotas). */
const QUERIES_PER_CALL = 500;

interface Grid extends TimeWindow {
  readonly periodSeconds: number;
}

/** A metric to collect: its series without what CloudWatch answers. */
type Wanted = Omit<CollectedSeries, 'periodSeconds' | 'points' | 'reason'>;

async function cloudWatchOr(client: CloudWatchClient | undefined): Promise<CloudWatchClient> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  return client ?? new CloudWatchClient(BOUNDED);
}

async function listMetrics(
  client: CloudWatchClient,
  namespace: string,
  dimensions: Readonly<Record<string, string>>,
): Promise<PublishedMetric[]> {
  const { paginateListMetrics } = await import('@aws-sdk/client-cloudwatch');
  // Deduplicated by text, since an endpoint may list a metric once per data point.
  const found = new Map<string, PublishedMetric>();
  const wanted = Object.entries(dimensions);
  const filter = { Namespace: namespace, Dimensions: wanted.map(([Name, Value]) => ({ Name, Value })) };
  for await (const page of paginateListMetrics({ client }, filter)) {
    for (const { Namespace = namespace, MetricName, Dimensions = [] } of page.Metrics ?? []) {
      const own = Object.fromEntries(Dimensions.map(({ Name = '', Value = '' }) => [Name, Value]));
      // Some endpoints treat the filter as a hint.
      if (!MetricName || Namespace !== namespace || wanted.some(([name, value]) => own[name] !== value)) continue;
      found.set(`${MetricName} ${JSON.stringify(Object.entries(own).sort())}`, { metric: MetricName, dimensions: own });
    }
  }
  return [...found.keys()].sort().map((key) => found.get(key) as PublishedMetric);
}

/** The series of each metric: its points in time order, from as many calls and pages as needed, or the reason for their absence. */
async function collectSeries<W extends Wanted>(
  client: CloudWatchClient,
  wanted: readonly W[],
  grid: Grid,
): Promise<(W & CollectedSeries)[]> {
  const series: (W & CollectedSeries)[] = [];
  for (const some of chunks(wanted, QUERIES_PER_CALL)) series.push(...(await seriesOf(client, some, grid)));
  return series;
}

async function seriesOf<W extends Wanted>(
  client: CloudWatchClient,
  wanted: readonly W[],
  grid: Grid,
): Promise<(W & CollectedSeries)[]> {
  const { paginateGetMetricData } = await import('@aws-sdk/client-cloudwatch');
  const points = wanted.map((): [string, number][] => []);
  /** The last answer to each query that was not the whole of it: less than was published would pass for all of it. */
  const failed = new Map<number, string>();
  const step = grid.periodSeconds * 1000;
  const request = {
    MetricDataQueries: wanted.map((one, index) => queryOf(one, `m${index}`, grid.periodSeconds)),
    // Whole periods, as CloudWatch advises.
    StartTime: new Date(Math.floor(grid.from.getTime() / step) * step),
    EndTime: new Date(Math.ceil(grid.to.getTime() / step) * step),
    ScanBy: 'TimestampAscending' as const,
  };
  for await (const page of paginateGetMetricData({ client }, request))
    for (const { Id = '', Timestamps = [], Values = [], StatusCode } of page.MetricDataResults ?? []) {
      const index = Number(Id.slice(1));
      for (const [place, time] of Timestamps.entries()) {
        const value = Values[place];
        if (value !== undefined) points[index]?.push([time.toISOString(), value]);
      }
      if (StatusCode === 'InternalError' || StatusCode === 'Forbidden' || StatusCode === 'PartialData')
        failed.set(index, StatusCode);
      else if (failed.get(index) === 'PartialData') failed.delete(index);
    }
  return wanted.map((one, index) => {
    const code = failed.get(index);
    const own = code === undefined ? (points[index] ?? []).sort((a, b) => (a[0] < b[0] ? -1 : 1)) : [];
    const reason = code ? `CloudWatch answered ${code}` : 'no point in the window';
    return { ...one, periodSeconds: grid.periodSeconds, points: own, ...(own.length === 0 && { reason }) };
  });
}

function queryOf({ namespace, metric, dimensions, statistic }: Wanted, id: string, period: number): MetricDataQuery {
  return {
    Id: id,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: metric,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: period,
      Stat: statistic,
    },
    ReturnData: true,
  };
}
