import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Analyse, listRuns } from '../../../lib/analysis/compare/runEntries';
import { summarise as summariseRun } from '../../../lib/analysis/summary';
import { figuresOf, readRun } from '../../../lib/report';
import type { BrowsableStore } from '../../../lib/store/bucket';
import { folderOf, inputsOf, keep, keptIn } from '../../../lib/store/library';
import { fsxbenchIn } from '../../cli/support';
import { runAt } from '../../report/runAt';
import { writeRun } from '../../report/writeRun';

/** A store that holds the files of a folder, and counts what is asked of it. */
function storeOf(folder: string): BrowsableStore & { asked: string[]; listed: string[] } {
  const keys = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const [asked, listed]: [string[], string[]] = [[], []];
  return {
    asked,
    listed,
    describe: 's3://test',
    put: () => Promise.reject(new Error('nothing is written')),
    download: () => Promise.reject(new Error('nothing is fetched')),
    get: async (key) => {
      asked.push(key);
      return keys.includes(key) ? readFileSync(join(folder, key)) : null;
    },
    list: () => Promise.reject(new Error('a bucket of many files is not listed whole')),
    browse: async (prefix) => {
      listed.push(prefix);
      const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
      return {
        files: below
          .filter((rest) => !rest.includes('/'))
          .map((rest) => prefix + rest)
          .map((key) => ({ key, size: 1, modified: statSync(join(folder, key)).mtimeMs })),
        folders: [
          ...new Set(below.filter((rest) => rest.includes('/')).map((rest) => `${prefix}${rest.split('/')[0]}/`)),
        ],
      };
    },
  };
}

const analyse: Analyse = async (folder) => figuresOf(summariseRun(await readRun(folder)));
const never: Analyse = () => Promise.reject(new Error('analysed, though its figures were kept'));

describe('runs', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'fsxbench-list-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const write = (where: string, record: ReturnType<typeof runAt>): string =>
    writeRun(record, folderOf(join(root, where), 'CompressionBench', record.run));
  const report = async (folder: string): Promise<void> => {
    keep(folder, await analyse(folder), inputsOf(folder));
  };

  test('of this computer are analysed once, and kept figures say the same', async () => {
    write('here', runAt(10));
    write('here', runAt(9));
    const first = await listRuns(join(root, 'here'), null, analyse);
    expect(first.map(({ run, where, figures }) => [run, where, figures?.validity])).toEqual([
      ['20261121T090000Z-paired-t09', 'here', 'WARN'],
      ['20261121T100000Z-paired-t10', 'here', 'WARN'],
    ]);
    const again = await listRuns(join(root, 'here'), null, never);
    expect(again.map((entry) => JSON.stringify(entry) === JSON.stringify(first[again.indexOf(entry)]))).toEqual([
      true,
      true,
    ]);
  });

  test('of several benchmarks stand in the order of their times', async () => {
    write('here', runAt(10));
    writeRun(runAt(9), folderOf(join(root, 'here'), 'StorageBench', runAt(9).run));
    const entries = await listRuns(join(root, 'here'), null);
    expect(entries.map(({ benchmark }) => benchmark)).toEqual(['StorageBench', 'CompressionBench']);
  });

  test('are analysed again when a file of theirs has grown', async () => {
    const folder = write('here', runAt(9));
    await listRuns(join(root, 'here'), null, analyse);
    writeFileSync(join(folder, 'samples.jsonl'), readFileSync(join(folder, 'samples.jsonl'), 'utf8').concat('\n'));
    const [entry] = await listRuns(join(root, 'here'), null);
    expect(entry).toMatchObject({
      figures: null,
      reason: 'not yet reported',
      next: 'npx fsxbench report 20261121T090000Z-paired-t09',
    });
    expect((await listRuns(join(root, 'here'), null, analyse))[0]?.figures).not.toBeNull();
  });

  /** Every file that decides a figure; `list` must not show what was kept of another content. */
  const INPUTS = [
    ...['plan.json', 'manifest.json', 'status.json', 'samples.jsonl', 'metrics/none.json'],
    ...['metrics/clients/series.json', 'environment/n1.json'],
  ];

  test.each(INPUTS)('are analysed again when a character of %s changed, with size and time as before', async (name) => {
    const folder = write('here', runAt(9));
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, '{"a": 1}\n');
    await report(folder);
    expect(keptIn(folder)).not.toBeNull();
    const { atime, mtime } = statSync(path);
    const text = readFileSync(path, 'utf8');
    const at = text.search(/\d/);
    writeFileSync(path, `${text.slice(0, at)}${(Number(text[at]) + 1) % 10}${text.slice(at + 1)}`);
    utimesSync(path, atime, mtime);
    expect(keptIn(folder)).toBeNull();
    writeFileSync(path, text);
    expect(keptIn(folder)).not.toBeNull();
    rmSync(path);
    expect(keptIn(folder)).toBeNull();
  });

  test('are analysed again when a file came that was not there, such as metrics collected later', async () => {
    const folder = write('here', runAt(9));
    await report(folder);
    for (const name of ['metrics/later.json', 'environment/later.json']) {
      writeFileSync(join(folder, name), '{}');
      expect(keptIn(folder)).toBeNull();
      rmSync(join(folder, name));
      expect(keptIn(folder)).not.toBeNull();
    }
  });

  test('whose figures another version of fsxbench kept are analysed again: its rules may differ', async () => {
    const folder = write('here', runAt(9));
    await report(folder);
    const path = join(folder, 'report', 'summary.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), fsxbench: '0.0.9' }));
    expect(keptIn(folder)).toBeNull();
  });

  test('of a bucket are not shown with figures of files that were replaced, added or removed since', async () => {
    const folder = write('there', runAt(9));
    await report(folder);
    const figures = async () => (await listRuns(join(root, 'here'), storeOf(join(root, 'there')), never))[0]?.figures;
    expect(await figures()).not.toBeNull();
    const samples = join(folder, 'samples.jsonl');
    const { atime, mtime } = statSync(samples);
    const later = new Date(Date.now() + 60_000);
    utimesSync(samples, atime, later);
    expect(await figures()).toBeNull();
    // In the same second.
    utimesSync(join(folder, 'report', 'summary.json'), atime, later);
    expect(await figures()).not.toBeNull();
    utimesSync(samples, atime, mtime);
    expect(await figures()).not.toBeNull();
    const added = join(folder, 'environment', 'n9.json');
    writeFileSync(added, '{}');
    utimesSync(added, atime, mtime);
    expect(await figures()).toBeNull();
    rmSync(added);
    rmSync(join(folder, 'status.json'));
    expect(await figures()).toBeFalsy();
  });

  test.each(['', '{', '{"schema":"fsxbench.summary/1"}', '{"schema":"fsxbench.summary/2","inputs":{}}', 'null'])(
    'whose kept figures are damaged are analysed again: %j',
    async (content) => {
      const folder = write('here', runAt(9));
      await report(folder);
      expect(keptIn(folder)).not.toBeNull();
      writeFileSync(join(folder, 'report', 'summary.json'), content);
      expect(keptIn(folder)).toBeNull();
      expect((await listRuns(join(root, 'here'), null, analyse))[0]?.figures?.run).toBe('20261121T090000Z-paired-t09');
    },
  );

  test('that have not ended are not analysed, and the command is the one that follows them', async () => {
    const record = runAt(9);
    write('here', { ...record, status: record.status && { ...record.status, state: 'running' } });
    const planned = runAt(10);
    write('here', { ...planned, status: null, samples: [] });
    const entries = await listRuns(join(root, 'here'), null, never);
    expect(entries.map(({ state, reason, next }) => [state, reason, next])).toEqual([
      ['running', 'it has not ended', 'npx fsxbench watch 20261121T090000Z-paired-t09'],
      ['planned', 'it has not started', 'npx fsxbench watch 20261121T100000Z-paired-t10'],
    ]);
  });

  test('that cannot be read are listed with why, and do not hide the others', async () => {
    const folder = write('here', runAt(9));
    writeFileSync(join(folder, 'status.json'), '{"state": "do');
    write('here', runAt(10));
    const broken: Analyse = (of) => (of.includes('t10') ? Promise.reject(new Error('no sample')) : analyse(of));
    const entries = await listRuns(join(root, 'here'), null, broken);
    expect(entries.map(({ state, reason }) => [state, reason])).toEqual([
      ['interrupted', null],
      ['done', 'it cannot be analysed: no sample'],
    ]);
  });

  test('of a bucket show what their reports left there, without a listing of all of its files', async () => {
    await report(write('there', runAt(9)));
    write('there', runAt(10));
    const store = storeOf(join(root, 'there'));
    const entries = await listRuns(join(root, 'here'), store, never);
    expect(entries.map(({ where, figures, next }) => [where, figures?.validity, next])).toEqual([
      ['bucket', 'WARN', null],
      ['bucket', undefined, 'npx fsxbench report 20261121T100000Z-paired-t10 --upload'],
    ]);
    expect(store.asked.some((key) => key.includes('/raw/') || key.endsWith('samples.jsonl'))).toBe(false);
    expect(store.listed.some((prefix) => prefix.includes('/raw/'))).toBe(false);
  });

  test('whose copy here is older than the bucket are shown as the bucket has them', async () => {
    const record = runAt(9);
    await report(write('there', record));
    const status = record.status && { ...record.status, state: 'running' as const, updatedAt: '2026-11-21T09:00:01Z' };
    write('here', { ...record, status, samples: record.samples.slice(0, 40) });
    const [entry] = await listRuns(join(root, 'here'), storeOf(join(root, 'there')), never);
    expect(entry).toMatchObject({ where: 'both', state: 'done', figures: { run: record.run } });
  });

  test('keep nothing half written', async () => {
    const folder = write('here', runAt(9));
    await report(folder);
    expect(readdirSync(dirname(join(folder, 'report', 'summary.json')))).toEqual(['summary.json']);
  });
});

describe('fsxbench list', () => {
  const results = mkdtempSync(join(tmpdir(), 'fsxbench-list-'));
  const list = (...more: string[]) => fsxbenchIn({}, ['list', '--here', '--results', results, ...more]);
  beforeAll(() => {
    for (const record of [runAt(9), runAt(10)]) writeRun(record, folderOf(results, 'CompressionBench', record.run));
  });
  afterAll(() => rmSync(results, { recursive: true, force: true }));

  test('prints what each run found as JSON, and then how valid it is in its table, too', async () => {
    const document = JSON.parse((await list('--json')).out);
    expect(document).toMatchObject({ schema: 'fsxbench.list/1', bucket: null, bucketReason: 'not queried' });
    expect(document.runs[1]).toMatchObject({
      run: '20261121T100000Z-paired-t10',
      where: 'here',
      state: 'done',
      validity: 'WARN',
      scale: 'published',
      findings: [expect.stringContaining('lz4 wrote'), expect.anything(), expect.anything()],
    });
    expect((await list()).out).toMatch(/t09 +CompressionBench +done +WARN +51\/51/);
  });

  test('shows what the report shows after a digit of each sample was changed', async () => {
    const folder = folderOf(results, 'CompressionBench', '20261121T090000Z-paired-t09');
    const shown = async () => JSON.parse((await list('--json')).out).runs[0].findings;
    const before = await shown();
    const samples = join(folder, 'samples.jsonl');
    const digit = (text: string): string => text.replace(/\d/, (one) => String((Number(one) % 9) + 1));
    writeFileSync(samples, readFileSync(samples, 'utf8').replaceAll(/"value":\d/g, digit));
    const { findings } = await analyse(folder);
    expect(findings).not.toEqual(before);
    expect(await shown()).toEqual(findings);
  });
});
