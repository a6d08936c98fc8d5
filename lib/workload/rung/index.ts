import type { ParsedSample } from '../../schema/parse';
import { AT_SERVERS } from '../../schema/plan';
import { dataOfClients } from '../common/asked';
import { type Measured, printedValue, READ, WRITE } from '../common/measured';
import type { ParserFinding } from '../common/parse/finding';
import { jsonFigure, object, readJson } from '../common/parse/json';
import type { Lines } from '../common/parse/lines';
import type { Baseline, Workload } from '../workload';

const values: Workload['values'] = (_, { id: operation }, documents) => {
  const of = printedValue(documents.slice(0, 1), operation);
  const [bytes, seconds, logical, used] = ['bytes', 'seconds', 'logical_bytes', 'used_bytes'].map(of);
  if (!(bytes && seconds)) return [];
  const optional = (metric: string, value: number | null, unit: string): Measured[] =>
    value === null ? [] : [{ operation, metric, value, unit }];
  return [
    ...dataOfClients(operation, [bytes], [seconds]),
    ...optional('completion_latency_p99', of('completion_latency_p99'), 's'),
    ...optional('gzip_share', of('gzip_share'), '1'),
    ...optional('compression_ratio', logical && used ? logical / used : null, '1'),
  ];
};

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

const LINE = /^\{"schema": ?"fsxbench\.rung\/1"[^\n]*$/m;

const isRung = (text: string): boolean => text.includes('"fsxbench.rung/') && LINE.test(text);

/** Latencies of fio, by the name of their samples. */
const PERCENTILES = ['p50', 'p99', 'p99.9'];

/** A rung of the ladder: bytes and fio seconds, latencies, `gzip_share` (gzip's output per byte), and ZFS's sizes before and after compression. */
function parseRung({ text }: Lines): ParserFinding {
  const printed = readJson(LINE.exec(text)?.[0] ?? '');
  const operation = printed?.operation === 'read' ? 'read' : 'write';
  const rung = typeof printed?.rung === 'string' ? printed.rung : '';
  const samples: ParsedSample[] = [];
  const add = (metric: string, value: unknown, unit: ParsedSample['unit']) =>
    samples.push({ operation, test: rung, iteration: null, metric, unit, ...jsonFigure(value) });
  if (printed !== undefined) {
    add('bytes', printed.bytes, 'B');
    add('seconds', printed.seconds, 's');
    const latencies = object(printed.latencySeconds);
    for (const name of PERCENTILES) {
      if (name in latencies) add(`completion_latency_${name}`, latencies[name], 's');
    }
    // Only writes report compressibility, only datasets report space.
    if (printed.gzipShare !== null) add('gzip_share', printed.gzipShare, '1');
    if (printed.logicalBytes !== null) add('logical_bytes', printed.logicalBytes, 'B');
    if (printed.usedBytes !== null) add('used_bytes', printed.usedBytes, 'B');
  }
  const error = Number(printed?.error ?? 0);
  const problems = [
    ...(printed === undefined || samples.some(({ value }) => value === null) ? ['truncated'] : []),
    ...(error === 0 ? [] : [`job_error_${error}`]),
  ];
  const version = typeof printed?.fio === 'string' ? printed.fio : null;
  return {
    version,
    complete: problems.length === 0,
    problems,
    samples,
    tests: printed === undefined ? [] : [{ test: rung, version }],
  };
}

/** A baseline of a layer below Lustre, on the first server of an arm: a raw disk, its RAID-Z1, ZFS without Lustre (assets/server/bin/rung). */
export const rung: Workload = {
  id: 'rung',
  label: 'layer baseline',
  launch: { by: 'once', executable: AT_SERVERS },
  operations: [WRITE, READ],
  values,
  baselines: [
    ...RUNGS.map(([id, label]) => ({ id, label, command: writeOf(id) })),
    { id: 'zfs', label: 'ZFS without Lustre', command: writeOf('{fileSystem}') },
  ],
  formats: [{ recognizes: isRung, parse: parseRung, form: 'json' }],
};
