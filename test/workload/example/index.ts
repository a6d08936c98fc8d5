import type { ParseDocument } from '../../../lib/schema/parse';
import type { WorkloadAction } from '../../../lib/schema/plan';
import { optionOf } from '../../../lib/workload/common/asked';
import { type Measured, READ, WRITE } from '../../../lib/workload/common/measured';
import type { ParserFinding } from '../../../lib/workload/common/parse/finding';
import type { Lines } from '../../../lib/workload/common/parse/lines';
import type { Operation } from '../../../lib/workload/operation';
import type { DataPhase, Workload } from '../../../lib/workload/workload';

/** `toyload 1.2: write 1000000000 bytes in 2.500 s`: one line per run, the last. */
const RESULT = /^toyload ([\d.]+): (write|read) (\d+) bytes in (\d+\.\d+) s$/;

function parse({ lines }: Lines): ParserFinding {
  const [, version, operation, bytes, seconds] = lines.map((line) => RESULT.exec(line)).find((match) => match) ?? [];
  const found = operation !== undefined && Number(seconds) > 0;
  const common = { operation: operation ?? '', test: null, iteration: null };
  return {
    version: version ?? null,
    complete: found,
    problems: found ? [] : ['no_result_rows'],
    samples: found
      ? [
          { ...common, metric: 'bytes', value: Number(bytes), unit: 'B' },
          { ...common, metric: 'seconds', value: Number(seconds), unit: 's' },
        ]
      : [],
  };
}

/** All clients' bytes, divided by the time of the slowest client. */
function values(_: WorkloadAction, { id }: Operation, documents: readonly ParseDocument[]): Measured[] {
  const all = (metric: string): number[] =>
    documents.flatMap(({ samples }) =>
      samples.flatMap((one) => (one.operation === id && one.metric === metric ? (one.value ?? []) : [])),
    );
  const bytes = all('bytes').reduce((sum, value) => sum + value, 0);
  const seconds = Math.max(...all('seconds'), 0);
  if (seconds === 0) return [];
  return [
    { operation: id, metric: 'throughput', value: bytes / seconds / 1e6, unit: 'MB/s' },
    { operation: id, metric: 'bytes', value: bytes, unit: 'B' },
    { operation: id, metric: 'total_time', value: seconds, unit: 's' },
  ];
}

/** Random bytes, which do not compress: this tool has no others. */
const PATTERN = { id: 'toyload-random', expectedRatio: 1, ratioOn1MiB: 1 };

function command({ operation, seconds, processesPerClient }: DataPhase): string[] {
  return ['toyload', `--${operation}`, `--seconds=${seconds}`, `--threads=${processesPerClient}`, '{dir}/{client}'];
}

export const toyload: Workload = {
  id: 'toyload',
  label: 'toyload',
  launch: { by: 'each-client' },
  version: { argv: ['toyload', '--version'], version: /^toyload ([\d.]+)/m },
  operations: [WRITE, READ],
  values,
  data: {
    ofRatio: (target) => (target === 1 ? { pattern: PATTERN, command } : null),
    knownPattern: (id) => (id === PATTERN.id ? PATTERN : null),
    asked: (command) => ({ bytesPerProcess: null, seconds: Number(optionOf(command, '--seconds')) }),
  },
  formats: [{ recognizes: (text) => /^toyload [\d.]+: /m.test(text), parse }],
};
