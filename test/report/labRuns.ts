import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readRun } from '../../lib/store/readRun';
import type { RunRecord } from '../../lib/store/record';

const FIXTURES = join(__dirname, '..', 'fixtures');
/** The run that the README's pictures are of is kept as a folder. */
const FOLDER = { benchmark: 'CompressionBench', path: join(FIXTURES, 'model', 'compression') };
const documentOf = (benchmark: string): string => join(FIXTURES, 'lab-runs', `${benchmark}.json.gz`);

/** Benchmarks of which a run of the lab is recorded: all. */
export const LAB_RUNS = ['CompressionBench', 'MetadataBench', 'StorageBench', 'ClusterBench', 'OffloadBench'] as const;

/** A recorded run of `npm run quickstart -- --benchmark …`. */
export async function labRun(benchmark: (typeof LAB_RUNS)[number]): Promise<RunRecord> {
  if (benchmark === FOLDER.benchmark) return readRun(FOLDER.path);
  return JSON.parse(gunzipSync(readFileSync(documentOf(benchmark))).toString());
}

/** Records the run of a folder `results/runs/BENCHMARK/RUN`: all that its report reads, in one line. */
export async function recordLabRun(folder: string): Promise<void> {
  const record = await readRun(folder);
  const text = JSON.stringify(record).replaceAll(process.cwd(), '/home/user/fsxbench');
  writeFileSync(documentOf(record.plan?.benchmark ?? ''), gzipSync(text, { level: 9 }));
}
