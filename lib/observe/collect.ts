import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { FileSystem } from '@aws-sdk/client-fsx';
import type { DashboardMetricsFile, MetricSeries, MetricsFile } from '../schema/metrics';
import type { DeployedArm, Manifest } from '../schema/run';
import {
  dimensionsOf,
  LUSTRE_METRICS,
  LUSTRE_NAMESPACE,
  type LustreMetricInfo,
  type MetricScope,
} from '../storage/lustre/metricTable';
import { stateOf } from '../storage/lustre/scale/fileSystem';
import { metadataTargetsOf, type ServerNames, serverNamesOf } from '../storage/lustre/servers';
import { alarmsOf } from './alarms';
import { type Grid, getPoints, listMetrics, type Published } from './cloudwatch';
import { collectShown } from './dashboard';
import type { DashboardBody } from './draw/body';
import { isListed, keptPeriod, metricsPeriodOf } from './period';
import { wholeMinutes } from './window';

/** Options of a collection. */
export interface CollectOptions {
  readonly manifest: Manifest;
  /** From the first task's start to the last one's end. */
  readonly window: { readonly from: Date; readonly to: Date };
  /** The run's dashboard, whose metrics are also collected. @default - only metrics of the arms' file systems */
  readonly dashboard?: { readonly name: string; readonly body: DashboardBody };
  readonly client?: CloudWatchClient;
  /** @default - the time of the call */
  readonly now?: Date;
}

export interface CollectedRun {
  /** By the name of the arm. */
  readonly arms: ReadonlyMap<string, MetricsFile>;
  /** Other metrics of the dashboard; `null` without a dashboard. */
  readonly dashboard: DashboardMetricsFile | null;
}

/**
 * Collects every FSx metric of every arm over the run's window, per server and target, with the statistic of the metric's table, and
 * everything else that the run's dashboard shows. A documented metric that was not published is included with the reason, so
 * that its absence is not taken for zero.
 */
export async function collectMetrics(options: CollectOptions): Promise<CollectedRun> {
  const { manifest, window, dashboard, now = new Date() } = options;
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  const client = options.client ?? new CloudWatchClient({});
  // The emulator keeps all data points.
  const wanted = metricsPeriodOf(manifest);
  const kept = manifest.lab ? wanted : keptPeriod(window.from, now, wanted);
  const listed = manifest.lab || isListed(window.from, now);
  const files = new Map<string, MetricsFile>();
  const iso = { from: window.from.toISOString(), to: window.to.toISOString() };
  const { run } = manifest;
  for (const arm of manifest.arms) {
    const series = await collectArm(client, arm, { ...window, periodSeconds: kept ?? wanted }, { kept, listed });
    files.set(arm.name, { schema: 'fsxbench.metrics/1', run, window: iso, series });
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
      window: { from: whole.from.toISOString(), to: whole.to.toISOString() },
      series: await collectShown(client, dashboard.body, { ...whole, periodSeconds: kept }, before),
      // The emulator stores alarms and calls all of them OK.
      alarms: manifest.lab ? null : await alarmsOf(client, dashboard.body),
    },
  };
}

interface Reach {
  /** `null` if CloudWatch no longer has any data. */
  readonly kept: number | null;
  /** True if CloudWatch still lists metrics published then. */
  readonly listed: boolean;
}

async function collectArm(
  client: CloudWatchClient,
  arm: DeployedArm,
  grid: Grid,
  { kept, listed }: Reach,
): Promise<MetricSeries[]> {
  const { fileSystemId } = arm;
  if (fileSystemId === null) return [];
  const { periodSeconds } = grid;
  const base = { arm: arm.name, namespace: LUSTRE_NAMESPACE, periodSeconds };
  const absent = ({ name, statistic, unit }: (typeof LUSTRE_METRICS)[number], reason: string): MetricSeries => ({
    ...base,
    metric: name,
    dimensions: { FileSystemId: fileSystemId },
    statistic,
    unit,
    points: [],
    reason,
  });
  if (kept === null) {
    return LUSTRE_METRICS.map((info) => absent(info, 'CloudWatch keeps nothing for more than 455 days'));
  }
  const published = listed
    ? await listMetrics(client, LUSTRE_NAMESPACE, { FileSystemId: fileSystemId })
    : presumed(arm, fileSystemId);
  const wanted = published.flatMap((one) => {
    const info = LUSTRE_METRICS.find(({ name }) => name === one.metric);
    return info ? [{ ...one, info }] : [];
  });
  const answers = await getPoints(
    client,
    wanted.map(({ metric, dimensions, info }) => ({
      namespace: LUSTRE_NAMESPACE,
      metric,
      dimensions,
      stat: info.statistic,
    })),
    grid,
  );
  const series = wanted.flatMap(({ metric, dimensions, info }, index): MetricSeries[] => {
    const { points = [], reason } = answers[index] ?? {};
    // A presumed metric without data points may not exist.
    if (!listed && points.length === 0) return [];
    const { statistic, unit } = info;
    return [{ ...base, metric, dimensions, statistic, unit, points, ...(reason && { reason }) }];
  });
  const missing = LUSTRE_METRICS.filter(({ name }) => !series.some(({ metric }) => metric === name));
  return [...series, ...missing.map((info) => absent(info, whyNot(info)))];
}

/** When FSx publishes a metric at all. Source: guide/fs-metrics, guide/data-compression. */
const ONLY: Readonly<Record<LustreMetricInfo['availability'], string>> = {
  always: '',
  compressed: ', which it does only where LZ4 is or was on',
  persistent: ', which it does not for scratch file systems',
  'persistent-ssd': ', which it does neither for scratch file systems nor for hard disks',
  linked: ', which it does only for file systems linked to S3',
};

const whyNot = ({ availability }: LustreMetricInfo): string => `the service published none${ONLY[availability]}`;

const NAMES: Readonly<Record<MetricScope, (names: ServerNames) => readonly string[]>> = {
  'file-system': () => [],
  oss: ({ oss }) => oss,
  mds: ({ mds }) => mds,
  ost: ({ ost }) => ost,
  mdt: ({ mdt }) => mdt,
  target: ({ ost, mdt }) => [...ost, ...mdt],
  publisher: () => ['AutoImport', 'AutoExport'],
};

/** The metrics that a file system of this size publishes, for a time that CloudWatch no longer lists. */
function presumed({ describe }: DeployedArm, fileSystemId: string): Published[] {
  const names = namesOf(describe as FileSystem | null);
  return LUSTRE_METRICS.flatMap(({ name, scope }): Published[] => {
    const own = dimensionsOf(scope)[1];
    if (own === undefined) return [{ metric: name, dimensions: { FileSystemId: fileSystemId } }];
    return NAMES[scope](names).map((part) => ({
      metric: name,
      dimensions: { FileSystemId: fileSystemId, [own]: part },
    }));
  });
}

/** The servers and targets of a file system; data servers and targets only if their number is known. */
function namesOf(described: FileSystem | null): ServerNames {
  if (!described?.LustreConfiguration) return { oss: [], ost: [], mds: [], mdt: [] };
  const { configuration, metadataIops } = stateOf(described);
  const mdt = metadataTargetsOf(metadataIops ?? 0);
  return serverNamesOf(configuration) ?? { oss: [], ost: [], mds: mdt.map((name) => name.replace('MDT', 'MDS')), mdt };
}
