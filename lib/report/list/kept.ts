import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { RunFigures } from '../../analysis/keyFigures';
import { CLIENT_METRICS } from '../../schema/metrics';
import { RunFolder } from '../../store/folder';

/** Where a report leaves the figures of its run, below the run's folder. */
export const KEPT = 'report/summary.json';

/** Sizes of the files that figures were made from: other sizes, and the figures are out of date. */
export type Inputs = Readonly<Record<string, number>>;

/** Files whose growth changes what a run says; `samples.jsonl` is append-only, so that its size stands for its content. */
export const INPUTS: readonly string[] = ['manifest.json', 'plan.json', 'samples.jsonl', 'status.json'];

/** The inputs of a run in a folder of this machine. */
export function inputsOf(folder: string): Inputs {
  const metrics = join(folder, 'metrics');
  const names = existsSync(metrics) ? readdirSync(metrics).map((name) => `metrics/${name}`) : [];
  const paths = [...INPUTS, ...names.filter((name) => name.endsWith('.json')), CLIENT_METRICS].sort();
  return Object.fromEntries(
    paths.filter((path) => existsSync(join(folder, path))).map((path) => [path, statSync(join(folder, path)).size]),
  );
}

const text = z.string();
const number = z.number();
const schema = z.looseObject({
  schema: z.literal('fsxbench.summary/1'),
  inputs: z.record(text, number),
  ...{ run: text, benchmark: text, platform: text },
  ...{ plan: text.nullable(), scale: text.nullable(), startedAt: text.nullable(), seconds: number.nullable() },
  validity: z.enum(['VALID', 'WARN', 'INVALID']),
  findings: z.array(text),
  arms: z.array(z.looseObject({ name: text, description: text })),
  conditions: z.array(z.looseObject({ name: text, value: text })),
  figures: z.array(
    z.looseObject({
      ...{ arm: text, operation: text, metric: text, unit: text },
      ...{ target: number.nullable(), median: number.nullable(), least: number.nullable(), most: number.nullable() },
      repeats: z.array(number),
      tools: z.array(text),
      reason: text.nullable(),
    }),
  ),
});

/** Figures as a report kept them; `null` where they are damaged, of another version, or older than the run's files. */
export function readKept(content: string, inputs: Inputs): RunFigures | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return null;
  }
  const checked = schema.safeParse(parsed);
  if (!checked.success || !isSame(checked.data.inputs, inputs)) return null;
  // As it was written, field by field: a check may put them into another order.
  const { inputs: _, ...figures } = parsed as RunFigures & { readonly inputs: Inputs };
  return figures;
}

function isSame(a: Inputs, b: Inputs): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

/** The figures that are kept in a run's folder, if they are still those of the run. */
export function keptIn(folder: string, inputs: Inputs = inputsOf(folder)): RunFigures | null {
  const path = join(folder, KEPT);
  return existsSync(path) ? readKept(readFileSync(path, 'utf8'), inputs) : null;
}

/** Keeps the figures beside the report, whole or not at all; the path. `inputs` as they were before the run was read. */
export function keep(folder: string, figures: RunFigures, inputs: Inputs): string {
  return new RunFolder(folder).write(KEPT, `${JSON.stringify({ ...figures, inputs })}\n`);
}
