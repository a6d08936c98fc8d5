import { fsxbenchIn } from './support';

const mockStarted: string[] = [];
const mockRun = (how: string) => async () => {
  mockStarted.push(how);
  return {
    run: 'r-1',
    manifest: { arms: [] },
    follow: async () => ({ run: 'r-1', state: 'done', benchmark: 'CompressionBench' }),
  };
};
jest.mock('../../lib/cli/start/runFleet', () => ({ startOnFleet: mockRun('fleet') }));
jest.mock('../../lib/cli/start/runOn', () => ({ startOn: mockRun('directory'), refuseEarly: () => {} }));
jest.mock('../../lib/cli/start/localRun', () => ({
  startLocal: mockRun('local'),
  resumeLocal: mockRun('resumed'),
  isLocalRun: (_: unknown, id: string) => id.startsWith('local-'),
}));
jest.mock('../../lib/cli/start/tools', () => ({ withTools: async (_: unknown, options: object) => options }));
jest.mock('../../lib/cli/start/queued', () => ({
  queuedOptions: (_: unknown, options: object) => options,
  submitRun: async () => void mockStarted.push('submitted'),
}));
jest.mock('../../lib/cli/results/watch', () => ({
  ...jest.requireActual('../../lib/cli/results/watch'),
  printOutcome: async () => {},
}));

// Where a run is driven follows from what it is given; --detach is for those that this command need not drive.
test.each<[string, string[], string]>([
  ['CompressionBench', ['fleet'], ''],
  ['CompressionBench --detach', ['fleet'], 'r-1 is running. Follow it: npx fsxbench watch r-1'],
  ['CompressionBench --resume r-0', ['fleet'], ''],
  ['CompressionBench --local none=/a,lz4=/b', ['local'], ''],
  ['CompressionBench --resume local-1', ['resumed'], ''],
  ['CompressionBench --local none=/a --detach', [], 'detach'],
  ['CompressionBench --resume local-1 --detach', [], 'detach'],
  ['CompressionBench --local none=/a --resume r-0', [], '--resume cannot be combined with --local'],
  ['--on /fsx', ['directory'], ''],
  ['--on /fsx --detach', ['submitted'], ''],
  ['--resume local-1', ['resumed'], ''],
])('run %s is started as %j', async (argv, started, words) => {
  mockStarted.length = 0;
  const { out, err } = await fsxbenchIn({}, ['run', ...argv.split(' ')]);
  expect([mockStarted, `${out}${err}`]).toEqual([started, expect.stringContaining(words)]);
});

test('a run that goes on by itself is one document with --json', async () => {
  const { out } = await fsxbenchIn({}, ['run', 'CompressionBench', '--detach', '--json']);
  expect(JSON.parse(out)).toEqual({ schema: 'fsxbench.run/1', run: 'r-1', state: 'starting' });
});
