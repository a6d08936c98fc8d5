import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectMetrics } from '../collect/collect';
import { runWindow, secondsUntilPublished } from '../collect/window';
import type { MetricsFile } from '../model/run';
import { readSamples } from '../run/folder';
import { readManifest } from '../run/library';
import { prefixOf } from '../run/runner';
import { type CliContext, printJson, Unsuccessful } from './context';
import { obtainRun, storeOf } from './runs';

/** `fsxbench collect RUN`: writes `metrics/<arm>.json` here and, where the run has a bucket, there. */
export async function collectCommand(
  context: CliContext,
  text: string,
  options: { results: string; wait: boolean; json?: boolean },
): Promise<void> {
  const found = await obtainRun(text, options.results);
  const manifest = readManifest(found.folder);
  const samplesFile = join(found.folder, 'samples.jsonl');
  const window = runWindow(
    existsSync(samplesFile) ? readSamples(readFileSync(samplesFile, 'utf8')) : [],
    manifest.metricsPeriodSeconds,
  );
  if (window === null)
    throw new Unsuccessful(
      `the run ${found.run} has measured nothing yet: 'npx fsxbench watch ${found.run}' follows it`,
    );
  if (manifest.arms.every((arm) => arm.fileSystemId === null)) {
    throw new Unsuccessful(`the run ${found.run} compared local directories: CloudWatch knows nothing of them`);
  }
  const wait = options.wait ? secondsUntilPublished(window.to, new Date(), manifest.lab) : 0;
  if (wait > 0) {
    context.err(
      `waiting ${Math.ceil(wait)} s for the last points, which CloudWatch publishes minutes late (--no-wait skips this)\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
  const files = await collectMetrics({ manifest, window });
  const store = storeOf(manifest);
  const summary = [];
  for (const [arm, file] of files) {
    const body = `${JSON.stringify(file)}\n`;
    mkdirSync(join(found.folder, 'metrics'), { recursive: true });
    writeFileSync(join(found.folder, 'metrics', `${arm}.json`), body);
    await store?.put(`${prefixOf(found)}/metrics/${arm}.json`, body);
    summary.push(summarise(arm, file));
  }
  if (options.json)
    printJson(context, {
      schema: 'fsxbench.collect/1',
      run: found.run,
      folder: found.folder,
      window: { from: window.from.toISOString(), to: window.to.toISOString() },
      arms: summary,
    });
  else
    for (const { arm, metrics, points, absent } of summary)
      context.out(`${arm}: ${points} points of ${metrics} metrics; ${absent} documented metrics were not published\n`);
}

function summarise(arm: string, file: MetricsFile): { arm: string; metrics: number; points: number; absent: number } {
  const present = file.series.filter((series) => series.points.length > 0);
  const points = present.reduce((sum, series) => sum + series.points.length, 0);
  return {
    arm,
    metrics: new Set(present.map((series) => series.metric)).size,
    points,
    absent: file.series.length - present.length,
  };
}
