/**
 * How fast `fsxbench estimate compression` is: a full scan of data in the page cache beside the `lz4` command on the same bytes and as many
 * cores in the same run, so that the ratio means something on a busy machine; the peak of memory and the first progress on a tree of
 * 200,000 files. Run `npm run build` first, then bundle this with esbuild and run it with node; `--json` for machines, `--quick` for a
 * tree of 20,000 files.
 *
 * Two rates of `lz4`: of `lz4 -1` compressing the files, which reads them as a scan does, and of its benchmark mode, which compresses in
 * memory and has nothing else to do.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 5;
const FILE_BYTES = 96 * 2 ** 20;
const CORES = availableParallelism();
const PROGRAM = join(process.cwd(), 'dist', 'fsxbench.js');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));

/** Text of the project's own packages, machine code of Node.js, data that do not compress, and all in turn. */
function makeData(): Record<string, Buffer> {
  const grow = (seed: Buffer): Buffer =>
    Buffer.concat(new Array<Buffer>(Math.ceil(FILE_BYTES / seed.length)).fill(seed)).subarray(0, FILE_BYTES);
  const text = readFileSync(require.resolve('typescript/lib/typescript.js'));
  const code = readFileSync(process.execPath).subarray(0, FILE_BYTES);
  const noise: Buffer[] = [];
  for (let block = 0; block < 2 ** 15; block += 1) noise.push(createHash('sha512').update(String(block)).digest());
  const random = Buffer.concat(noise);
  const mixed: Buffer[] = [];
  for (let at = 0; at + 2 ** 18 < text.length; at += 2 ** 18)
    mixed.push(text.subarray(at, at + 2 ** 18), code.subarray(at, at + 2 ** 18), random.subarray(0, 2 ** 17));
  return { text: grow(text), code: grow(code), mixed: grow(Buffer.concat(mixed)) };
}

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.on('close', () => resolve()));

/** MB/s of `lz4 -1` over the file, one process on each core. */
async function lz4Files(path: string): Promise<number> {
  const started = process.hrtime.bigint();
  await Promise.all(Array.from({ length: CORES }, () => ended(spawn('lz4', ['-1', '-c', path], { stdio: 'ignore' }))));
  return rate(started);
}

/** MB/s of `lz4 -b1` on each core together. */
async function lz4Memory(path: string): Promise<number> {
  const rates = await Promise.all(
    Array.from({ length: CORES }, async () => {
      const child = spawn('lz4', ['-b1', '-i1', path]);
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      await ended(child);
      return Math.max(...[...text.matchAll(/\),\s*([\d.]+) MB\/s/g)].map((match) => Number(match[1])));
    }),
  );
  return rates.reduce((sum, each) => sum + each, 0);
}

/** MB/s of the command, with its start, over as many copies as there are cores. */
async function scan(path: string, flags: readonly string[]): Promise<{ whole: number; scanned: number }> {
  const started = process.hrtime.bigint();
  const child = spawn(process.execPath, [PROGRAM, 'estimate', 'compression', path, '--json', ...flags]);
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.resume();
  await ended(child);
  const whole = rate(started);
  const { bytesRead, seconds } = JSON.parse(text) as { bytesRead: number; seconds: number };
  return { whole, scanned: bytesRead / seconds / 1e6 };
}

function rate(started: bigint): number {
  return (CORES * FILE_BYTES) / 1e6 / (Number(process.hrtime.bigint() - started) / 1e9);
}

async function speed(name: string, data: Buffer) {
  const tree = join(folder, name);
  mkdirSync(tree);
  for (let copy = 0; copy < CORES; copy += 1) writeFileSync(join(tree, `${copy}.bin`), data);
  const best = { lz4File: 0, lz4Memory: 0, scan128K: 0, scanBoth: 0, command128K: 0 };
  // In turn, and the best of each: what disturbs a round only makes it slower.
  for (let round = 0; round < ROUNDS; round += 1) {
    best.lz4File = Math.max(best.lz4File, await lz4Files(join(tree, '0.bin')));
    best.lz4Memory = Math.max(best.lz4Memory, await lz4Memory(join(tree, '0.bin')));
    const one = await scan(tree, ['--record', '128K']);
    best.scan128K = Math.max(best.scan128K, one.scanned);
    best.command128K = Math.max(best.command128K, one.whole);
    best.scanBoth = Math.max(best.scanBoth, (await scan(tree, [])).scanned);
  }
  rmSync(tree, { recursive: true });
  return { data: name, ...best };
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
    const speeds = [];
    if (hasLz4) for (const [name, data] of Object.entries(makeData())) speeds.push(await speed(name, data));
    const many = await manyFiles(process.argv.includes('--quick') ? 20_000 : 200_000);
    if (process.argv.includes('--json')) {
      console.log(JSON.stringify({ cores: CORES, lz4: hasLz4, speeds, many }));
      return;
    }
    console.log(`MB/s on ${CORES} cores; times = full scan with 128 KiB records ÷ lz4`);
    for (const { data, lz4File, lz4Memory, scan128K, scanBoth, command128K } of speeds)
      console.log(
        `${data.padEnd(6)}  lz4 -1 FILE ${lz4File.toFixed(0)}  lz4 -b1 ${lz4Memory.toFixed(0)}  scan ${scan128K.toFixed(0)}` +
          `  with start ${command128K.toFixed(0)}  both record sizes ${scanBoth.toFixed(0)}` +
          `  times ${(scan128K / lz4File).toFixed(2)} of the command, ${(scan128K / lz4Memory).toFixed(2)} of its benchmark mode`,
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
