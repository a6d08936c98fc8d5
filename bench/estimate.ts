/**
 * How fast `fsxbench estimate compression` is: a full scan of data in the page cache beside the `lz4` command on the same bytes and as many
 * cores in the same run, on one core and on all; the peak of memory and the first progress on a tree of 200,000 files. Run
 * `npm run build` first, then bundle this with esbuild and run it with node; `--json` for machines, `--quick` for a tree of 20,000 files
 * and fewer rounds.
 *
 * Two rates of `lz4`: of `lz4 -1 FILE` to nowhere, which reads the files as a scan does, and what `lz4 -b1` says of itself on blocks of
 * 128 KiB, which only compresses in memory. Two of the scan: of 128 KiB records, and of the default, which gives 128 KiB and 1 MiB
 * records exactly and so does the work twice where the two differ. What is told is the median of the ratios within a round, so that
 * a busy machine slows both sides; the scan's time is the one it reports, the command's with its start is beside it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const QUICK = process.argv.includes('--quick');
const ROUNDS = QUICK ? 3 : 5;
const FILE_BYTES = 96 * 2 ** 20;
const CORES = availableParallelism();
const PROGRAM = join(process.cwd(), 'dist', 'fsxbench.js');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));

/** A file of each kind: texts, machine code and noise in turn with them, numbers as text and as floats, noise, zeros. */
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
  };
}

/** The packages' own documentation, up to some bytes. */
function prose(folder: string, most: number): Buffer[] {
  const texts: Buffer[] = [];
  let bytes = 0;
  for (const name of readdirSync(folder).sort()) {
    for (const file of ['README.md', 'CHANGELOG.md']) {
      try {
        const text = readFileSync(join(folder, name, file));
        texts.push(text);
        bytes += text.length;
      } catch {} // Not every package has one.
    }
    if (bytes > most) break;
  }
  return texts;
}

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.on('close', () => resolve()));

/** MB/s of `lz4 -1` over the file, one process on each core. */
async function lz4Files(path: string, cores: number): Promise<number> {
  const started = process.hrtime.bigint();
  await Promise.all(Array.from({ length: cores }, () => ended(spawn('lz4', ['-1', '-c', path], { stdio: 'ignore' }))));
  return rate(started, cores);
}

/** MB/s of `lz4 -b1` on each core together. */
async function lz4Memory(path: string, cores: number): Promise<number> {
  const rates = await Promise.all(
    Array.from({ length: cores }, async () => {
      const child = spawn('lz4', ['-b1', '-i1', '-B131072', path]);
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      await ended(child);
      return Math.max(...[...text.matchAll(/\),\s*([\d.]+) MB\/s/g)].map((match) => Number(match[1])));
    }),
  );
  return rates.reduce((sum, each) => sum + each, 0);
}

/** MB/s of a scan of as many copies as there are cores: as it reports, and of the command with its start. */
async function scan(
  tree: string,
  cores: number,
  flags: readonly string[],
): Promise<{ whole: number; scanned: number }> {
  const paths = Array.from({ length: cores }, (_, copy) => join(tree, `${copy}.bin`));
  const started = process.hrtime.bigint();
  const workers = ['--workers', String(cores)];
  const child = spawn(process.execPath, [PROGRAM, 'estimate', 'compression', ...paths, '--json', ...workers, ...flags]);
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.resume();
  await ended(child);
  const whole = rate(started, cores);
  const { bytesRead, seconds } = JSON.parse(text) as { bytesRead: number; seconds: number };
  return { whole, scanned: bytesRead / seconds / 1e6 };
}

function rate(started: bigint, cores: number): number {
  return (cores * FILE_BYTES) / 1e6 / (Number(process.hrtime.bigint() - started) / 1e9);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

/** Medians of rates, and of ratios within a round. */
async function speed(name: string, tree: string, cores: number) {
  const rounds: { lz4File: number; lz4Block: number; scan128K: number; scanBoth: number; commandBoth: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const lz4File = await lz4Files(join(tree, '0.bin'), cores);
    const both = await scan(tree, cores, []);
    const lz4Block = await lz4Memory(join(tree, '0.bin'), cores);
    const one = await scan(tree, cores, ['--record', '128K']);
    rounds.push({ lz4File, lz4Block, scan128K: one.scanned, scanBoth: both.scanned, commandBoth: both.whole });
  }
  const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
  return {
    data: name,
    cores,
    lz4FileMBps: of((round) => round.lz4File),
    lz4BlockMBps: of((round) => round.lz4Block),
    scan128KMBps: of((round) => round.scan128K),
    scanBothMBps: of((round) => round.scanBoth),
    scan128KByFile: of((round) => round.scan128K / round.lz4File),
    scan128KByBlock: of((round) => round.scan128K / round.lz4Block),
    scanBothByFile: of((round) => round.scanBoth / round.lz4File),
    scanBothByBlock: of((round) => round.scanBoth / round.lz4Block),
    commandBothByFile: of((round) => round.commandBoth / round.lz4File),
  };
}

/** Peak resident memory in MB and the time to the first line of progress, on many small files. */
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
    } catch {} // It has ended, or this is no Linux.
  }, 20);
  await ended(child);
  clearInterval(watch);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { files, seconds, peakMemoryMB: peak / 1e6, firstProgressSeconds: firstProgress };
}

async function main(): Promise<void> {
  const hasLz4 = spawnSync('lz4', ['--version']).status === 0;
  if (!hasLz4) console.error('lz4 is not here, so there is nothing to compare with: apt-get install lz4');
  try {
    const speeds: Awaited<ReturnType<typeof speed>>[] = [];
    if (hasLz4)
      for (const [name, data] of Object.entries(makeData())) {
        const tree = join(folder, 'speed');
        mkdirSync(tree);
        for (let copy = 0; copy < CORES; copy += 1) writeFileSync(join(tree, `${copy}.bin`), data);
        for (const cores of new Set([1, CORES])) speeds.push(await speed(name, tree, cores));
        rmSync(tree, { recursive: true });
      }
    const many = await manyFiles(QUICK ? 20_000 : 200_000);
    if (process.argv.includes('--json')) {
      console.log(JSON.stringify({ cores: CORES, lz4: hasLz4, speeds, many }));
      return;
    }
    console.log('scan ÷ lz4, medians of the ratios within a round; MB/s beside them');
    console.log(
      'data              cores   both records: ÷ -1 FILE  with start  ÷ -b1   128K records: ÷ -1 FILE  ÷ -b1',
    );
    for (const each of speeds)
      console.log(
        `${each.data.padEnd(16)}  ${String(each.cores).padStart(5)}   ` +
          `${each.scanBothMBps.toFixed(0).padStart(12)}${each.scanBothByFile.toFixed(2).padStart(12)}` +
          `${each.commandBothByFile.toFixed(2).padStart(12)}${each.scanBothByBlock.toFixed(2).padStart(7)}` +
          `${each.scan128KMBps.toFixed(0).padStart(16)}${each.scan128KByFile.toFixed(2).padStart(12)}` +
          `${each.scan128KByBlock.toFixed(2).padStart(7)}`,
      );
    console.log(
      `${many.files} files: ${many.seconds.toFixed(1)} s, peak memory ${many.peakMemoryMB.toFixed(0)} MB,` +
        ` first progress after ${many.firstProgressSeconds.toFixed(2)} s`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
