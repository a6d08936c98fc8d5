import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { type Of, readTextOrNull } from '../schema/document';
import { CLIENT_METRICS } from '../schema/metrics';
import { type RunFigures, summarySchema } from '../schema/summary';
import { findFile, findText, RUN_FILES } from './documents';
import { RunFolder } from './folder';

/** Figures of a run that its report saves, below the run's folder. */
export const KEPT = 'report/summary.json';

/** Folders below a run's whose JSON files decide figures. */
export const INPUT_FOLDERS = ['metrics', 'environment'] as const;

/** SHA-256 of each file that figures are made from, by its path below the run. */
export type Inputs = Of<typeof summarySchema>['inputs'];

/** The inputs of a run in a local folder. A file of the same size and time may have another content. */
export function inputsOf(folder: string): Inputs {
  const below = (name: string): string[] =>
    existsSync(join(folder, name)) ? readdirSync(join(folder, name)).map((file) => `${name}/${file}`) : [];
  const documents = INPUT_FOLDERS.flatMap(below).filter((path) => path.endsWith('.json'));
  const paths = [...RUN_FILES, ...documents, CLIENT_METRICS].sort();
  return Object.fromEntries(
    paths.flatMap((path) => {
      if (!existsSync(join(folder, path))) return [];
      const found = findFile(folder, path, sha256Of);
      return [[path, 'document' in found ? found.document : found.fault]];
    }),
  );
}

const PIECE_BYTES = 2 ** 20;

/** SHA-256 of an open file of any size. */
function sha256Of(file: number): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
  return hash.digest('hex');
}

/**
 * Figures that a report of this version of fsxbench kept, if `isCurrent` accepts their inputs; `null` if they are damaged, outdated, or
 * another version's, whose rules may differ.
 */
export function readKept(content: string, isCurrent: (inputs: Inputs) => boolean): RunFigures | null {
  const kept = readTextOrNull(summarySchema, content);
  if (kept?.fsxbench !== version || !isCurrent(kept.inputs)) return null;
  const { fsxbench: _, inputs: __, ...figures } = kept;
  return figures;
}

/** The figures that are kept in a run's folder, if they are still those of the run. */
export function keptIn(folder: string): RunFigures | null {
  const text = findText(folder, KEPT);
  return 'document' in text ? readKept(text.document, (inputs) => isSame(inputs, inputsOf(folder))) : null;
}

function isSame(a: Inputs, b: Inputs): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

/** Keeps the figures next to the report, whole or not at all; the path. `inputs` as they were before the run was read. */
export const keep = (folder: string, figures: RunFigures, inputs: Inputs): string =>
  new RunFolder(folder).write(KEPT, `${JSON.stringify({ ...figures, fsxbench: version, inputs })}\n`);
