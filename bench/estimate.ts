/**
 * Speed of `fsxbench estimate compression`: a full scan of data in the page cache, compared with the `lz4` command on the same bytes and
 * number of cores in the same run, on one core and on all; peak memory and time to the first progress on a tree of 200,000 files. With
 * `--quick` a tree of 20,000 files and fewer rounds; `--json` for JSON.
 *
 * Two rates of `lz4`: `lz4 -1 FILE` to /dev/null, which reads the files as a scan does, and the rate that `lz4 -b1` reports on 128 KiB
 * blocks, which compresses only in memory. Three of the scan: the default, which compresses everything in 128 KiB records and a part
 * of it also in 1 MiB records; 128 KiB records alone; and `--exact`, which compresses everything at both sizes. The result is the median
 * of the ratios within a round, so that a busy machine slows both sides; the scan's time is the one it reports, with the command's
 * total time beside it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUICK } from './shared/quick';

const ROUNDS = QUICK ? 3 : 5;
const FILE_BYTES = 96 * 2 ** 20;
const CORES = availableParallelism();
const PROGRAM = join(process.cwd(), 'dist', 'fsxbench.js');
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-bench-'));

/** A file of each kind: text, machine code, both mixed with noise, numbers as text and as floats, noise, zeros. */
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

/** The data as files, one per core. */
function writeData(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(makeData()).map(([name, data]) => {
      const paths = Array.from({ length: CORES }, (_, copy) => join(folder, `${name} ${copy}.bin`));
      for (const path of paths) writeFileSync(path, data);
      return [name, paths];
    }),
  );
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

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.on('close', () => resolve()));

/** MB/s of `lz4 -1` over files, one process per core. */
async function lz4Files(paths: readonly string[], cores: number): Promise<number> {
  const waiting = [...paths];
  const started = process.hrtime.bigint();
  const work = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
      await ended(spawn('lz4', ['-1', '-c', path], { stdio: 'ignore' }));
  };
  await Promise.all(Array.from({ length: cores }, work));
  return rate(started, paths);
}

/** Total MB/s of `lz4 -b1` on all cores, each with its own file. */
async function lz4Memory(paths: readonly string[]): Promise<number> {
  const rates = await Promise.all(
    paths.map(async (path) => {
      const child = spawn('lz4', ['-b1', '-i1', '-B131072', path]);
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      await ended(child);
      return Math.max(...[...text.matchAll(/\),\s*([\d.]+) MB\/s/g)].map((match) => Number(match[1])));
    }),
  );
  return rates.reduce((sum, each) => sum + each, 0);
}

/** MB/s of a scan: as reported, and of the whole command. */
async function scan(
  paths: readonly string[],
  cores: number,
  flags: readonly string[],
): Promise<{ whole: number; scanned: number }> {
  const started = process.hrtime.bigint();
  const workers = ['--workers', String(cores)];
  const child = spawn(process.execPath, [PROGRAM, 'estimate', 'compression', ...paths, '--json', ...workers, ...flags]);
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  child.stderr.resume();
  await ended(child);
  const whole = rate(started, paths);
  const { bytesRead, seconds } = JSON.parse(text) as { bytesRead: number; seconds: number };
  return { whole, scanned: bytesRead / seconds / 1e6 };
}

function rate(started: bigint, paths: readonly string[]): number {
  return (paths.length * FILE_BYTES) / 1e6 / (Number(process.hrtime.bigint() - started) / 1e9);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

/** Medians of rates, and of ratios within a round. `lz4 -b1` does not apply to files of several kinds. */
async function speed(data: string, paths: readonly string[], cores: number) {
  type Round = Readonly<Record<'file' | 'block' | 'scanned' | 'whole' | 'small' | 'exact', number>>;
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = await lz4Files(paths, cores);
    const { scanned, whole } = await scan(paths, cores, []);
    const block = paths.length === cores ? await lz4Memory(paths) : Number.NaN;
    const small = (await scan(paths, cores, ['--record', '128K'])).scanned;
    const exact = (await scan(paths, cores, ['--exact'])).scanned;
    rounds.push({ file, block, scanned, whole, small, exact });
  }
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  return {
    data,
    cores,
    lz4FileMBps: of(({ file }) => file),
    lz4BlockMBps: of(({ block }) => block),
    scanMBps: of(({ scanned }) => scanned),
    byFile: of(({ scanned, file }) => scanned / file),
    withStartByFile: of(({ whole, file }) => whole / file),
    byBlock: of(({ scanned, block }) => scanned / block),
    record128KByFile: of(({ small, file }) => small / file),
    record128KByBlock: of(({ small, block }) => small / block),
    exactByFile: of(({ exact, file }) => exact / file),
  };
}

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
  if (!hasLz4) console.error('lz4 is not installed, so there is nothing to compare with: apt-get install lz4');
  try {
    const speeds: Awaited<ReturnType<typeof speed>>[] = [];
    if (hasLz4) {
      const data = writeData();
      for (const [name, paths] of Object.entries(data))
        for (const cores of new Set([1, CORES])) speeds.push(await speed(name, paths.slice(0, cores), cores));
      speeds.push(await speed('all of them', Object.values(data).flat(), CORES));
    }
    const many = await manyFiles(QUICK ? 20_000 : 200_000);
    if (process.argv.includes('--json')) {
      console.log(JSON.stringify({ cores: CORES, lz4: hasLz4, speeds, many }));
      return;
    }
    console.log('scan ÷ lz4, medians of the ratios within a round; MB/s beside them');
    const columns = ['MB/s', '÷ -1 FILE', 'with start', '÷ -b1', '128K ÷ -1 FILE', '128K ÷ -b1', 'exact ÷ -1 FILE'];
    console.log(['data'.padEnd(16), 'cores', ...columns].join('  '));
    for (const each of speeds) {
      const ratios = [each.byFile, each.withStartByFile, each.byBlock, each.record128KByFile];
      const figures = [...ratios, each.record128KByBlock, each.exactByFile].map((ratio) => ratio.toFixed(2));
      const cells = [each.scanMBps.toFixed(0), ...figures];
      console.log(
        [
          each.data.padEnd(16),
          String(each.cores).padStart(5),
          ...cells.map((cell, at) => cell.padStart((columns[at] as string).length)),
        ].join('  '),
      );
    }
    console.log(
      `${many.files} files: ${many.seconds.toFixed(1)} s, peak memory ${many.peakMemoryMB.toFixed(0)} MB,` +
        ` first progress after ${many.firstProgressSeconds.toFixed(2)} s`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
