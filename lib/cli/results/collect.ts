import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../common/format/units';
import { dashboardOfRun } from '../../observe/benchmarkDashboard';
import { alarmsInBody, collectClients, collectMetrics } from '../../observe/collect';
import { metricsPeriodOf, runWindow, secondsUntilPublished } from '../../observe/window';
import { CLIENT_METRICS, type CollectedSeries } from '../../schema/metrics';
import type { Manifest } from '../../schema/run';
import { DASHBOARD_METRICS, readManifest, readSamples } from '../../store/documents';
import { RunFolder } from '../../store/folder';
import { prefixOf, readPlan } from '../../store/record';
import { type CliContext, printJson, Unsuccessful } from '../context';
import { withProgress, withProgressWhenSlow } from '../render/progressLog';
import { dashboardNamed, keptBody, obtainRun, storeOf } from './runs';

/** `fsxbench collect RUN`: writes `metrics/<arm>.json` and `metrics/dashboard/` locally and to the run's bucket, if any. */
export async function collectCommand(context: CliContext, text: string, options: { results: string; json?: boolean }) {
  const found = await obtainRun(text, options.results);
  const manifest = readManifest(found.folder);
  const window = runWindow(readSamples(found.folder).samples, metricsPeriodOf(manifest));
  if (window === null)
    throw new Unsuccessful(
      `the run ${found.run} has not measured anything yet: follow it with npx fsxbench watch ${found.run}`,
    );
  if (manifest.arms.every((arm) => arm.fileSystemId === null))
    throw new Unsuccessful(`the run ${found.run} measured local directories, which have no CloudWatch metrics`);
  const wait = secondsUntilPublished(window.to, new Date(), manifest.lab);
  const say = (line: string): void => context.err(`${line}\n`);
  const waiting = `waiting ${Math.ceil(wait)} s for the last data points, which CloudWatch publishes minutes late`;
  if (wait > 0) await withProgress(say, waiting, () => sleep(wait * 1000));
  const { shown, arms, dashboard, clients } = await withProgressWhenSlow(say, 'asking CloudWatch', async () => {
    const shown = await shownDashboard(context, found.folder, manifest);
    const metrics = await collectMetrics({ manifest, window, dashboard: shown ?? undefined });
    return { shown, ...metrics, clients: await collectClients({ manifest, window }) };
  });
  const folder = new RunFolder(found.folder);
  const store = await storeOf(manifest);
  const keep = async (name: string, text: string): Promise<void> => {
    folder.write(name, text);
    await store?.put(`${prefixOf(found)}/${name}`, text);
  };
  for (const [arm, file] of arms) await keep(`metrics/${arm}.json`, `${JSON.stringify(file)}\n`);
  if (clients !== null) await keep(CLIENT_METRICS, `${JSON.stringify(clients)}\n`);
  if (dashboard !== null) {
    if (shown?.text) await keep('metrics/dashboard/body.json', shown.text);
    await keep(DASHBOARD_METRICS, `${JSON.stringify(dashboard)}\n`);
  }
  const collected = {
    schema: 'fsxbench.collect/1',
    run: found.run,
    folder: found.folder,
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    arms: [...arms].map(([arm, { series }]) => ({ arm, ...summarise(series) })),
    clients: clients && summarise(clients.series),
    dashboard: dashboard && { name: dashboard.dashboard, ...summarise(dashboard.series) },
  } as const;
  if (options.json) printJson(context, collected);
  else for (const line of renderCollected(collected)) context.out(`${line}\n`);
}

type Counts = ReturnType<typeof summarise>;

interface Collected {
  readonly arms: readonly ({ readonly arm: string } & Counts)[];
  readonly clients: Counts | null;
  readonly dashboard: Counts | null;
}

function renderCollected({ arms, clients, dashboard }: Collected): string[] {
  const lines = arms.map(
    ({ arm, metrics, points, absent }) =>
      `${arm}: ${counted(points, 'point')} of ${counted(metrics, 'metric')}; ${counted(absent, 'documented metric')} ${absent === 1 ? 'was' : 'were'} not published${absent === 0 ? '' : `: metrics/${arm}.json says why`}`,
  );
  if (clients)
    lines.push(`clients: ${counted(clients.points, 'point')} of ${counted(clients.metrics, 'metric')} of EC2`);
  if (dashboard)
    lines.push(
      `dashboard: ${counted(dashboard.points, 'point')} of ${counted(dashboard.metrics, 'more metric')}; ${dashboard.absent} ${dashboard.absent === 1 ? 'has' : 'have'} none`,
    );
  return lines;
}

/** The run's dashboard, with its alarms as they are now or were collected earlier; `null` for a run without a dashboard. */
async function shownDashboard(context: CliContext, folder: string, manifest: Manifest) {
  const { dashboard: name } = manifest;
  if (!name) return null;
  const text = (await dashboardNamed(name)) ?? keptBody(folder);
  if (text === null)
    context.err(`the dashboard ${name} no longer exists: its metrics are collected without the states of its alarms\n`);
  const alarms = text === null ? [] : alarmsInBody(text);
  return { name, text, shown: dashboardOfRun(manifest, readPlan(folder), alarms), alarms };
}

function summarise(series: readonly CollectedSeries[]) {
  const present = series.filter(({ points }) => points.length > 0);
  return {
    metrics: new Set(present.map(({ namespace, metric }) => `${namespace} ${metric}`)).size,
    points: present.reduce((sum, { points }) => sum + points.length, 0),
    absent: series.length - present.length,
  };
}
