import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sayRewritten, whatIsLeft } from '../../lib/cli/scale/scaleRecompress';
import { parseMounts } from '../../lib/common/mounts';
import { checkMounted } from '../../lib/scale/mounted';
import {
  directoryToRecompress,
  type RecompressProgress,
  type RecompressResult,
  recompress,
} from '../../lib/scale/recompress';
import { Refusal } from '../../lib/storage/lustre/state';

const SCRIPT = resolve(__dirname, '../../assets/storage/lustre/recompress');
const MIB = 2 ** 20;
const FS = { fileSystemId: 'fs-0a1b2c3d4e5f60718', mountName: 'abcdefgh' };
const MOUNTS = parseMounts(
  [
    '/dev/root / ext4 rw 0 0',
    '10.0.0.15@tcp:/abcdefgh /fsx lustre rw,flock 0 0',
    '10.0.0.16@tcp:/otheroth /fsx/inner lustre rw,flock 0 0',
    'tmpfs /fsx/scratch tmpfs rw 0 0',
  ].join('\n'),
);

const ON_CLIENT = (directory: string) =>
  `switch without --recompress, and on a client of it run: sudo /opt/fsxbench/storage/lustre/recompress ${directory} LZ4`;

test.each(['/fsx', '/fsx/data', '/fsx/inner2'])('takes %s, which is on the file system', (directory) => {
  expect(() => checkMounted(directoryToRecompress(directory, 'LZ4'), FS, MOUNTS)).not.toThrow();
});

test.each([
  ['data', "'--recompress' must begin with /, got data"],
  [
    '/home',
    `'--recompress' must be on a mount of ${FS.fileSystemId} on this machine, got /home: ${ON_CLIENT('/home')}`,
  ],
  [
    '/fsx2',
    `'--recompress' must be on a mount of ${FS.fileSystemId} on this machine, got /fsx2: ${ON_CLIENT('/fsx2')}`,
  ],
  ...['/fsx/scratch/a', '/fsx/../home'].map((directory) => [
    directory,
    `'--recompress' must be on a mount of ${FS.fileSystemId} on this machine, got ${directory}: ${ON_CLIENT(directory)}`,
  ]),
  [
    '/fsx/inner/a',
    `'--recompress' must be on ${FS.fileSystemId}, whose mount name is abcdefgh, got /fsx/inner/a on 10.0.0.16@tcp:/otheroth: ${ON_CLIENT('/fsx/inner/a')}`,
  ],
])('refuses %s before compression is switched', (directory, message) => {
  expect(() => checkMounted(directoryToRecompress(directory, 'LZ4'), FS, MOUNTS)).toThrow(new Refusal(message));
});

describe('with the script and a made-up lfs', () => {
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let data: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fsxbench-recompress-'));
    data = join(folder, 'fsx');
    for (const path of ['root/proc', 'bin', 'fsx']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'root/proc/mounts'), `10.0.0.15@tcp:/abcdefgh ${data} lustre rw,flock 0 0\n`);
    for (let file = 0; file < 5; file += 1) writeFileSync(join(data, `f${file}`), Buffer.alloc(65_536));
    const lfs = join(folder, 'bin/lfs');
    copyFileSync(join(__dirname, 'lfs.bash'), lfs);
    chmodSync(lfs, 0o755);
    environment = {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      FSXBENCH_ROOT: join(folder, 'root'),
      FSXBENCH_STATE: join(folder, 'state'),
      MIGRATED: join(folder, 'migrated'),
    };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (more: Partial<Parameters<typeof recompress>[0]> = {}) =>
    recompress({ script: SCRIPT, directory: data, type: 'LZ4', switched: false, environment, ...more });

  test('tells ratio, bytes saved and time', async () => {
    const result = await run();
    expect(result).toMatchObject({ state: 'done', done: 5, failed: 0, logicalBytes: 5 * 65_536, failures: [] });
    expect(result.bytesSaved).toBe(result.bytesBefore - result.bytesAfter);
    expect(result.bytesAfter).toBeGreaterThanOrEqual(5 * 8192);
    expect(result.ratio).toBeCloseTo((5 * 65_536) / result.bytesAfter, 9);
    expect(readFileSync(result.journal, 'utf8').trim().split('\n')).toHaveLength(5);
  });

  test('tells which files failed, and why', async () => {
    environment.REFUSED = 'f3';
    const next = 'it is open for writing: close it, then run the same command again, it does the rest';
    const result = await run();
    expect(result).toMatchObject({
      done: 4,
      failed: 1,
      failures: [{ path: join(data, 'f3'), reason: `error: lfs migrate: ${join(data, 'f3')}: busy`, next }],
      nextSteps: [{ files: 1, next }],
    });
    expect(whatIsLeft(result)).toBe(`not everything was rewritten: 1 file failed\n- 1 file: ${next}`);
    expect(whatIsLeft({ ...result, failed: 0, nextSteps: [] })).toBeNull();
    expect(whatIsLeft({ ...result, state: 'interrupted', failed: 0, nextSteps: [] })).toBe(
      'not everything was rewritten\n- interrupted: run the same command again to finish',
    );
  });

  test('a switch that was made just now leaves nothing done, whatever an earlier one to this type did', async () => {
    await run();
    expect(await run()).toMatchObject({ state: 'done', done: 5 });
    const journals = new Set([(await run()).journal, (await run({ switched: true })).journal, (await run()).journal]);
    expect(journals.size).toBe(2);
    const times = readFileSync(join(folder, 'migrated'), 'utf8').trim().split('\n').length;
    expect(times).toBe(10);
  });

  test('says what was saved in its own unit, and a loss as a loss', () => {
    const said: string[] = [];
    const say = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    const result: RecompressResult = {
      state: 'done' as const,
      found: 1,
      complete: true,
      done: 1,
      failed: 0,
      leftAlone: 0,
      skipped: 0,
      seconds: 2,
      logicalBytes: 200 * MIB,
      dataBytes: 100 * MIB,
      bytesBefore: 100 * MIB,
      bytesAfter: 44 * MIB,
      bytesSaved: 56 * MIB,
      ratio: 100 / 44,
      journal: '/j',
      failures: [],
      nextSteps: [],
    };
    sayRewritten(say, result);
    expect(said.join('')).toBe(
      '1 file with 100 MiB of data (200 MiB by their sizes) take 44 MiB on disk, ratio 2.27:1\nsaved 56 MiB, in 2 s; 0 empty or gone; journal: /j\n',
    );
    sayRewritten(say, { ...result, bytesSaved: -3 * MIB });
    expect(said.join('')).toContain('\ntakes 3 MiB more, in');
  });

  test('tells how far it is, and stops between two files when asked to', async () => {
    const gate = join(folder, 'gate');
    environment.GATE = gate;
    const abort = new AbortController();
    const seen: RecompressProgress[] = [];
    const result = await run({
      concurrency: 1,
      signal: abort.signal,
      onProgress: (progress) => {
        seen.push(progress);
        abort.abort();
        writeFileSync(gate, '');
      },
    });
    expect(seen[0]).toMatchObject({ found: 5, complete: true });
    expect(result.state).toBe('interrupted');
    expect(result.done).toBeLessThan(5);
    expect(await run()).toMatchObject({ state: 'done', done: 5 });
  });

  test("fails in the script's words when it cannot begin", async () => {
    await expect(run({ directory: tmpdir() })).rejects.toThrow(
      /recompress ended with status 2: .*DIR must be on a mounted Lustre file system/,
    );
    await expect(run({ script: '/nonexistent/recompress' })).rejects.toThrow(/ENOENT/);
  });
});
