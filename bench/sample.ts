/**
 * CPU time of `fsxbench estimate compression --sample` on a synthetic tree of sparse files, against reading the directory once with the size of each
 * file (`find -printf %s`), in the same rounds; and the result for 10 TB in 10 million files. A sample reads at most 5,120 stretches of any tree, so
 * its time is a constant and a time per file, which two trees separate. `--quick` takes smaller trees.
 */
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUICK } from './shared/quick';
import { median, printTimes, timeCommands } from './shared/rounds';
import { tell } from './shared/row';

const FILES = QUICK ? 40_000 : 200_000;
const TARGET_FILES = 10e6;
/** 10 TB ÷ 10 million. */
const MEAN_BYTES = 1e6;
const FILES_IN_FOLDER = 1000;
const ROUNDS = QUICK ? 3 : 5;
const PROGRAM = join(process.cwd(), 'dist', 'fsxbench.js');

/** A tree of files of 10 KB to twice the mean, each with one block of text; the rest are holes. */
function makeTree(path: string, files: number): void {
  const text = Buffer.alloc(4096, 'a line of text, and then another one\n');
  for (let file = 0; file < files; file += 1) {
    const inside = join(path, String(Math.floor(file / FILES_IN_FOLDER)));
    if (file % FILES_IN_FOLDER === 0) mkdirSync(inside, { recursive: true });
    const descriptor = openSync(join(inside, `${file}.${['dat', 'txt', 'h5'][file % 3]}`), 'w');
    ftruncateSync(descriptor, 10_000 + ((file * 7919) % (2 * MEAN_BYTES - 20_000)));
    writeSync(descriptor, text);
    closeSync(descriptor);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-sample-'));
try {
  const trees = { half: FILES / 2, whole: FILES };
  for (const [name, files] of Object.entries(trees)) makeTree(join(folder, name), files);
  const sample = (tree: string) => [
    process.execPath,
    PROGRAM,
    'estimate',
    'compression',
    '--sample',
    '--json',
    join(folder, tree),
  ];
  const read = (tree: string) => ['find', join(folder, tree), '-printf', '%s'];
  const names = {
    read: read('whole'),
    'read half': read('half'),
    sample: sample('whole'),
    'sample half': sample('half'),
  };
  const times = timeCommands(names, ROUNDS);
  printTimes(times);
  const of = (name: keyof typeof names): number => median(times[name] ?? []);
  const perFile = (whole: number, half: number): number => (whole - half) / (FILES / 2);
  const ratio = of('sample') / of('read');
  const rest = TARGET_FILES - FILES;
  const sampleAll = of('sample') + rest * perFile(of('sample'), of('sample half'));
  const readAll = of('read') + rest * perFile(of('read'), of('read half'));
  console.log(
    `10 million files: ${sampleAll.toFixed(0)} s of processor, reading the directory ${readAll.toFixed(0)} s`,
  );
  const [what, against] = ['`estimate --sample`', '`find -printf %s`'];
  tell({ what: `${what} of ${FILES} sparse files`, against, value: ratio, unit: '×' });
  const note = `from trees of ${FILES / 2} and ${FILES}, ${(FILES * MEAN_BYTES) / 1e9} GB`;
  tell({ what: `${what} of 10 TB in 10 M files`, against, value: sampleAll / readAll, unit: '×', most: 2, note });
} finally {
  rmSync(folder, { recursive: true });
}
