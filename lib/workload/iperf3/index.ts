import type { ParsedSample } from '../../schema/parse';
import { NETWORK, networkOperation } from '../common/asked';
import { printedValue } from '../common/measured';
import type { ParserFinding } from '../common/parse/finding';
import { jsonFigure, list, object, objectsIn } from '../common/parse/json';
import type { Lines } from '../common/parse/lines';
import type { Workload } from '../workload';

/** Beginning of iperf3's JSON; `connected` distinguishes it from other objects with a start. */
const START = /\{\s*"start"\s*:\s*\{\s*"connected"\s*:/;

/**
 * iperf3's JSON (`-J`): throughput at the receiver, in MB/s (10^6), and the sender's retransmits. With `-R` the server sends and with two-way tests both do.
 * iperf3 3.12 has exit status 0 even if it prints an error.
 */
function parseIperf3(input: Lines): ParserFinding {
  const runs = objectsIn(input, START);
  const problems = new Set<string>();
  const cautions = new Set<string>();
  const samples: ParsedSample[] = [];
  let version: string | null = null;
  for (const [index, { section, document }] of runs.entries()) {
    version ??= /"version"\s*:\s*"iperf ([^"\n]+)"/.exec(section)?.[1] ?? null;
    if (document === undefined) problems.add('truncated');
    if (typeof document?.error === 'string') problems.add('io_error');
    const end = object(document?.end);
    const settings = object(object(document?.start).test_start);
    const reverse = Number(settings.reverse) === 1;
    for (const [ending, operation] of [
      ['', reverse ? 'network_receive' : 'network_send'],
      ['_bidir_reverse', 'network_receive'],
    ]) {
      const received = object(end[`sum_received${ending}`]);
      if (Object.keys(received).length === 0) continue;
      const common = { operation: operation as string, test: index, iteration: null };
      const add = (metric: string, value: unknown, divisor: number, unit: ParsedSample['unit']) =>
        samples.push({ ...common, metric, unit, ...jsonFigure(value, divisor) });
      add('throughput', received.bits_per_second, 8e6, 'MB/s');
      add('bytes', received.bytes, 1, 'B');
      add('seconds', received.seconds, 1, 's');
      // UDP has no retransmits, and iperf3 prints none.
      if (settings.protocol === 'TCP') add('retransmits', object(end[`sum_sent${ending}`]).retransmits, 1, '1');
      if (Number(received.seconds) < 1) cautions.add('too_short');
    }
  }
  if (problems.size === 0 && samples.length === 0) problems.add('no_result_rows');
  return {
    version,
    complete: problems.size === 0,
    problems,
    cautions,
    samples,
    tests: runs.map(({ document }, test) => ({ test, version, tasks: list(object(document?.start).connected).length })),
  };
}

const values: Workload['values'] = (_, { id: operation }, documents) => {
  const of = printedValue(documents, operation);
  const [throughput, bytes, seconds] = [of('throughput'), of('bytes'), of('seconds')];
  if (throughput === null || bytes === null || seconds === null) return [];
  return [
    { operation, metric: 'throughput', value: throughput, unit: 'MB/s' },
    { operation, metric: 'bytes', value: bytes, unit: 'B' },
    { operation, metric: 'total_time', value: seconds, unit: 's' },
  ];
};

/** TCP between a client and a server, without a file system: the ceiling of LNet over TCP. */
export const iperf3: Workload = {
  id: 'iperf3',
  label: 'iperf3',
  launch: { by: 'once', executable: NETWORK },
  version: { argv: ['iperf3', '--version'], version: /^iperf ([\d.]+)/m },
  installed: { uses: ['iperf3'], without: 'OffloadBench has no baseline of the network' },
  operations: [
    networkOperation('network_send', 'write', 'sent data'),
    networkOperation('network_receive', 'read', 'received data'),
  ],
  values,
  baselines: [
    {
      id: 'tcp',
      label: 'Network: TCP, by iperf3',
      command: ({ seconds, processes }) => [NETWORK, 'iperf3', '{dir}', 'send', String(seconds), String(processes)],
    },
  ],
  formats: [
    { recognizes: (text) => text.includes('"connected"') && START.test(text), parse: parseIperf3, form: 'json' },
  ],
  complaint: /^iperf3: (?:error|parameter error|interrupt)/m,
};
