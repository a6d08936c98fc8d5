import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { queuedOptions, submitRun } from '../../../lib/cli/start/queued';
import { temporaryFolder } from '../../run/bench';

const mockQueue = jest.fn();
jest.mock('../../../lib/cli/start/machines', () => ({
  ...jest.requireActual('../../../lib/cli/start/machines'),
  queue: (...asked: unknown[]) => mockQueue(...asked),
}));
const mockLocal = jest.fn();
jest.mock('../../../lib/cli/start/localRun', () => ({ isLocalRun: (...asked: unknown[]) => mockLocal(...asked) }));

const contextOf = (environment: NodeJS.ProcessEnv = {}) => {
  const said: string[] = [];
  const context = {
    root: '/',
    environment,
    interactive: false,
    err: () => {},
    out: (text: string) => void said.push(text),
  };
  return { said, context };
};
const optionsIn = (results: string, more: object = {}) => ({ results, set: [], on: '/fsx', ...more }) as never;

test('a queued run has its id, folder and state before its job starts, and says how to follow it', () => {
  const results = temporaryFolder();
  mockQueue.mockReturnValue('4711');
  const { said, context } = contextOf();
  submitRun(context, optionsIn(results));
  const [, , run, log] = mockQueue.mock.calls.at(-1) as [unknown, unknown, string, string];
  expect(basename(dirname(log))).toBe(run);
  expect(basename(log)).toBe('driver.log');
  const kept = readdirSync(dirname(log)).map((name) => JSON.parse(readFileSync(join(dirname(log), name), 'utf8')));
  expect(kept).toMatchObject([
    { schema: 'fsxbench.queue/1', job: '4711', state: 'PENDING', ended: false, restarts: 0 },
  ]);
  expect(said.join('').split('\n')).toEqual([
    `${run} is job 4711: it keeps running after you log out.`,
    `  follow it    npx fsxbench watch ${run} --results ${results}`,
    `  its report   npx fsxbench report ${run} --results ${results}`,
    `  its log      ${log}`,
    '',
  ]);
});

test('the id of a run that is resumed stays, and --json prints one document', () => {
  mockQueue.mockReturnValue('4712');
  const { said, context } = contextOf();
  submitRun(context, optionsIn(temporaryFolder(), { resume: 'r-1', json: true }));
  expect(JSON.parse(said.join(''))).toEqual({ schema: 'fsxbench.run/1', run: 'r-1', job: '4712', state: 'starting' });
});

test('a queue that refuses leaves no folder of a new run, and what there was of an old one', () => {
  const results = temporaryFolder();
  mockQueue.mockImplementation(() => {
    throw new Error('no partition');
  });
  const { context } = contextOf();
  expect(() => submitRun(context, optionsIn(results, { resume: 'r-1' }))).toThrow('no partition');
  const [, , , log] = mockQueue.mock.calls.at(-1) as [unknown, unknown, string, string];
  expect(existsSync(dirname(log))).toBe(false);
  mkdirSync(dirname(log), { recursive: true });
  expect(() => submitRun(context, optionsIn(results, { resume: 'r-1' }))).toThrow('no partition');
  expect(existsSync(dirname(log))).toBe(true);
});

test('a job takes the options as they were given, under its id, and continues a run that has begun', () => {
  const options = { results: '/r', set: ['repeats=3'], on: '/fsx', detach: true, json: true } as never;
  mockLocal.mockReturnValue(false);
  expect(queuedOptions(contextOf().context, options)).toBe(options);
  const { context } = contextOf({ FSXBENCH_RESERVED: 'r-1' });
  expect(queuedOptions(context, options)).toEqual({
    results: '/r',
    set: ['repeats=3'],
    on: '/fsx',
    json: true,
    id: 'r-1',
  });
  mockLocal.mockReturnValue(true);
  expect(queuedOptions(context, options)).toEqual({ results: '/r', set: ['repeats=3'], json: true, resume: 'r-1' });
  expect(mockLocal).toHaveBeenLastCalledWith(context, 'r-1', '/r');
});
