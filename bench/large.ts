/**
 * Processor time and memory of the command line for what is large: a log of 1 GB, a run of 164,000 samples and 766,000 points of metrics, and a
 * list of 2,000 runs. Each beside a process that only reads the same bytes.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarise } from '../lib/analysis/summary';
import { figuresOf } from '../lib/report';
import { inputsOf, keep } from '../lib/store/kept';
import { folderOf } from '../lib/store/library';
import { largeRun } from '../test/report/largeRun';
import { syntheticRun } from '../test/report/syntheticRun';
import { writeRun } from '../test/report/writeRun';
import { runCli, runNode, type Used } from '../test/support/peak';
import { writeLargeLog } from './shared/largeLog';
import { QUICK } from './shared/quick';

const LOG_BYTES = Number(process.env.LOG_BYTES ?? (QUICK ? 1e8 : 1e9));
const RUNS = Number(process.env.RUNS ?? (QUICK ? 200 : 2000));
/** Times that the samples of the large run stand in it, as further iterations. */
const TIMES = 8;
const READ = `let bytes = 0; const { openSync, readSync } = require('node:fs'); const piece = Buffer.alloc(65536);
for (const path of process.argv.slice(1)) { const file = openSync(path); for (let read; (read = readSync(file, piece)) > 0; ) bytes += read; }
console.log(bytes)`;

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-large-'));

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function print(name: string, used: Used, read: Used, page?: string): void {
  const size = page === undefined ? '' : `  page of ${(statSync(page).size / 1e6).toFixed(1)} MB`;
  const figures = `${used.cpuSeconds.toFixed(1).padStart(6)} s of processor, ${String(used.megabytes).padStart(4)} MB`;
  console.log(`${name.padEnd(26)} ${figures}  (reading: ${read.cpuSeconds.toFixed(1)} s, ${read.megabytes} MB)${size}`);
}

function log(): void {
  const path = join(folder, 'long.out');
  writeLargeLog(path, LOG_BYTES);
  print(`parse of ${LOG_BYTES / 1e6} MB`, runCli(['parse', '--json', path]), runNode(['-e', READ, path]));
}

function report(): void {
  const record = largeRun();
  const samples = record.samples.flatMap((sample) =>
    Array.from({ length: sample.iteration === null ? 1 : TIMES }, (_, time) => ({
      ...sample,
      iteration: sample.iteration === null ? null : sample.iteration + 10 * time,
    })),
  );
  const run = writeRun({ ...record, samples, raw: [] }, folderOf(folder, 'CompressionBench', record.run));
  const read = runNode(['-e', READ, ...filesBelow(run)]);
  print(`report of ${samples.length} samples`, runCli(['report', run]), read, join(run, 'report', 'index.html'));
}

function list(): void {
  const results = join(folder, 'list');
  const record = syntheticRun({ withMetrics: false });
  const figures = figuresOf(summarise(record));
  for (let index = 0; index < RUNS; index += 1) {
    const startedAt = new Date(Date.UTC(2026, 0, 1, 4 * index)).toISOString();
    const run = `${startedAt.replace(/[-:]|\.\d+/g, '')}-${index}`;
    const status = record.status && { ...record.status, run, startedAt };
    const own = { ...record, run, status, plan: null, manifest: null, samples: [], environment: [], raw: [] };
    const path = folderOf(results, 'CompressionBench', run);
    mkdirSync(path, { recursive: true });
    writeRun(own, path);
    keep(path, { ...figures, run, startedAt }, inputsOf(path));
  }
  const read = runNode(['-e', READ, ...filesBelow(results)]);
  const used = runCli(['list', '--here', '--html', '--results', results]);
  print(`list of ${RUNS} runs`, used, read, join(results, 'index.html'));
}

try {
  for (const measure of [log, report, list]) measure();
} finally {
  rmSync(folder, { recursive: true });
}
