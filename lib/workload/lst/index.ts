import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import type { Measured } from '../kit/measured';
import { networkOperation } from '../kit/operations';
import type { Operation } from '../operation';
import type { Workload } from '../workload';
import { isLst, parseLst } from './text';

const BYTES_PER_MIB = 2 ** 20;

/** The mean of the intervals of the clients, without the first, in which the batch begins. */
function values(_: WorkloadAction, { id: operation }: Operation, documents: readonly ParseDocument[]): Measured[] {
  const rates = documents.flatMap(({ samples }) =>
    samples
      .filter((one) => one.operation === operation && one.metric === 'throughput' && one.test === 'clients')
      .map(({ value }) => value ?? Number.NaN),
  );
  const measured = rates.length > 1 ? rates.slice(1) : rates;
  const mean = measured.reduce((sum, rate) => sum + rate, 0) / measured.length;
  if (!Number.isFinite(mean)) return [];
  return [{ operation, metric: 'throughput', value: (mean * BYTES_PER_MIB) / 1e6, unit: 'MB/s' }];
}

/** assets/client/bin/network-baseline, on a client. */
const NETWORK = '{bin}/network-baseline';

/** LNet's own test of its network, below Lustre: assets/client/bin/network-baseline drives it on a client. */
export const lst: Workload = {
  id: 'lst',
  label: 'LNet self-test',
  launch: { by: 'once', executable: NETWORK },
  operations: [
    networkOperation('lnet_write', 'write', 'write of data'),
    networkOperation('lnet_read', 'read', 'read of data'),
  ],
  reports: {
    processes: { silent: 'the kernel does its work' },
    machines: { silent: 'it runs between two machines' },
    bytes: { silent: 'it prints rates' },
  },
  values,
  baselines: [
    {
      ...{ id: 'lnet', label: 'Network: LNet self-test' },
      command: ({ seconds, processes }) => [NETWORK, 'lst', '{dir}', 'write', String(seconds), String(processes)],
    },
  ],
  output: {
    formats: [{ recognizes: isLst, parse: parseLst }],
    program: 'network-baseline lst',
    complaint: /^Can't find env LST_SESSION/m,
  },
};
