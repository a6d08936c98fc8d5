import type { ParseDocument } from '../../schema/parse';
import { AT_SERVERS, type WorkloadAction } from '../../schema/plan';
import type { Measured } from '../kit/measured';
import { READ, WRITE } from '../kit/operations';
import type { Operation } from '../operation';
import type { Baseline, Workload } from '../workload';
import { isRung, parseRung } from './json';

function values(_: WorkloadAction, { id: operation }: Operation, documents: readonly ParseDocument[]): Measured[] {
  const [document] = documents;
  const of = (metric: string): number | null =>
    document?.samples.find((one) => one.operation === operation && one.metric === metric)?.value ?? null;
  const [bytes, seconds, logical, used] = ['bytes', 'seconds', 'logical_bytes', 'used_bytes'].map(of);
  if (!(bytes && seconds)) return [];
  const optional = (metric: string, value: number | null, unit: string): Measured[] =>
    value === null ? [] : [{ operation, metric, value, unit }];
  return [
    { operation, metric: 'throughput', value: bytes / seconds / 1e6, unit: 'MB/s' },
    { operation, metric: 'bytes', value: bytes, unit: 'B' },
    { operation, metric: 'total_time', value: seconds, unit: 's' },
    ...optional('completion_latency_p99', of('completion_latency_p99'), 's'),
    ...optional('gzip_share', of('gzip_share'), '1'),
    ...optional('compression_ratio', logical && used ? logical / used : null, '1'),
  ];
}

/** Baselines of a ZFS server, and of the lab's (assets/lab/model/server). */
const RUNGS = [
  ['link', 'Network: TCP over the link, by iperf3'],
  ['raw', 'One disk'],
  ['raidz1', 'RAID-Z1, ZFS without compression'],
  ['btrfs', 'Btrfs without compression'],
] as const;

const writeOf =
  (name: string): Baseline['command'] =>
  ({ seconds, processes }) => [AT_SERVERS, 'rung', name, 'write', String(seconds), String(processes)];

/** A rung of the ladder below Lustre, on the first server of an arm: a raw disk, its RAID-Z1, ZFS without Lustre (assets/server/bin/rung). */
export const rung: Workload = {
  id: 'rung',
  label: 'rung of the ladder',
  launch: { by: 'once', executable: AT_SERVERS },
  operations: [WRITE, READ],
  reports: {
    processes: { silent: 'the server works with its own processes' },
    machines: { silent: 'it runs on one server' },
    bytes: true,
  },
  values,
  baselines: [
    ...RUNGS.map(([id, label]) => ({ id, label, command: writeOf(id) })),
    { id: 'zfs', label: 'ZFS without Lustre', ofEachArm: true, command: writeOf('{fileSystem}') },
  ],
  output: { formats: [{ recognizes: isRung, parse: parseRung, ofJson: true }] },
};
