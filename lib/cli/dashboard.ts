import { existsSync } from 'node:fs';
import { BENCHMARK_NAMES } from '../benchmark/lookup';
import { BOUNDED } from '../common/aws/connection';
import type { Dashboard } from '../dashboard/graph';
import { dashboardOfRun } from '../observe/benchmarkDashboard';
import { alarmsInBody } from '../observe/collect';
import type { DashboardPicture } from '../observe/draw/page';
import type { Manifest } from '../schema/run';
import { readDashboardMetrics, readManifest } from '../store/documents';
import type { LocalRun } from '../store/library';
import { readPlan } from '../store/record';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';
import { HOURS, quantity } from './input/quantity';
import { type DefaultPlace, writePageTo } from './render/writePageTo';
import { keptBody, obtainRun } from './results/runs';

export interface DashboardOptions {
  readonly html?: string;
  readonly hours: string;
  readonly results: string;
  readonly json?: boolean;
}

type Shown = DashboardPicture & { readonly place: string | DefaultPlace };

/** `fsxbench dashboard SUBJECT`: a CloudWatch dashboard as a page: a run's with its metrics, or LustreDashboard of any file system, for the last hours. */
export async function dashboardCommand(context: CliContext, subject: string, options: DashboardOptions): Promise<void> {
  const { describeDashboard, Collected, renderDashboard } = await import('../observe/draw');
  const isFileSystem = subject.startsWith('fs-') && !existsSync(subject);
  const { place, ...shown } = await (isFileSystem ? ofFileSystem : ofRun)(subject, options);
  const html = writePageTo(place, await renderDashboard(shown));
  if (!options.json) return context.out(`${html}\n`);
  const { window } = shown;
  const graphs = describeDashboard(shown.dashboard, new Collected(shown.series));
  printJson(context, { schema: 'fsxbench.dashboard/1', subject, html, window, graphs });
}

async function ofRun(subject: string, options: DashboardOptions): Promise<Shown> {
  const { readRun } = await import('../report');
  if (BENCHMARK_NAMES.includes(subject) && !existsSync(subject))
    throw new UsageError(`'${subject}' is a stack: name the run that is drawn; npx fsxbench list shows them`);
  const found = await obtainRun(subject, options.results);
  const manifest = readManifest(found.folder);
  const { metrics } = await readRun(found.folder);
  const shown = readDashboardMetrics(found.folder);
  const windows = [...metrics, ...(shown === null ? [] : [shown])].map(({ window }) => window);
  const [from] = windows.map((window) => window.from).sort();
  const ends = windows.map((window) => window.to).sort();
  const to = ends.at(-1);
  if (from === undefined || to === undefined) {
    if (manifest.arms.every((arm) => arm.fileSystemId === null))
      throw new Unsuccessful(`the run ${found.run} measured local directories, which have no CloudWatch metrics`);
    throw new Unsuccessful(
      `the run ${found.run} has no metrics yet: fetch them from CloudWatch with npx fsxbench collect ${found.run}`,
    );
  }
  return {
    title: `${manifest.stack?.name ?? manifest.benchmark}: dashboard of the run ${found.run}`,
    dashboard: dashboardOf(found, manifest),
    series: [...metrics.flatMap(({ series }) => series), ...(shown?.series ?? [])],
    alarms: shown?.alarms ?? undefined,
    window: { from, to },
    place: options.html ?? { folder: found.folder, name: 'report/dashboard.html' },
    note: manifest.lab
      ? 'The values come from the lab: they describe this computer, not a file system on AWS.'
      : undefined,
  };
}

function dashboardOf({ folder, run }: LocalRun, manifest: Manifest): Dashboard {
  if (!manifest.dashboard) throw new Unsuccessful(`the run ${run} has no dashboard, since it did not run on a stack`);
  const kept = keptBody(folder);
  return dashboardOfRun(manifest, readPlan(folder), kept === null ? [] : alarmsInBody(kept));
}

async function ofFileSystem(fileSystemId: string, options: DashboardOptions): Promise<Shown> {
  const hours = quantity('--hours', options.hours, HOURS) ?? 3;
  const { region, dashboard } = await (await import('./scale/scaleCommands')).dashboardNow(fileSystemId);
  const { collectShown } = await import('../observe/collect');
  const { keptPeriod, wholeMinutes } = await import('../observe/window');
  const now = new Date();
  const window = wholeMinutes({ from: new Date(now.getTime() - hours * 3_600_000), to: now });
  const periodSeconds = keptPeriod(window.from, now, 60) ?? 3600;
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  const cloudwatch = new CloudWatchClient({ ...BOUNDED, region });
  const series = await collectShown(cloudwatch, dashboard, { ...window, periodSeconds });
  return {
    title: `${fileSystemId}: the last ${hours === 1 ? 'hour' : `${hours} hours`}`,
    dashboard,
    series,
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    place: options.html ?? { folder: '.', name: `${fileSystemId}.html` },
  };
}
