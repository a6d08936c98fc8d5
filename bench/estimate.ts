/**
 * Processor time of `fsxbench estimate compression`, a full scan of data in the page cache, against `lz4 -1 FILE` (from FILE, to /dev/null) on the
 * same bytes in the same rounds: by kind of data on one core, and on all cores against one. Peak memory and time to the first progress on a
 * tree of many files. `--quick` takes smaller data and fewer rounds.
 *
 * The scan's time is that of the command less that of one on a single record in the same round, on all cores on files of zeros, two for each thread,
 * which start when there is enough to do: what starts Node.js is in `npm run bench start`, and a thread takes some 50 ms, however much is scanned. Three scans: the default, which compresses everything in 128 KiB records and a part of it also in 1 MiB records;
 * 128 KiB records alone; and `--exact`, which compresses everything at both sizes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUICK } from './shared/quick';
import { type Command, median, type Times, timeCommands } from './shared/rounds';
import { tell } from './shared/row';

const ROUNDS = QUICK ? 3 : 5;
const FILE_BYTES = (QUICK ? 96 : 256) * 2 ** 20;
/** Every so many bytes of the sparse file, one of 128 KiB has content. */
const SPARSE_EVERY = 4 * 2 ** 20;
const CORES = availableParallelism();
const PROGRAM = join(process.cwd(), 'dist', 'fsxbench.js');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));

/** A file of each kind: text, machine code, both mixed with noise, numbers as text and as floats, noise, zeros; `sparse` is holes, with some text. */
function makeData(): Record<string, Buffer> {
  const grow = (seed: Buffer): Buffer =>
    Buffer.concat(new Array<Buffer>(Math.ceil(FILE_BYTES / seed.length)).fill(seed)).subarray(0, FILE_BYTES);
  const text = readFileSync(require.resolve('typescript/lib/typescript.js'));
  const code = readFileSync(process.execPath).subarray(0, FILE_BYTES);
  const noise: Buffer[] = [];
  for (let block = 0; block < 2 ** 17; block += 1) noise.push(createHash('sha512').update(String(block)).digest());
  const random = Buffer.concat(noise);
  const mixed: Buffer[] = [];
  for (let at = 0; at + 2 ** 18 < text.length; at += 2 ** 18)
    mixed.push(text.subarray(at, at + 2 ** 18), code.subarray(at, at + 2 ** 18), random.subarray(0, 2 ** 17));
  const rows: string[] = [];
  const floats = new Float32Array(2 ** 20);
  for (let row = 0; row < 2 ** 18; row += 1)
    rows.push(`${row},${(random.readUInt32LE(4 * row) / 2 ** 32).toFixed(6)},${random.readUInt16LE(4 * row) / 1000}\n`);
  for (let at = 0; at < floats.length; at += 1) floats[at] = Math.fround(Math.round(1e4 * Math.sin(at / 999)) / 16);
  return {
    prose: grow(Buffer.concat(prose(join(process.cwd(), 'node_modules'), 12 * 2 ** 20))),
    program: grow(text),
    'machine code': grow(code),
    'mixed with noise': grow(Buffer.concat(mixed)),
    'csv of numbers': grow(Buffer.from(rows.join(''))),
    float32: grow(Buffer.from(floats.buffer)),
    noise: grow(random),
    zeros: Buffer.alloc(FILE_BYTES),
    sparse: Buffer.alloc(FILE_BYTES),
  };
}

/** The data as files, one per core. */
function writeData(name: string, data: Buffer): string[] {
  return Array.from({ length: CORES }, (_, copy) => {
    const path = join(folder, `${name} ${copy}.bin`);
    if (name === 'sparse') writeSparse(path);
    else writeFileSync(path, data);
    return path;
  });
}

function writeSparse(path: string): void {
  const text = readFileSync(require.resolve('typescript/lib/typescript.js')).subarray(0, 2 ** 17);
  const file = openSync(path, 'w');
  ftruncateSync(file, FILE_BYTES);
  for (let at = 0; at < FILE_BYTES; at += SPARSE_EVERY) writeSync(file, text, 0, text.length, at);
  closeSync(file);
}

/** The packages' own documentation, up to a number of bytes. */
function prose(folder: string, most: number): Buffer[] {
  const texts: Buffer[] = [];
  let bytes = 0;
  for (const name of readdirSync(folder).sort()) {
    for (const file of ['README.md', 'CHANGELOG.md']) {
      try {
        const text = readFileSync(join(folder, name, file));
        texts.push(text);
        bytes += text.length;
      } catch {} // Not every package has a README.
    }
    if (bytes > most) break;
  }
  return texts;
}

const scan = (paths: readonly string[], workers: number, ...flags: readonly string[]): Command => [
  ...[process.execPath, PROGRAM, 'estimate', 'compression', ...paths, '--json', '--workers', String(workers)],
  ...flags,
];

const START = 'start';
const LZ4 = 'lz4 -1';
const ALL = 'on all cores';
const ONE = 'all files on one core';
/** The start of as many threads as there are cores. */
const START_ALL = 'start of all threads';

/** Median of the ratios within a round: a scan's own time against another command's; above 1 it is faster. */
function speedOf(times: Times, name: string, reference: string): number {
  const own = (command: string, round: number): number => {
    const start = command === ALL ? START_ALL : START;
    return (times[command]?.[round] ?? Number.NaN) - (command === LZ4 ? 0 : (times[start]?.[round] ?? Number.NaN));
  };
  return median((times[name] ?? []).map((_, round) => own(reference, round) / own(name, round)));
}

const SMALL = '128 KiB records';
const EXACT = '--exact';

/** Speeds of the scans of one kind of data. */
function measureKind(name: string, paths: readonly string[], small: string, busy: readonly string[]): void {
  const own = paths.slice(0, 1);
  const times = timeCommands(
    {
      [LZ4]: ['lz4', '-1', '-c', ...own],
      [START]: scan([small], 1),
      scan: scan(own, 1),
      [SMALL]: scan(own, 1, '--record', '128K'),
      [EXACT]: scan(own, 1, '--exact'),
      ...(QUICK ? {} : { [ALL]: scan(paths, CORES), [ONE]: scan(paths, 1), [START_ALL]: scan(busy, CORES) }),
    },
    ROUNDS,
  );
  const speeds = Object.fromEntries(['scan', SMALL, EXACT].map((each) => [each, speedOf(times, each, LZ4)]));
  const rate = FILE_BYTES / 1e6 / median(times[LZ4] ?? []);
  const cells = Object.entries(speeds).map(([each, speed]) => `${each} ${speed.toFixed(2)}`);
  console.log(`${name.padEnd(16)} lz4 ${rate.toFixed(0).padStart(5)} MB/s; of its speed: ${cells.join(', ')}`);
  const what = `\`estimate\`, full scan, ${name}`;
  tell({ what, against: 'speed of `lz4 -1 FILE`', value: speeds.scan ?? null, unit: '×', least: 1 });
  if (QUICK) return;
  const value = 1 / speedOf(times, ALL, ONE);
  tell({ what: `${what}, ${CORES} cores`, against: 'processor time of one core', value, unit: '×', most: 1.1 });
}

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.on('close', () => resolve()));

/** Peak resident memory in MB and time to the first line of progress, on many small files. */
async function manyFiles(files: number) {
  const tree = join(folder, 'many');
  const content = Buffer.alloc(3000, 'many small files ');
  for (let file = 0; file < files; file += 1) {
    if (file % 1000 === 0) mkdirSync(join(tree, String(file / 1000)), { recursive: true });
    writeFileSync(join(tree, String(Math.floor(file / 1000)), `${file}.txt`), content);
  }
  const started = process.hrtime.bigint();
  let firstProgress = Number.NaN;
  let peak = 0;
  const child = spawn(process.execPath, [PROGRAM, 'estimate', 'compression', tree, '--json']);
  child.stdout.resume();
  child.stderr.once('data', () => {
    firstProgress = Number(process.hrtime.bigint() - started) / 1e9;
  });
  const watch = setInterval(() => {
    try {
      const peakKib = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      peak = Math.max(peak, Number(peakKib ?? 0) * 1024);
    } catch {} // It has exited, or this is not Linux.
  }, 20);
  await ended(child);
  clearInterval(watch);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { files, seconds, peakMemoryMB: peak / 1e6, firstProgressSeconds: firstProgress };
}

async function main(): Promise<void> {
  const hasLz4 = spawnSync('lz4', ['--version']).status === 0;
  try {
    const small = join(folder, 'small');
    writeFileSync(small, Buffer.alloc(2 ** 17, 'some text of one record'));
    const busy = Array.from({ length: 2 * CORES }, (_, copy) => join(folder, `zeros ${copy}`));
    for (const path of busy) writeFileSync(path, Buffer.alloc(4 * 2 ** 20));
    if (hasLz4) {
      for (const [name, data] of Object.entries(makeData())) {
        const paths = writeData(name, data);
        measureKind(name, paths, small, busy);
        for (const path of paths) rmSync(path);
      }
    } else {
      const note = 'lz4 is not installed: apt-get install lz4';
      tell({
        what: '`estimate`, full scan',
        against: 'speed of `lz4 -1 FILE`',
        value: null,
        unit: '×',
        least: 1,
        note,
      });
    }
    const many = await manyFiles(QUICK ? 20_000 : 200_000);
    console.log(
      `${many.files} files: ${many.seconds.toFixed(1)} s, peak memory ${many.peakMemoryMB.toFixed(0)} MB,` +
        ` first progress after ${many.firstProgressSeconds.toFixed(2)} s`,
    );
    tell({ what: `\`estimate\` of ${many.files} files: memory`, value: many.peakMemoryMB, unit: 'MB', most: 300 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
