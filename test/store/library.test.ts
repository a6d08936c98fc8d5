import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StreamOptions } from '../../lib/common/writeWhole';
import type { ResultsStore } from '../../lib/store/bucket';
import { RunFolder } from '../../lib/store/folder';
import { fetchRun, folderOf } from '../../lib/store/library';
import { temporaryFolder } from '../run/bench';
import { downloading } from './downloading';

const PREFIX = 'runs/Bench/r-1/';

function storeWith(files: Readonly<Record<string, string>>): ResultsStore {
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
  const store = storeWith(Object.fromEntries(Object.entries(there).map(([name, text]) => [`${PREFIX}${name}`, text])));
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
  const store = storeWith(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${PREFIX}${name}`, text])));
  const fetched: string[] = [];
  const counting = {
    ...store,
    download: (key: string, path: string, options?: StreamOptions) => {
      fetched.push(`${key.slice(PREFIX.length)} ${options?.least}`);
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
