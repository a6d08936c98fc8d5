import { compressionBench } from '../../../lib/benchmark/compression';
import { startOnFleet } from '../../../lib/cli/start/runFleet';
import { S3Store } from '../../../lib/store/bucket';
import { temporaryFolder } from '../../run/bench';

const mockFailure = 'the import from S3 of arm lz4 is FAILED';
jest.mock('../../../lib/cli/start/fleetPlan', () => ({
  planOnFleet: async () => ({
    plan: { plan: 'paired', scale: 'smoke', issues: [], totals: { expectedSeconds: 10 * 3600 } },
    stack: { name: 'CompressionBench', parameters: {} },
    deployment: { bucket: 'results', arms: [] },
    labClient: null,
  }),
}));
let mockDeadline: number | null = null;
jest.mock('../../../lib/run/started', () => ({
  deadlineOf: async () => mockDeadline && { at: mockDeadline },
  keepStart: jest.fn(),
}));
jest.mock('../../../lib/run/manifest', () => ({ deployedManifest: async () => ({ arms: [] }) }));
jest.mock('../../../lib/run/imports', () => ({
  awaitImports: async () => {
    throw new Error(mockFailure);
  },
}));

test('a run whose import from S3 failed is refused before anything is uploaded or started', async () => {
  const put = jest.spyOn(S3Store.prototype, 'put');
  const context = { root: '/', out: () => {}, err: () => {}, environment: {}, interactive: false };
  const options = { results: temporaryFolder(), set: [] } as never;
  await expect(startOnFleet(context, compressionBench, options)).rejects.toThrow(mockFailure);
  expect(put).not.toHaveBeenCalled();
});

// The plan takes 10 h. One hour more than the missing ones leaves time to collect.
test.each([
  [3.5, 'in 3 h 30 min: npx fsxbench extend CompressionBench --hours 8'],
  [9.9, 'in 9 h 54 min: npx fsxbench extend CompressionBench --hours 2'],
  [-2, 'any moment now: npx fsxbench extend CompressionBench --hours 11'],
  // Long enough: the next thing to fail is the import.
  [10.1, mockFailure],
])('a stack that deletes itself in %d h is refused, or not: %s', async (hours, words) => {
  jest.useFakeTimers({
    now: Date.parse('2026-11-21T12:00:00Z'),
    doNotFake: ['setTimeout', 'setImmediate', 'nextTick'],
  });
  try {
    mockDeadline = Date.now() + hours * 3_600_000;
    const context = { root: '/', out: () => {}, err: () => {}, environment: {}, interactive: false };
    const options = { results: temporaryFolder(), set: [] } as never;
    await expect(startOnFleet(context, compressionBench, options)).rejects.toThrow(words);
  } finally {
    mockDeadline = null;
    jest.useRealTimers();
  }
});
