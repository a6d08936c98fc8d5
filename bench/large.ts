/**
 * CPU time and memory of the command line for large input: a log of 1 GB, a run of 164,000 samples and 766,000 points of metrics (200 nodes, twelve
 * hours), and a list of 2,000 runs. Each is compared with a process that only reads the same bytes; the report also in Chromium.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { summarise } from '../lib/analysis/summary';
import { figuresOf } from '../lib/report';
import { folderOf, inputsOf, keep } from '../lib/store/library';
import { largeRun } from '../test/report/largeRun';
import { syntheticRun } from '../test/report/syntheticRun';
import { writeRun } from '../test/report/writeRun';
import { executablePath } from '../test/support/chromium';
import { runCli, runNode, type Used } from '../test/support/peak';
import { writeLargeLog } from './shared/largeLog';
import { QUICK } from './shared/quick';
import { median } from './shared/rounds';
import { tell } from './shared/row';

const LOG_BYTES = Number(process.env.LOG_BYTES ?? (QUICK ? 1e8 : 1e9));
const RUNS = Number(process.env.RUNS ?? (QUICK ? 200 : 2000));
/** Times that the samples of the large run stand in it, as further iterations. */
const TIMES = QUICK ? 1 : 8;
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
  const size = page === undefined ? '' : `  page of ${megabytesOf(page).toFixed(1)} MB`;
  const figures = `${used.cpuSeconds.toFixed(1).padStart(6)} s of processor, ${String(used.megabytes).padStart(4)} MB`;
  console.log(`${name.padEnd(26)} ${figures}  (reading: ${read.cpuSeconds.toFixed(1)} s, ${read.megabytes} MB)${size}`);
}

const megabytesOf = (path: string): number => statSync(path).size / 1e6;

function log(): void {
  const path = join(folder, 'long.out');
  writeLargeLog(path, LOG_BYTES);
  const used = runCli(['parse', '--json', path]);
  const what = `\`parse\` of an IOR log of ${LOG_BYTES / 1e6} MB`;
  print(`parse of ${LOG_BYTES / 1e6} MB`, used, runNode(['-e', READ, path]));
  tell({ what, value: LOG_BYTES / 1e6 / used.cpuSeconds, unit: 'MB/s', least: 100 });
  tell({ what: `${what}: memory`, value: used.megabytes, unit: 'MB', most: 200 });
}

async function report(): Promise<void> {
  const record = largeRun();
  const samples = record.samples.flatMap((sample) =>
    Array.from({ length: sample.iteration === null ? 1 : TIMES }, (_, time) => ({
      ...sample,
      iteration: sample.iteration === null ? null : sample.iteration + 10 * time,
    })),
  );
  const run = writeRun({ ...record, samples, raw: [] }, folderOf(folder, 'CompressionBench', record.run));
  const read = runNode(['-e', READ, ...filesBelow(run)]);
  const used = runCli(['report', run]);
  const page = join(run, 'report', 'index.html');
  print(`report of ${samples.length} samples`, used, read, page);
  const what = '`report` of 200 nodes, 12 h';
  tell({ what, value: used.cpuSeconds, unit: 's', most: 10, note: `${samples.length} samples, 766,080 points` });
  tell({ what, against: 'reading its input', value: used.cpuSeconds / read.cpuSeconds, unit: '×' });
  tell({ what: `${what}: memory`, value: used.megabytes, unit: 'MB', most: 300 });
  tell({ what: `${what}: page`, value: megabytesOf(page), unit: 'MB', most: 3 });
  const paint = await firstPaint(page);
  console.log(
    `first paint of it          ${paint === null ? 'no Chromium here' : `${paint.toFixed(2)} s by the clock`}`,
  );
  const note = paint === null ? 'no Chromium here' : 'by the clock, median of five';
  tell({ what: `${what}: first paint in Chromium`, value: paint, unit: 's', most: 1, note });
}

/** Seconds by the clock until Chromium shows something of a page; `null` without Chromium. */
async function firstPaint(page: string): Promise<number | null> {
  if (executablePath === undefined) return null;
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const seconds: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const tab = await browser.newPage();
      await tab.goto(pathToFileURL(page).href);
      const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
      seconds.push(((await tab.evaluate(paint)) as number) / 1000);
      await tab.close();
    }
    return median(seconds);
  } finally {
    await browser.close();
  }
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
    keep(path, { ...figures, run }, inputsOf(path));
  }
  const read = runNode(['-e', READ, ...filesBelow(results)]);
  const used = runCli(['list', '--here', '--json', '--results', results]);
  print(`list of ${RUNS} runs`, used, read, join(results, 'index.html'));
  tell({ what: `\`list --json\` of ${RUNS} runs`, value: used.cpuSeconds, unit: 's' });
}

async function main(): Promise<void> {
  try {
    log();
    await report();
    list();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
