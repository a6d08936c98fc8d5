import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ResultsStore } from '../../lib/store/bucket';
import { benchmarkOf, fetchRun, findLocalRun, folderOf, foldersIn, holdsRun } from '../../lib/store/library';
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

describe('a run of this machine', () => {
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
      "there is no run 'r-3' on this machine or in s3://memory: npx fsxbench list shows all runs",
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
