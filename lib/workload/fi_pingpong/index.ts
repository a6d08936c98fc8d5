import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import type { Measured } from '../kit/measured';
import { networkOperation } from '../kit/operations';
import type { Operation } from '../operation';
import type { Workload } from '../workload';
import { isPingpong, parsePingpong } from './text';

/** assets/client/bin/network-baseline, on a client. */
const NETWORK = '{bin}/network-baseline';

/** The largest message's throughput, and the smallest one's latency. */
function values(_: WorkloadAction, { id: operation }: Operation, documents: readonly ParseDocument[]): Measured[] {
  const of = (metric: string) =>
    documents
      .flatMap(({ samples }) => samples)
      .flatMap(({ metric: own, test, value }) =>
        own === metric && value !== null ? [{ size: Number(test), value }] : [],
      )
      .sort((a, b) => a.size - b.size);
  const [throughput, latency] = [of('throughput').at(-1), of('latency')[0]];
  if (throughput === undefined || latency === undefined) return [];
  return [
    { operation, metric: 'throughput', value: throughput.value, unit: 'MB/s' },
    { operation, metric: 'latency', value: latency.value, unit: 's' },
  ];
}

/** Libfabric's ping-pong between a client and a server, in the place of ib_send_bw: EC2 has EFA and no InfiniBand. One message is under way at a time. */
export const pingpong: Workload = {
  id: 'fi_pingpong',
  label: 'fabric ping-pong',
  launch: { by: 'once', executable: NETWORK },
  version: { argv: ['fi_info', '--version'], version: /^fi_info: ([\d.]+)/m },
  installed: {
    uses: ['fi_pingpong'],
    argv: ['bash', '-c', 'command -v fi_pingpong'],
    without: 'OffloadBench has no baseline of the fabric',
  },
  operations: [networkOperation('fabric_pingpong', 'write', 'transfer of messages')],
  reports: {
    processes: { silent: 'it is one process on each side' },
    machines: { silent: 'it runs between two machines' },
    bytes: { silent: 'it prints rates' },
  },
  values,
  baselines: [
    {
      ...{ id: 'fabric', label: 'Network: libfabric ping-pong over TCP, messages of 1 MiB' },
      // What the servers answer to (assets/server/bin/boot).
      command: () => [NETWORK, 'fi_pingpong', '{dir}', 'tcp'],
    },
  ],
  output: { formats: [{ recognizes: isPingpong, parse: parsePingpong }] },
};
