import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTextOrNull } from '../schema/document';
import { CLIENT_METRICS } from '../schema/metrics';
import { type RunFigures, summarySchema } from '../schema/summary';
import { findText, RUN_FILES } from './documents';
import { RunFolder } from './folder';

/** Figures of a run that its report saves, below the run's folder. */
export const KEPT = 'report/summary.json';

/** Sizes of the files that figures were made from: if they change, the figures are out of date. */
export type Inputs = Readonly<Record<string, number>>;

/** The inputs of a run in a local folder. */
export function inputsOf(folder: string): Inputs {
  const metrics = join(folder, 'metrics');
  const names = existsSync(metrics) ? readdirSync(metrics).map((name) => `metrics/${name}`) : [];
  const paths = [...RUN_FILES, ...names.filter((name) => name.endsWith('.json')), CLIENT_METRICS].sort();
  return Object.fromEntries(
    paths.filter((path) => existsSync(join(folder, path))).map((path) => [path, statSync(join(folder, path)).size]),
  );
}

/** Figures as a report kept them; `null` if they are damaged, of another version, or older than the run's files. */
export function readKept(content: string, inputs: Inputs): RunFigures | null {
  const kept = readTextOrNull(summarySchema, content);
  if (kept === null || !isSame(kept.inputs, inputs)) return null;
  const { inputs: _, ...figures } = kept;
  return figures;
}

function isSame(a: Inputs, b: Inputs): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

/** The figures that are kept in a run's folder, if they are still those of the run. */
export function keptIn(folder: string, inputs: Inputs = inputsOf(folder)): RunFigures | null {
  const text = findText(folder, KEPT);
  return 'document' in text ? readKept(text.document, inputs) : null;
}

/** Keeps the figures beside the report, whole or not at all; the path. `inputs` as they were before the run was read. */
export const keep = (folder: string, figures: RunFigures, inputs: Inputs): string =>
  new RunFolder(folder).write(KEPT, `${JSON.stringify({ ...figures, inputs })}\n`);
