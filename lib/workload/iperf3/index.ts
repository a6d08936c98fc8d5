import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import type { Measured } from '../kit/measured';
import { networkOperation } from '../kit/operations';
import type { Operation } from '../operation';
import type { Workload } from '../workload';
import { isIperf3, parseIperf3 } from './json';

function values(_: WorkloadAction, { id: operation }: Operation, documents: readonly ParseDocument[]): Measured[] {
  const of = (metric: string): number | null =>
    documents.flatMap(({ samples }) => samples).find((one) => one.operation === operation && one.metric === metric)
      ?.value ?? null;
  const [throughput, bytes, seconds] = [of('throughput'), of('bytes'), of('seconds')];
  if (throughput === null || bytes === null || seconds === null) return [];
  return [
    { operation, metric: 'throughput', value: throughput, unit: 'MB/s' },
    { operation, metric: 'bytes', value: bytes, unit: 'B' },
    { operation, metric: 'total_time', value: seconds, unit: 's' },
  ];
}

/** assets/client/bin/network-baseline, on a client. */
const NETWORK = '{bin}/network-baseline';

/** TCP between a client and a server, without a file system: the ceiling of LNet over TCP. */
export const iperf3: Workload = {
  id: 'iperf3',
  label: 'iperf3',
  launch: { by: 'once', executable: NETWORK },
  version: { argv: ['iperf3', '--version'], version: /^iperf ([\d.]+)/m },
  installed: {
    uses: ['iperf3'],
    without: 'OffloadBench has no baseline of the network',
  },
  operations: [
    networkOperation('network_send', 'write', 'send of data'),
    networkOperation('network_receive', 'read', 'receipt of data'),
  ],
  reports: { processes: true, machines: { silent: 'it runs between two machines' }, bytes: true },
  values,
  baselines: [
    {
      ...{ id: 'tcp', label: 'Network: TCP, by iperf3' },
      command: ({ seconds, processes }) => [NETWORK, 'iperf3', '{dir}', 'send', String(seconds), String(processes)],
    },
  ],
  output: {
    formats: [{ recognizes: isIperf3, parse: parseIperf3, ofJson: true }],
    complaint: /^iperf3: (?:error|parameter error|interrupt)/m,
  },
};
