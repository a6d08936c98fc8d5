import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunStatus } from '../../../lib/schema/run';
import { soundRun } from '../../analysis/runs';
import { writeRun } from '../../report/writeRun';
import { temporaryFolder } from '../../run/bench';
import { fsxbenchIn } from '../support';

const mockStore = { bucket: 'results', browse: async () => ({ files: [], folders: [] }) };
let mockReason: string | null = null;
jest.mock('../../../lib/run/deployed', () => ({
  ...jest.requireActual('../../../lib/run/deployed'),
  findResultsBucket: async () => {
    if (mockReason !== null) throw new Error(`${mockReason}\nand more`);
    return 'results';
  },
}));
jest.mock('../../../lib/store/bucket', () => ({
  ...jest.requireActual('../../../lib/store/bucket'),
  S3Store: jest.fn(() => mockStore),
}));
beforeEach(() => {
  mockReason = null;
});

const sound = soundRun({ repeats: 2, compressibilities: [1] });
const results = temporaryFolder();
beforeAll(() => {
  const add = (run: string, change: Partial<RunStatus>) => {
    const folder = writeRun({ ...sound, raw: [], status: { ...(sound.status as RunStatus), run, ...change } });
    mkdirSync(join(results, 'runs/CompressionBench'), { recursive: true });
    cpSync(folder, join(results, 'runs/CompressionBench', run), { recursive: true });
  };
  const [nine, ten] = ['2026-11-21T09:00:00.000Z', '2026-11-21T10:00:00.000Z'];
  add('late', { startedAt: ten, state: 'interrupted', stepsDone: 3, stepsTotal: 9, endedAt: ten });
  add('early', { startedAt: nine, state: 'running', stepsDone: 5, stepsTotal: 9, endedAt: null });
});
const list = (...argv: string[]) => fsxbenchIn({}, ['list', '--results', results, ...argv]);

test('lists the runs of this computer, oldest first, with their steps and where they are', async () => {
  const { status, out, err } = await list('--here');
  expect([status, err]).toEqual([0, '']);
  const [head = '', ...rows] = out.trimEnd().split('\n');
  expect(head.split(/ {2,}/)).toEqual(['run', 'benchmark', 'state', 'validity', 'steps', 'started', 'where']);
  expect(rows.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['early', 'CompressionBench', 'running', '–', '5/9', '2026-11-21T09:00:00.000Z', 'here'],
    ['late', 'CompressionBench', 'interrupted', '–', '3/9', '2026-11-21T10:00:00.000Z', 'here'],
  ]);
});

test('asks the bucket too, and says in one line why it could not, unless that was wanted', async () => {
  expect((await list()).err).toBe('');
  mockReason = 'no credentials';
  expect((await list()).err).toBe("listing only this computer's runs: no credentials\n");
  expect((await list('--here')).err).toBe('');
  const { err, out } = await list('--json');
  expect(err).toBe('');
  expect(JSON.parse(out)).toMatchObject({ schema: 'fsxbench.list/1', bucket: null, bucketReason: 'no credentials' });
});

test('has the figures of runs that ended in a document, and the reason for others', async () => {
  const document = JSON.parse((await list('--here', '--json')).out);
  expect(document).toMatchObject({ bucket: null, bucketReason: 'not queried' });
  expect(document.runs).toMatchObject([
    { run: 'early', state: 'running', validity: null, plan: null, costUsd: null, reason: 'it has not ended' },
    { run: 'late', state: 'interrupted', plan: sound.plan?.plan, reason: null, report: null },
  ]);
  expect(document.runs[1].validity).toMatch(/^(VALID|WARN|INVALID)$/);
  expect(document.runs[1]).not.toHaveProperty('folder');
});

test('without any, the next step is named', async () => {
  expect((await fsxbenchIn({}, ['list', '--here', '--results', temporaryFolder()])).out).toBe(
    'no runs yet: npm run quickstart creates one\n',
  );
});
