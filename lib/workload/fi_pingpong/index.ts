import type { ParsedSample } from '../../schema/parse';
import { NETWORK, networkOperation } from '../common/asked';
import { binarySize } from '../common/lint/access';
import type { CommandFile } from '../common/parse/command';
import { type ParserFinding, testOf } from '../common/parse/finding';
import { fields, figure, type Lines } from '../common/parse/lines';
import type { Workload } from '../workload';

const HEAD = /^bytes\s+#sent\s+#ack\s+total\s+time\s+MB\/sec\s+usec\/xfer\s+Mxfers\/sec\s*$/;
const FAILURE = /^\[error\] \S+ : (.+)$/m;

const isPingpong = (text: string): boolean =>
  (text.includes('#sent') && text.split('\n').some((line) => HEAD.test(line))) ||
  (text.includes('[error] ') && FAILURE.test(text));

/** The largest of the sizes that fi_pingpong tries by itself; `-S` chooses one (fi_pingpong(1)). */
const LAST_SIZE = 2 ** 20;

/** A row for each size of message: throughput in MB/s (10^6) and half the time of a round trip. */
function parsePingpong({ lines, text }: Lines, { command }: CommandFile): ParserFinding {
  const samples: ParsedSample[] = [];
  const sizes: number[] = [];
  const from = lines.findIndex((line) => HEAD.test(line));
  for (const line of from < 0 ? [] : lines.slice(from + 1)) {
    const cells = fields(line);
    const size = binarySize(cells[0]);
    if (cells.length !== 8 || size === null) continue;
    sizes.push(size);
    const common = { operation: 'fabric_pingpong', test: size, iteration: null };
    const throughput = figure(cells[5]) ?? { value: null, reason: 'not printed' };
    const transfer = figure(cells[6]) ?? { value: null, reason: 'not printed' };
    const value = transfer.value === null ? null : transfer.value / 1e6;
    samples.push(
      { ...common, metric: 'throughput', unit: 'MB/s', ...throughput },
      { ...common, metric: 'latency', unit: 's', ...transfer, value },
    );
  }
  const failed = FAILURE.test(text);
  const chosen = binarySize(/\s-S\s*(\d+)(?:\s|$)/.exec(command ?? '')?.[1]);
  const complete = !failed && sizes.at(-1) === (chosen ?? LAST_SIZE);
  const problems = [
    ...(failed ? ['io_error'] : []),
    ...(sizes.length === 0 ? ['no_result_rows'] : complete || failed ? [] : ['truncated']),
  ];
  return {
    complete,
    problems,
    samples,
    tests: sizes.map((size) => ({ ...testOf('fi_pingpong', { test: size }), transferBytes: size })),
  };
}

/** The largest message's throughput, and the smallest one's latency. */
const values: Workload['values'] = (_, { id: operation }, documents) => {
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
};

/** Libfabric's ping-pong between a client and a server, in the place of ib_send_bw: EC2 has EFA and no InfiniBand. One message is under way at a time. */
export const pingpong: Workload = {
  id: 'fi_pingpong',
  label: 'fabric ping-pong',
  launch: { by: 'once', executable: NETWORK },
  version: { argv: ['fi_info', '--version'], version: /^fi_info: ([\d.]+)/m },
  installed: { uses: ['fi_pingpong'], without: 'OffloadBench has no baseline of the fabric' },
  operations: [networkOperation('fabric_pingpong', 'write', 'passed messages')],
  values,
  baselines: [
    {
      id: 'fabric',
      label: 'Network: libfabric ping-pong over TCP, messages of 1 MiB',
      // The name that the servers know (assets/server/bin/boot).
      command: () => [NETWORK, 'fi_pingpong', '{dir}', 'tcp'],
    },
  ],
  formats: [{ recognizes: isPingpong, parse: parsePingpong }],
};
