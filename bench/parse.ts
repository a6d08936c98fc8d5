/**
 * Speed of the parsers: MB/s over the fixtures of each tool, compared with splitting the same bytes into lines in the same run, so
 * that the ratio is meaningful even on a busy machine. Bundle it with esbuild and run it with node; `--json` for JSON.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseText } from '../lib/parse';

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
const ROUNDS = 5;

/** The best of several rounds, in seconds, since disturbances only make a round longer. */
function best(work: () => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = process.hrtime.bigint();
    work();
    shortest = Math.min(shortest, Number(process.hrtime.bigint() - started) / 1e9);
  }
  return shortest;
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

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ results, growth }));
} else {
  for (const { group, files, parseMBps, splitMBps, timesSplit } of results) {
    console.log(
      `${group.padEnd(12)} ${String(files).padStart(4)} files  ${parseMBps.toFixed(0).padStart(5)} MB/s` +
        `  split ${splitMBps.toFixed(0).padStart(5)} MB/s  ${timesSplit.toFixed(1).padStart(5)} times a split`,
    );
  }
  console.log(`ten times the rows take ${growth.toFixed(1)} times as long`);
}
