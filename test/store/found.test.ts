import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StreamOptions } from '../../lib/common/writeWhole';
import type { Manifest } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import type { ResultsStore } from '../../lib/store/bucket';
import { RunFolder } from '../../lib/store/folder';
import { benchmarkOf, fetchRun, findLocalRun, folderOf, foldersIn, holdsRun } from '../../lib/store/library';
import { isLocal, labelsOf, type Place, placeOf } from '../../lib/store/platform';
import { sessionsOf, timesOf } from '../../lib/store/readRun';
import { soundRun } from '../analysis/runs';
import { temporaryFolder } from '../run/bench';
import { downloading } from './downloading';

function file(path: string, text = '{}'): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const storeWith = (...keys: readonly string[]): ResultsStore =>
  downloading({
    describe: 's3://memory',
    put: async () => {},
    get: async () => Buffer.from('body'),
    list: async (prefix) => keys.filter((key) => key.startsWith(prefix)).map((key) => ({ key, size: 4 })),
  });

describe('a run of this computer', () => {
  test('is found by its id, whichever benchmark it is of', () => {
    const results = temporaryFolder();
    mkdirSync(join(results, 'runs/Alpha'), { recursive: true });
    file(join(results, 'runs/Beta/r-1/samples.jsonl'));
    expect(findLocalRun('r-1', results)).toEqual({
      benchmark: 'Beta',
      run: 'r-1',
      folder: join(results, 'runs/Beta/r-1'),
    });
    expect(findLocalRun('r-2', results)).toBeNull();
    expect(findLocalRun('r-1', join(results, 'nowhere'))).toBeNull();
  });

  test('is found by its folder, wherever that is', () => {
    const folder = join(temporaryFolder(), 'Copied', 'r-1');
    file(join(folder, 'status.json'));
    expect(findLocalRun(folder, temporaryFolder())).toEqual({ benchmark: 'Copied', run: 'r-1', folder });
  });

  test('is one that waits for its machines, too', () => {
    const folder = join(temporaryFolder(), 'Bench', 'r-1');
    file(join(folder, 'queue.json'));
    expect(findLocalRun(folder, temporaryFolder())?.run).toBe('r-1');
  });

  test('is of the benchmark that its first readable file names, whatever the folder above is called', () => {
    const folder = join(temporaryFolder(), 'Downloads', 'r-1');
    file(join(folder, 'plan.json'), '{"benchmark": "Cut');
    file(join(folder, 'manifest.json'), '{"benchmark": "MetadataBench"}');
    expect(findLocalRun(folder, temporaryFolder())?.benchmark).toBe('MetadataBench');
  });

  test.each(['plan.json', 'manifest.json', 'status.json', 'samples.jsonl'])('is one if only its %s is left', (name) => {
    const folder = temporaryFolder();
    expect(holdsRun(folder)).toBe(false);
    file(join(folder, name));
    expect(holdsRun(folder)).toBe(true);
  });

  test.each(['../../elsewhere', '.', ''])('is never looked for outside the results by an id such as "%s"', (text) => {
    const results = temporaryFolder();
    mkdirSync(join(results, 'runs/Alpha'), { recursive: true });
    file(join(results, 'elsewhere/plan.json'));
    file(join(results, 'runs/Alpha/plan.json'));
    expect(findLocalRun(text, results)).toBeNull();
  });
});

test('only folders with proper names are listed, sorted: no files, no hidden ones, no links to nowhere', () => {
  const folder = temporaryFolder();
  for (const name of ['b', 'a', '.hidden', '-rf']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'notes'), '');
  symlinkSync(join(folder, 'gone'), join(folder, 'link'));
  expect(foldersIn(folder)).toEqual(['a', 'b']);
  expect(foldersIn(join(folder, 'gone'))).toEqual([]);
});

test.each([
  ['..', 'r-1', "'benchmark' must be a name"],
  ['Bench', '../r-1', "'run' must be a name"],
])('the folder of run %s/%s is refused', (benchmark, run, message) => {
  expect(() => folderOf('results', benchmark, run)).toThrow(message);
});

describe('a run of the store', () => {
  test('says by its keys which benchmark it is of', async () => {
    const store = storeWith('runs/Alpha/r-10/plan.json', 'runs/-rf/r-1/plan.json', 'runs/Beta/r-1/plan.json');
    expect(await benchmarkOf(store, 'r-1')).toBe('Beta');
    await expect(benchmarkOf(store, 'r-3')).rejects.toThrow(
      "there is no run 'r-3' on this computer or in s3://memory: npx fsxbench list shows all runs",
    );
  });

  test('that it does not have is named, with where to look', async () => {
    await expect(fetchRun(storeWith('runs/Bench/r-10/plan.json'), 'Bench', 'r-1', temporaryFolder())).rejects.toThrow(
      's3://memory has no run r-1 of Bench: npx fsxbench list shows all runs',
    );
  });

  test('with a key that is no file of a run is not fetched at all', async () => {
    const results = temporaryFolder();
    const store = storeWith('runs/Bench/r-1/plan.json', 'runs/Bench/r-1/../precious');
    await expect(fetchRun(store, 'Bench', 'r-1', results)).rejects.toThrow(
      's3://memory holds "runs/Bench/r-1/../precious", which is not a file of a run: nothing was fetched',
    );
    expect(readdirSync(results)).toEqual([]);
  });

  test('of which one file would come through a link is not fetched at all', async () => {
    const [results, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const folder = folderOf(results, 'Bench', 'r-1');
    mkdirSync(folder, { recursive: true });
    symlinkSync(elsewhere, join(folder, 'raw'));
    const store = storeWith('runs/Bench/r-1/plan.json', 'runs/Bench/r-1/raw/a.out');
    await expect(fetchRun(store, 'Bench', 'r-1', results)).rejects.toThrow(/raw/);
    expect([readdirSync(folder), readdirSync(elsewhere)]).toEqual([['raw'], []]);
  });

  test('comes without the driver’s own affairs', async () => {
    const results = temporaryFolder();
    const store = storeWith('runs/Bench/r-1/plan.json', 'runs/Bench/r-1/driver.pid', 'runs/Bench/r-1/raw/a.out');
    const { benchmark, run, folder } = await fetchRun(store, 'Bench', 'r-1', results);
    expect([benchmark, run, folder]).toEqual(['Bench', 'r-1', join(results, 'runs/Bench/r-1')]);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['plan.json', 'raw', 'raw/a.out']);
  });
});

const PREFIX = 'runs/Bench/r-1/';

function storeOf(files: Readonly<Record<string, string>>): ResultsStore {
  return downloading({
    describe: 's3://memory',
    put: async () => {},
    get: async (key) => (key in files ? Buffer.from(files[key] as string) : null),
    list: async () => Object.entries(files).map(([key, body]) => ({ key, size: body.length })),
  });
}

/** Fetches a run over what is here already. @returns the files that are here then */
async function fetchOver(here: Readonly<Record<string, string>>, there: Readonly<Record<string, string>>) {
  const results = temporaryFolder();
  const folder = folderOf(results, 'Bench', 'r-1');
  for (const [name, text] of Object.entries(here)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const store = storeOf(Object.fromEntries(Object.entries(there).map(([name, text]) => [`${PREFIX}${name}`, text])));
  await fetchRun(store, 'Bench', 'r-1', results);
  return (name: string) => readFileSync(join(folder, name), 'utf8');
}

const [ONE, TWO] = ['{"step":"one"}\n', '{"step":"two"}\n'];

describe('a run that is fetched over a copy', () => {
  test('replaces it where the store has all of it, and more', async () => {
    const file = await fetchOver(
      { 'samples.jsonl': ONE, 'status.json': 'old' },
      { 'samples.jsonl': ONE + TWO, 'status.json': 'new' },
    );
    expect([file('samples.jsonl'), file('status.json')]).toEqual([ONE + TWO, 'new']);
  });

  test('replaces a copy whose last line was cut off', async () => {
    const file = await fetchOver({ 'samples.jsonl': ONE + TWO.slice(0, 6) }, { 'samples.jsonl': ONE + TWO });
    expect(file('samples.jsonl')).toBe(ONE + TWO);
  });

  test.each([
    ['has fewer samples', ONE],
    ['has other samples', `${ONE}{"step":"three"}\n`],
    ['has no samples', undefined],
  ])('takes nothing from it where the store %s', async (_, samples) => {
    const here = { 'samples.jsonl': ONE + TWO, 'status.json': 'here' };
    const there = {
      'status.json': 'there',
      'plan.json': 'plan',
      ...(samples === undefined ? {} : { 'samples.jsonl': samples }),
    };
    const file = await fetchOver(here, there);
    expect([file('samples.jsonl'), file('status.json'), file('plan.json')]).toEqual([ONE + TWO, 'here', 'plan']);
  });

  test('replaces one without samples, of which only the status has come', async () => {
    const file = await fetchOver({ 'status.json': 'old' }, { 'samples.jsonl': ONE, 'status.json': 'new' });
    expect(file('status.json')).toBe('new');
  });

  test('replaces raw output that was cut off here', async () => {
    const file = await fetchOver({ 'raw/a.out': 'al' }, { 'raw/a.out': 'all' });
    expect(file('raw/a.out')).toBe('all');
  });

  test('keeps raw output that is longer here, or as long', async () => {
    const here = { 'raw/a.out': 'all of it', 'raw/b.out': 'HERE' };
    const file = await fetchOver(here, { 'raw/a.out': 'all', 'raw/b.out': 'gone' });
    expect([file('raw/a.out'), file('raw/b.out')]).toEqual(['all of it', 'HERE']);
  });
});

test('each file comes once, and not shorter than it was listed unless it may be replaced', async () => {
  const results = temporaryFolder();
  const files = { 'samples.jsonl': ONE + TWO, 'status.json': 'new', 'raw/a.out': 'all', 'plan.json': 'plan' };
  const store = storeOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${PREFIX}${name}`, text])));
  const fetched: string[] = [];
  const counting = {
    ...store,
    download: (key: string, path: string, options?: StreamOptions) => {
      fetched.push(`${key.slice(PREFIX.length)} ${options?.min}`);
      return store.download(key, path, options);
    },
  };
  const folder = folderOf(results, 'Bench', 'r-1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'samples.jsonl'), ONE);
  await fetchRun(counting, 'Bench', 'r-1', results);
  expect(fetched).toEqual([`samples.jsonl ${(ONE + TWO).length}`, 'status.json 0', 'raw/a.out 3', 'plan.json 0']);
  expect(readFileSync(join(folder, 'samples.jsonl'), 'utf8')).toBe(ONE + TWO);
});

test('reading a run changes nothing, not even a line that was cut off', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'samples.jsonl');
  writeFileSync(file, ONE + TWO.slice(0, 6));
  const before = statSync(file).mtimeMs;
  const read = new RunFolder(folder);
  read.samples();
  read.lastStatus();
  read.write('report/index.html', 'page');
  expect([readFileSync(file, 'utf8'), statSync(file).mtimeMs]).toEqual([ONE + TWO.slice(0, 6), before]);
});

type Arm = Manifest['arms'][number];

/** The place of a run with these in place of its manifest's arms. */
function placeWith(change: (arm: Arm, at: number) => Partial<Arm>, lab = false): Place {
  const { plan, manifest } = soundRun({ lab });
  if (manifest === null) throw new Error('a sound run has a manifest');
  return placeOf({
    plan,
    manifest: { ...manifest, arms: manifest.arms.map((arm, at) => ({ ...arm, ...change(arm, at) })) },
  });
}

const local = (actually: string): Partial<Arm> => ({ kind: 'directory', actually });

test.each<[string, Place, () => Place]>([
  ['deployed arms', 'aws', () => placeWith(() => ({}))],
  ['a directory beside a deployed arm', 'aws', () => placeWith((_, at) => (at === 0 ? local('nfs4 on fs-1:/') : {}))],
  ['directories of a disk', 'directories', () => placeWith(() => local('ext4 on /dev/nvme1n1'))],
  ['directories that nobody described', 'directories', () => placeWith(() => ({ kind: 'directory', actually: null }))],
  ['a directory with a type in its name', 'directories', () => placeWith(() => local('the lustre on the shelf'))],
  [
    'one mount of a network, and one disk',
    'mounted',
    () => placeWith((_, at) => local(at === 0 ? 'ext4 on /dev/sda1' : 'nfs4 on fs-1:/')),
  ],
  ['the lab', 'lab', () => placeWith(() => local('lustre on 10.0.0.15@tcp:/abc'), true)],
  [
    'the lab’s model, if only of one arm',
    'model',
    () => placeWith((_, at) => (at === 0 ? { model: { scale: 1000 } as never } : {}), true),
  ],
])('%s: %s', (_, expected, place) => {
  expect(place()).toBe(expected);
});

test('without a manifest, or without arms in it, the run counts as one on AWS unless its plan was made for the lab', () => {
  const { plan, manifest } = soundRun();
  const lab = soundRun({ lab: true });
  expect(placeOf({ plan, manifest: null })).toBe('aws');
  expect(placeOf({ plan, manifest: manifest && { ...manifest, arms: [] } })).toBe('aws');
  expect(placeOf({ plan: null, manifest: lab.manifest })).toBe('lab');
  const made = plan && { ...plan, issues: [{ id: 'lab-run', severity: 'note', message: 'lab' } as never] };
  expect(placeOf({ plan: made, manifest: null })).toBe('lab');
  expect(placeOf({ plan: null, manifest: null })).toBe('aws');
  const fleet = manifest && { ...manifest.fleet, machines: { names: ['a'] } };
  const arms = manifest?.arms.map((arm) => ({ ...arm, kind: 'directory' }));
  expect(placeOf({ plan, manifest: { ...manifest, arms, fleet } } as never)).toBe('machines');
  // The deployed configuration is more reliable than the planned one.
  expect(placeOf({ plan: made, manifest })).toBe('aws');
});

test('only a run on the user’s own directories or mounts is local, and only AWS needs no excuse', () => {
  const { plan, manifest } = soundRun();
  expect(isLocal(placeOf({ plan, manifest }))).toBe(false);
  expect(isLocal(placeOf(soundRun({ lab: true })))).toBe(false);
  for (const actually of ['ext4 on /dev/sda1', 'nfs4 on fs-1:/'])
    expect(
      isLocal(
        placeOf({
          plan,
          manifest: manifest && { ...manifest, arms: manifest.arms.map((arm) => ({ ...arm, ...local(actually) })) },
        }),
      ),
    ).toBe(true);
  expect(
    (['aws', 'lab', 'model', 'directories', 'mounted'] as const).filter((place) => labelsOf(place) === null),
  ).toEqual(['aws']);
});

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
const span = (from: number, to: number) => ({ startedAt: at(from), endedAt: at(to) });
const samples = (...spans: readonly (readonly [number, number])[]) =>
  spans.map(([from, to]) => span(from, to)) as unknown as Sample[];

test('a run without a status has worked where its samples are at most ten minutes apart', () => {
  expect(sessionsOf(null, samples([30, 34], [0, 5], [1, 3], [15, 20], [20, 20]))).toEqual([span(0, 34)]);
  expect(sessionsOf(null, samples([0, 5], [15, 20], [31, 34]))).toEqual([span(0, 20), span(31, 34)]);
  expect(sessionsOf(null, [])).toEqual([]);
});

test('a session without an end lasted until the last status', () => {
  const sessions = [span(0, 9), { startedAt: at(20) }];
  const status = { startedAt: at(20), updatedAt: at(25), endedAt: null, sessions } as Parameters<typeof sessionsOf>[0];
  expect(sessionsOf(status, samples([0, 90]))).toEqual([span(0, 9), span(20, 25)]);
  expect(sessionsOf(status && { ...status, endedAt: at(24) }, [])).toEqual([span(0, 9), span(20, 24)]);
});

test('time within sessions and between them is told, unless a clock ran backwards', () => {
  expect(timesOf([span(0, 9), span(20, 25)])).toEqual({ worked: 14 * 60, between: 11 * 60 });
  expect(timesOf([{ ...span(0, 9), seconds: 7 }])).toEqual({ worked: 7, between: 0 });
  expect(timesOf([span(9, 0)])).toEqual({ worked: null, between: 0 });
  expect(timesOf([])).toEqual({ worked: null, between: null });
});
