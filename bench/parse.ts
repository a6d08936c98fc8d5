/**
 * Speed of the parsers: MB/s over the fixtures of each tool, compared with splitting the same bytes into lines in the same run, since ratios are
 * meaningful even on a busy machine; and of long logs and a large JSON document, compared with counting lines and with JSON.parse.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileLines } from '../lib/common/linePieces';
import { parseFile, parseText } from '../lib/parse';
import { LONG_RUN, writeLargeLog } from './shared/largeLog';
import { QUICK } from './shared/quick';
import { processorSecondsOf } from './shared/rounds';
import { tell } from './shared/row';

const FOLDER = join(process.cwd(), 'test', 'fixtures', 'tools');
const GROUPS: Readonly<Record<string, RegExp>> = {
  'ior text': /^ior(?!.*json|.*csv).*\.out$/,
  'ior json': /^ior.*json.*(?:\.summary\.json|stdout.*\.out)$/,
  mdtest: /^md.*\.out$/,
  fio: /^fio_(?!killed).*\.out$/,
  'dd and time': /^dd.*\.out$/,
  du: /^du_.*\.out$|\.du\.txt$/,
};
const MINIMUM_BYTES = 24e6;
const ROUNDS = QUICK ? 3 : 5;

/** Processor seconds of the best of several rounds, since disturbances only make a round longer. */
function best(work: () => unknown): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => processorSecondsOf(work)));
}

/** Both sides decode the bytes again, since V8 caches the splits of a string. */
function measure(texts: readonly Buffer[]) {
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  const times = Math.max(1, Math.ceil(MINIMUM_BYTES / bytes / ROUNDS));
  let sink = 0;
  const split = best(() => {
    for (let time = 0; time < times; time += 1) for (const text of texts) sink += text.toString().split('\n').length;
  });
  const parse = best(() => {
    for (let time = 0; time < times; time += 1)
      for (const text of texts) sink += parseText('x', text.toString()).samples.length;
  });
  const megabytes = (bytes * times) / 1e6;
  return {
    files: texts.length,
    parseMBps: megabytes / parse,
    splitMBps: megabytes / split,
    timesSplit: parse / split,
    sink,
  };
}

const LOG_BYTES = 100e6;
/** A usual document of many jobs, and one with nearly as many values as a file may have. */
const DOCUMENT_MEGABYTES = [9, 60] as const;

/** MB/s of processor time of `parse`, and its share of the speed of what only reads the same file. */
function large(path: string, reference: () => unknown) {
  const megabytes = readFileSync(path).length / 1e6;
  const [parse, read] = [best(() => parseFile(path)), best(reference)];
  return { parseMBps: megabytes / parse, ofReference: read / parse };
}

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-parse-'));
const files: Record<string, ReturnType<typeof large>> = {};
try {
  const path = join(folder, 'long.out');
  // First, as in a new process: nobody parses a document after a thousand logs.
  const fio = JSON.parse(readFileSync(join(FOLDER, 'fio_filecreate.out'), 'utf8')) as { jobs: object[] };
  const [job] = fio.jobs;
  for (const megabytes of DOCUMENT_MEGABYTES) {
    const jobs = Math.ceil((megabytes * 1e6) / JSON.stringify(job, null, 2).length);
    fio.jobs = Array.from({ length: jobs }, (_, index) => ({ ...job, jobname: `job${index}` }));
    writeFileSync(path, JSON.stringify(fio, null, 2));
    files[`fio JSON of ${megabytes} MB, by JSON.parse`] = large(path, () => JSON.parse(readFileSync(path, 'utf8')));
  }
  for (const [tool, run] of [['ior', LONG_RUN] as const, ['mdtest', join(FOLDER, 'md330_long_i100.out')] as const]) {
    writeLargeLog(path, LOG_BYTES, run);
    files[`log of ${tool}, by counting lines`] = large(path, () => {
      let count = 0;
      for (const _ of fileLines(path)) count += 1;
      return count;
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}

const names = readdirSync(FOLDER);
const results = Object.entries(GROUPS).map(([group, pattern]) => {
  const texts = names.filter((name) => pattern.test(name)).map((name) => readFileSync(join(FOLDER, name)));
  return { group, ...measure(texts) };
});
// Linear time: ten times the rows should take little more than ten times as long.
const long = readFileSync(join(FOLDER, 'ior330_long_i1000_w.out'), 'utf8');
const rows = long.split('\n').filter((line) => line.startsWith('write'));
const head = long.slice(0, long.indexOf(rows[0] as string));
const grown = (factor: number) => head + `${rows.slice(0, 1000).join('\n')}\n`.repeat(factor);
const growth = best(() => parseText('x', grown(100))) / best(() => parseText('x', grown(10)));

for (const { group, files, parseMBps, splitMBps, timesSplit } of results) {
  console.log(
    `${group.padEnd(12)} ${String(files).padStart(4)} files  ${parseMBps.toFixed(0).padStart(5)} MB/s` +
      `  split ${splitMBps.toFixed(0).padStart(5)} MB/s  ${timesSplit.toFixed(1).padStart(5)} times a split`,
  );
}
console.log(`ten times the rows take ${growth.toFixed(1)} times as long`);
for (const [name, { parseMBps, ofReference }] of Object.entries(files)) {
  console.log(`${name.padEnd(34)} ${parseMBps.toFixed(0).padStart(5)} MB/s  ${ofReference.toFixed(2)} of its speed`);
  const [what = '', against = ''] = name.split(', by ');
  if (against === 'JSON.parse')
    tell({ what: `\`parse\`, ${what}`, against: 'speed of `JSON.parse`', value: ofReference, unit: '×', least: 0.5 });
  else tell({ what: `\`parse\`, ${what}`, value: parseMBps, unit: 'MB/s', least: 100 });
}
