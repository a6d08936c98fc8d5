import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { remainingSummary, sayRewritten } from '../../lib/cli/scale/scaleCommands';
import { parseMounts } from '../../lib/common/mounts';
import { checkMounted, type RecompressProgress, type RecompressResult, recompress } from '../../lib/scale/recompress';
import { parseLustreSource } from '../../lib/storage/common/lustre';
import { Refusal } from '../../lib/storage/lustre/state';
import { type Component, LustreSubstitute } from '../support/lustre/substitute';

const SCRIPT = resolve(__dirname, '../../assets/storage/lustre/recompress');
const MIB = 2 ** 20;
const FS = { fileSystemId: 'fs-0a1b2c3d4e5f60718', mountName: 'abcdefgh' };
const { sources, refused } = JSON.parse(readFileSync(join(__dirname, '../fixtures/lustre/sources.json'), 'utf8')) as {
  sources: { source: string; fileSystem: string; folder: string; nids: string[] }[];
  refused: string[];
};

test.each(sources)('$source is folder "$folder" of $fileSystem', ({ source, ...parts }) => {
  expect(parseLustreSource(source)).toMatchObject({
    fileSystem: parts.fileSystem,
    folder: parts.folder,
    nids: parts.nids,
  });
});

test.each(refused)('%j is not a source of Lustre', (source) => {
  expect(parseLustreSource(source)).toBeNull();
});

const MOUNTS = parseMounts(
  [
    '/dev/root / ext4 rw 0 0',
    '10.0.0.15@tcp:/abcdefgh /fsx lustre rw,flock 0 0',
    '10.0.0.16@tcp:/otheroth /fsx/inner lustre rw,flock 0 0',
    '10.0.0.15@tcp:/abcdefgh/projects/a /projects lustre rw,flock 0 0',
    // Folders of another file system that are called as this one.
    '10.0.0.16@tcp:/otheroth/abcdefgh /looks lustre rw,flock 0 0',
    'tmpfs /fsx/scratch tmpfs rw 0 0',
  ].join('\n'),
);

const ON_CLIENT = (directory: string) =>
  `switch without --recompress, and on a client of it run: sudo /opt/fsxbench/storage/lustre/recompress ${directory} LZ4`;

test.each(['/fsx', '/fsx/data', '/fsx/inner2', '/projects', '/projects/b'])(
  'takes %s, which is on the file system',
  (directory) => {
    expect(() => checkMounted(directory, 'LZ4', FS, MOUNTS)).not.toThrow();
  },
);

test.each([
  [
    '/home',
    `'--recompress' must be on a mount of ${FS.fileSystemId} on this computer, got /home: ${ON_CLIENT('/home')}`,
  ],
  [
    '/fsx2',
    `'--recompress' must be on a mount of ${FS.fileSystemId} on this computer, got /fsx2: ${ON_CLIENT('/fsx2')}`,
  ],
  ...['/fsx/scratch/a', '/fsx/../home'].map((directory) => [
    directory,
    `'--recompress' must be on a mount of ${FS.fileSystemId} on this computer, got ${directory}: ${ON_CLIENT(directory)}`,
  ]),
  [
    '/looks/b',
    `'--recompress' must be on ${FS.fileSystemId}, whose mount name is abcdefgh, got /looks/b on 10.0.0.16@tcp:/otheroth/abcdefgh: ${ON_CLIENT('/looks/b')}`,
  ],
  [
    '/fsx/inner/a',
    `'--recompress' must be on ${FS.fileSystemId}, whose mount name is abcdefgh, got /fsx/inner/a on 10.0.0.16@tcp:/otheroth: ${ON_CLIENT('/fsx/inner/a')}`,
  ],
])('refuses %s before compression is switched', (directory, message) => {
  expect(() => checkMounted(directory, 'LZ4', FS, MOUNTS)).toThrow(new Refusal(message));
});

interface DrawnFile {
  readonly empty: boolean;
  readonly components: readonly Component[];
  readonly mirrors: number;
  readonly fate: 'fine' | 'released' | 'unknown' | 'immutable' | 'append-only' | 'running' | 'open';
}

const stripes = fc
  .constantFrom<readonly [number, string, string]>(
    [1, 'raid0', '0'],
    [1, 'raid0', '1'],
    [2, 'raid0', '0,1'],
    [4, 'raid0,overstriped', '0,1,0,1'],
  )
  .chain(([count, pattern, targets]) =>
    fc.constantFrom(65_536, 262_144, 4_194_304).map((size) => ({ count, pattern, targets, size })),
  );

/** Plain, of two components, with data on the metadata target, or mirrored. */
const drawnFile = fc
  .record({
    below: fc.constantFrom('.', 'a', 'a/b'),
    empty: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
    form: fc.constantFrom('plain', 'plain', 'plain', 'composite', 'mdt', 'mirrored'),
    fate: fc.constantFrom<DrawnFile['fate']>(
      ...(['fine', 'fine', 'fine', 'fine', 'released', 'unknown'] as const),
      ...(['immutable', 'append-only', 'running', 'open'] as const),
    ),
    stripes,
    later: stripes,
  })
  .map(({ form, stripes, later, ...rest }): DrawnFile & { readonly below: string } => {
    const last: Component = ['EOF', stripes.count, stripes.size, stripes.pattern, stripes.targets];
    const first: Component = [1_048_576, later.count, later.size, later.pattern, later.targets];
    const components: Component[] =
      form === 'composite' ? [first, last] : form === 'mdt' ? [[65_536, 0, 65_536, 'mdt', '0'], last] : [last];
    return {
      ...rest,
      components: form === 'mirrored' ? [last, last] : components,
      mirrors: form === 'mirrored' ? 2 : 1,
    };
  });

/** The outcome of a file, from its random properties. */
function outcome({ empty, components, mirrors, fate }: DrawnFile) {
  if (empty) return 'skipped';
  if (fate === 'released' || fate === 'unknown') return fate;
  if (mirrors > 1 || components.some(([, , , pattern]) => pattern === 'mdt')) return 'leftAlone';
  return fate === 'fine' ? 'done' : 'failed';
}

describe('with the script and a substitute for lfs', () => {
  let folder: string;
  let lustre: LustreSubstitute;
  let environment: NodeJS.ProcessEnv;
  let data: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fsxbench-recompress-'));
    data = join(folder, 'fsx');
    for (const path of ['root/proc', 'fsx']) mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'root/proc/mounts'), `10.0.0.15@tcp:/abcdefgh ${data} lustre rw,flock 0 0\n`);
    for (let file = 0; file < 5; file += 1) writeFileSync(join(data, `f${file}`), Buffer.alloc(65_536));
    lustre = new LustreSubstitute(join(folder, 'lustre'), data, 'abcdefgh');
    environment = {
      ...process.env,
      ...lustre.environment,
      FSXBENCH_ROOT: join(folder, 'root'),
      FSXBENCH_STATE: join(folder, 'state'),
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
    const file = join(data, 'f3');
    lustre.refuse(file, 'open');
    const next = 'it is open for writing: close it, then run the same command again, it does the rest';
    const reason = `error: lfs migrate: ${file}: cannot get lease: Device or resource busy`;
    const result = await run();
    expect(result).toMatchObject({
      done: 4,
      failed: 1,
      failures: [{ path: file, reason, next }],
      nextSteps: [{ files: 1, next }],
    });
    expect(remainingSummary(result)).toBe(`not everything was rewritten: 1 file failed\n- 1 file: ${next}`);
    expect(remainingSummary({ ...result, failed: 0, nextSteps: [] })).toBeNull();
    expect(remainingSummary({ ...result, state: 'interrupted', failed: 0, nextSteps: [] })).toBe(
      'not everything was rewritten\n- interrupted: run the same command again to finish',
    );
  });

  test('says what was saved in its own unit, and a loss as a loss', () => {
    const said: string[] = [];
    const say = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    const none = { failed: 0, leftAlone: 0, released: 0, unknown: 0, skipped: 0, remaining: 0, ownLayout: 0 };
    const bytes = { logicalBytes: 200 * MIB, dataBytes: 100 * MIB, bytesBefore: 100 * MIB, bytesAfter: 44 * MIB };
    const result: RecompressResult = {
      ...{ state: 'done', found: 1, complete: true, done: 1, ...none, seconds: 2, ...bytes },
      ...{ bytesSaved: 56 * MIB, ratio: 100 / 44, journal: '/j', failures: [], nextSteps: [] },
    };
    sayRewritten(say, result);
    expect(said.join('')).toBe(
      '1 file with 100 MiB of data (200 MiB by their sizes) take 44 MiB on disk, ratio 2.27:1\nsaved 56 MiB, in 2 s; of 1 file 0 empty or gone; journal: /j\n',
    );
    const counts = { found: 9, released: 2, remaining: 5, skipped: 1, ownLayout: 1 };
    sayRewritten(say, { ...result, bytesSaved: -3 * MIB, ...counts });
    expect(said.join('')).toContain('\ntakes 3 MiB more, in');
    expect(said.join('')).toContain(
      'of 9 files 1 had another layout than the default, 1 empty or gone, 2 released to S3, 5 not reached;',
    );
  });

  test('in any tree counts add up to all files, and no layout changes unless that is asked for', async () => {
    const run = (layout: 'keep' | 'default') =>
      recompress({ script: SCRIPT, directory: data, type: 'LZ4', switched: true, layout, environment });
    await fc.assert(
      fc.asyncProperty(
        fc.array(drawnFile, { maxLength: 12 }),
        fc.constantFrom('keep', 'default'),
        async (files, layout) => {
          for (const old of [data, join(folder, 'lustre')]) rmSync(old, { recursive: true });
          mkdirSync(join(data, 'a/b'), { recursive: true });
          lustre = new LustreSubstitute(join(folder, 'lustre'), data, 'abcdefgh');
          const paths = files.map(({ below }, index) => join(data, below, `f ${index}`));
          const zero = { found: 0, done: 0, failed: 0, leftAlone: 0 };
          const wanted = { ...zero, released: 0, unknown: 0, skipped: 0, ownLayout: 0 };
          for (const [index, { empty, components, mirrors, fate }] of files.entries()) {
            const path = paths[index] as string;
            writeFileSync(path, Buffer.alloc(empty ? 0 : 20_000));
            lustre.layout(path, components, mirrors);
            if (fate === 'released' || fate === 'unknown') lustre.mark(path, fate);
            else if (fate !== 'fine') lustre.refuse(path, fate);
            const end = outcome({ empty, components, mirrors, fate });
            wanted.found += 1;
            wanted[end] += 1;
            if (layout === 'default' && (end === 'done' || end === 'failed')) wanted.ownLayout += 1;
          }
          const before = layoutsOf(paths);
          const { found, done, failed, leftAlone, released, unknown, skipped, ownLayout, ...rest } = await run(layout);
          expect({ found, done, failed, leftAlone, released, unknown, skipped, ownLayout }).toEqual(wanted);
          expect(rest).toMatchObject({ state: 'done', complete: true, remaining: 0 });
          const after = layoutsOf(paths);
          for (const [index, file] of files.entries())
            if (layout === 'keep' || outcome(file) !== 'done') expect(after[index]).toEqual(before[index]);
            else expect(after[index]).toContain('107374182400 16 1048576 raid0');
        },
      ),
      { numRuns: process.env.FSXBENCH_ALL === undefined ? 4 : 10 },
    );
  });

  const oneAtATime = () => ({ ...environment, FSXBENCH_RECOMPRESS_FILES: '1' });
  const layoutsOf = (paths: readonly string[]) => paths.map((path) => lustre.layoutOf(path));

  test('tells how far it is, and stops between two files when asked to', async () => {
    lustre.close('gate');
    const abort = new AbortController();
    const seen: RecompressProgress[] = [];
    const result = await run({
      environment: oneAtATime(),
      signal: abort.signal,
      onProgress: (progress) => {
        seen.push(progress);
        abort.abort();
        lustre.open('gate');
      },
    });
    expect(seen[0]).toMatchObject({ found: 5, remaining: 5 });
    expect(result).toMatchObject({ state: 'interrupted', done: 1, failed: 0, remaining: 4 });
    expect(await run()).toMatchObject({ state: 'done', done: 5 });
  });

  test('a second interruption breaks off the file at hand', async () => {
    lustre.close('gate');
    const [stop, breakOff] = [new AbortController(), new AbortController()];
    const onProgress = () => (stop.signal.aborted ? breakOff : stop).abort();
    const result = await run({ environment: oneAtATime(), signal: stop.signal, breakOff: breakOff.signal, onProgress });
    expect(result).toMatchObject({ state: 'interrupted', done: 0, failed: 0, remaining: 5 });
  });

  test("fails in the script's words when it cannot begin", async () => {
    await expect(run({ directory: tmpdir() })).rejects.toThrow(
      /recompress ended with status 2: .*DIR must be on a mounted Lustre file system/,
    );
    await expect(run({ script: '/nonexistent/recompress' })).rejects.toThrow(/ENOENT/);
  });
});
