import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type * as z from 'zod';
import { counted } from '../kit/format/units';
import { inside } from '../kit/inside';
import { type Of, read, record } from '../schema/document';
import { CLIENT_METRICS, clientMetricsSchema, type MetricsFile, metricsSchema } from '../schema/metrics';
import { manifestSchema, statusSchema } from '../schema/run';
import type { Sample } from '../schema/sample';
import { parseJson, parseSamples } from './parseSamples';
import { runnablePlanSchema } from './plan';
import type { RawFile, ReadProblem, RunRecord } from './record';

/**
 * Reads a run folder. Missing or damaged parts are skipped and named in `problems`; the measurements are still read.
 * Rejects only if the folder does not contain a run at all.
 */
export async function readRun(directory: string): Promise<RunRecord> {
  const problems: ReadProblem[] = [];
  const get = <S extends z.ZodType>(file: string, schema: S) => readJson(directory, file, schema, problems);

  const plan = await get('plan.json', runnablePlanSchema);
  const manifest = await get('manifest.json', manifestSchema);
  const status = await get('status.json', statusSchema);
  const found = await readSamples(directory, problems);
  if (plan === null && manifest === null && status === null && found.length === 0) {
    throw new Error(
      `'run' must be the folder of a run, with plan.json and samples.jsonl in it, got '${directory}'; \`fsxbench list\` shows the runs`,
    );
  }

  const metrics: MetricsFile[] = [];
  for (const name of await jsonFiles(join(directory, 'metrics'))) {
    const file = await get(`metrics/${name}`, metricsSchema);
    if (file !== null) metrics.push(file);
  }
  const ofClients = existsSync(join(directory, CLIENT_METRICS)) ? await get(CLIENT_METRICS, clientMetricsSchema) : null;
  const environment: RunRecord['environment'][number][] = [];
  for (const name of await jsonFiles(join(directory, 'environment'))) {
    const facts = await get(`environment/${name}`, record);
    if (facts !== null) environment.push({ node: basename(name, '.json'), facts });
  }

  const run = status?.run ?? manifest?.run ?? found[0]?.run ?? basename(resolve(directory));
  const { samples, problem } = ownSamples(found, run);
  if (problem !== null) problems.push({ file: 'samples.jsonl', message: problem });
  const raw = await listFiles(directory, 'raw');
  const collected = ofClients === null ? {} : { clientMetrics: ofClients };
  return { run, plan, manifest, status, samples, metrics, ...collected, environment, raw, problems };
}

async function readSamples(directory: string, problems: ReadProblem[]): Promise<readonly Sample[]> {
  const text = await readText(directory, 'samples.jsonl', problems);
  if (text === null) return [];
  const parsed = parseSamples(text);
  problems.push(...parsed.problems);
  return parsed.samples;
}

async function readJson<S extends z.ZodType>(
  directory: string,
  file: string,
  schema: S,
  problems: ReadProblem[],
): Promise<Of<S> | null> {
  const text = await readText(directory, file, problems);
  if (text === null) return null;
  const parsed = parseJson(text);
  const found = parsed === undefined ? null : read(schema, parsed);
  if (found !== null && 'document' in found) return found.document;
  problems.push({ file, message: found === null ? 'is not JSON' : `does not have the expected form${found.fault}` });
  return null;
}

async function readText(directory: string, file: string, problems: ReadProblem[]): Promise<string | null> {
  try {
    return await readFile(inside(directory, file), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'it is a link, or not below the run';
    problems.push({ file, message: code === 'ENOENT' ? 'is missing' : `cannot be read (${code})` });
    return null;
  }
}

/** Drops samples of another run in the file. If all are another run's, the folder was renamed. */
function ownSamples(found: readonly Sample[], run: string): { samples: readonly Sample[]; problem: string | null } {
  const names = [...new Set(found.map((sample) => sample.run))];
  const own = names.includes(run) ? run : names[0];
  const samples = found.filter((sample) => sample.run === own);
  const others = names.filter((name) => name !== own).slice(0, 3);
  const left = `has ${counted(found.length - samples.length, 'sample')} of another run (${others.join(', ')}), which are left out`;
  const renamed = `has the samples of ${own}, not of ${run}`;
  const said = [...(own === run || own === undefined ? [] : [renamed]), ...(others.length > 0 ? [left] : [])];
  return { samples, problem: said.length === 0 ? null : said.join('; it ') };
}

/** Names of the JSON files of a folder in a fixed order; empty if it does not exist. */
async function jsonFiles(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith('.json')).sort(byCodeUnit);
  } catch {
    return [];
  }
}

async function listFiles(root: string, below: string): Promise<RawFile[]> {
  let entries: import('node:fs').Dirent[];
  try {
    entries = await readdir(join(root, below), { withFileTypes: true });
  } catch {
    return [];
  }
  const files: RawFile[] = [];
  for (const entry of entries.sort((a, b) => byCodeUnit(a.name, b.name))) {
    const path = `${below}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await listFiles(root, path)));
    else if (entry.isFile()) files.push({ path, bytes: (await stat(join(root, path))).size });
  }
  return files;
}

/** Sort order that is independent of the machine's locale. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
