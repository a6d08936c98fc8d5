import { compressionBench } from '../../../lib/benchmark/compression';
import { startOnFleet } from '../../../lib/cli/start/runFleet';
import { S3Store } from '../../../lib/store/bucket';
import { temporaryFolder } from '../../run/bench';

const mockFailure = 'the import from S3 of arm lz4 is FAILED';
jest.mock('../../../lib/cli/start/fleetPlan', () => ({
  planOnFleet: async () => ({
    plan: { plan: 'paired', scale: 'smoke', issues: [], totals: {} },
    stack: { name: 'CompressionBench', parameters: {} },
    deployment: { bucket: 'results', arms: [] },
    labClient: null,
  }),
}));
jest.mock('../../../lib/run/started', () => ({ deadlineOf: async () => null, keepStart: jest.fn() }));
jest.mock('../../../lib/run/deployedManifest', () => ({ deployedManifest: async () => ({ arms: [] }) }));
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
