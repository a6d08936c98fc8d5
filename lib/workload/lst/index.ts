import type { ParsedSample } from '../../schema/parse';
import { NETWORK, networkOperation } from '../common/asked';
import type { CommandFile } from '../common/parse/command';
import type { ParserFinding } from '../common/parse/finding';
import { figure, type Lines } from '../common/parse/lines';
import type { Workload } from '../workload';

/** `[LNet Bandwidth of clients]` */
const GROUP = /^\[LNet (Rates|Bandwidth) of (\S+)\]$/;
/** `[W] Avg: 316.83   MiB/s Min: 316.83   MiB/s Max: 316.83   MiB/s`: of the nodes of the group, in one interval. */
const ROW = /^\[([RW])\] Avg: (\S+)\s+(RPC\/s|MiB\/s|MB\/s)\s+Min: (\S+)\s+\S+\s+Max: (\S+)\s+\S+\s*$/;
/** The reason why a rate in MB/s is one in MiB/s: only later releases distinguish them, and print MB of 10^6 on demand. */
const OLD_MB = 'in MiB/s: lst without --mbs also prints those as MB/s';
/** `Total 1 error nodes in clients`. Without `--session`, RPCs that failed since the module was loaded count, too (lnet/utils/lst.c). */
const FAILED_NODES = /^Total (\d+) error nodes in \S+$/;
/** A node of which only an earlier session had errors. It is printed on stderr, so it may come after all totals. */
const SOUND_SESSION = /^\S+: \[Session 0 brw errors, 0 ping errors\]/;

const isLst = (text: string): boolean =>
  (text.includes('[LNet ') && /^\[LNet (?:Rates|Bandwidth) of \S+\]$/m.test(text)) ||
  (text.includes('SESSION: ') && /^SESSION: \S+ FEATURES: \d+ TIMEOUT:/m.test(text));

/**
 * `lst stat`: averages over the nodes of each group and interval. The nodes of the group send the rate of a row W and receive that of a row R: a bulk
 * write is `lnet_write` of the clients and `lnet_read` of the servers.
 */
function parseLst({ lines }: Lines, { command }: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const intervals = new Map<string, number>();
  const problems = new Set<string>();
  let group: { kind: string; name: string } | null = null;
  let failedNodes = 0;
  for (const line of lines) {
    const [, kind, name] = GROUP.exec(line.trim()) ?? [];
    if (kind !== undefined && name !== undefined) {
      group = { kind, name };
      const key = `${kind} ${name}`;
      intervals.set(key, (intervals.get(key) ?? -1) + 1);
      continue;
    }
    const [, way, average, unit] = ROW.exec(line) ?? [];
    const isRate = unit === 'RPC/s';
    if (group !== null && way !== undefined && isRate === (group.kind === 'Rates')) {
      const isDecimal = unit === 'MB/s' && command?.includes('--mbs') === true;
      samples.push({
        operation: way === 'W' ? 'lnet_write' : 'lnet_read',
        test: group.name,
        iteration: intervals.get(`${group.kind} ${group.name}`) ?? 0,
        metric: isRate ? 'operations' : 'throughput',
        unit: isRate ? 'op/s' : isDecimal ? 'MB/s' : 'MiB/s',
        ...(unit === 'MB/s' && !isDecimal ? { reason: OLD_MB } : {}),
        ...(figure(average) ?? { value: null, reason: 'not printed' }),
      });
    } else if (/^\[[RW]\] /.test(line)) problems.add('rows_not_read');
    failedNodes += Number(FAILED_NODES.exec(line)?.[1] ?? 0);
    if (SOUND_SESSION.test(line)) failedNodes -= 1;
  }
  if (failedNodes > 0) problems.add('operations_failed');
  if (samples.length === 0 && problems.size === 0) problems.add('no_result_rows');
  const ended = lines.some((line) => line.trim() === 'session is ended');
  if (!ended) problems.add('no_finish_line');
  return {
    complete: problems.size === 0,
    problems,
    samples,
    tests: [...new Set(samples.map(({ test }) => test))].map((test) => ({ test: test ?? '' })),
  };
}

const BYTES_PER_MIB = 2 ** 20;

/** The mean of the intervals of the clients, without the first, in which the batch begins. */
const values: Workload['values'] = (_, { id: operation }, documents) => {
  const rates = documents.flatMap(({ samples }) =>
    samples
      .filter((one) => one.operation === operation && one.metric === 'throughput' && one.test === 'clients')
      .map(({ value }) => value ?? Number.NaN),
  );
  const measured = rates.length > 1 ? rates.slice(1) : rates;
  const mean = measured.reduce((sum, rate) => sum + rate, 0) / measured.length;
  if (!Number.isFinite(mean)) return [];
  return [{ operation, metric: 'throughput', value: (mean * BYTES_PER_MIB) / 1e6, unit: 'MB/s' }];
};

/** LNet's own test of its network, below Lustre: assets/client/bin/network-baseline drives it on a client. */
export const lst: Workload = {
  id: 'lst',
  label: 'LNet self-test',
  launch: { by: 'once', executable: NETWORK },
  operations: [
    networkOperation('lnet_write', 'write', 'wrote through the network'),
    networkOperation('lnet_read', 'read', 'read through the network'),
  ],
  values,
  baselines: [
    {
      id: 'lnet',
      label: 'Network: LNet self-test',
      command: ({ seconds, processes }) => [NETWORK, 'lst', '{dir}', 'write', String(seconds), String(processes)],
    },
  ],
  formats: [{ recognizes: isLst, parse: parseLst }],
  program: 'network-baseline lst',
  complaint: /^Can't find env LST_SESSION/m,
};
