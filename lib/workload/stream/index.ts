import type { ParsedSample } from '../../schema/parse';
import { dataOfClients } from '../common/asked';
import { printedValues, WRITE } from '../common/measured';
import type { ParserFinding } from '../common/parse/finding';
import { jsonFigure, readJson } from '../common/parse/json';
import type { Lines } from '../common/parse/lines';
import type { Operation } from '../operation';
import type { DataPhase, Workload } from '../workload';

/** Rate of the bytes before compression, of which the network carries fewer: no limit of a storage applies to it. */
const STREAM_WRITE: Operation = { ...WRITE, id: 'stream_write', past: 'wrote streams' };

/** assets/client/bin/compress-stream, on a client. */
const COMPRESS_STREAM = '{bin}/compress-stream';

/** A stream of data that is compressed on the client before it is written. */
interface StreamPhase extends Pick<DataPhase, 'seconds' | 'maxBytesPerProcess'> {
  readonly algorithm: string;
  readonly level: number;
  /** Makes the data, a file for each process, in `{input}`. */
  readonly input: readonly string[];
}

/** The highest level of each algorithm. */
export const STREAM_LEVELS: Readonly<Record<string, number>> = { lz4: 12, zstd: 19 };

/** The command line of assets/client/bin/compress-stream, without launcher. */
export function streamCommand({ algorithm, level, seconds, maxBytesPerProcess, input }: StreamPhase): string[] {
  const mib = Math.max(1, Math.floor(maxBytesPerProcess / 2 ** 20));
  const numbers = [level, seconds, mib].map(String);
  return [COMPRESS_STREAM, algorithm, ...numbers, '{dir}', 'client{client}', '--', ...input];
}

/** Bytes before compression of all clients, divided by the time of the slowest: the rate that the user's program sees. */
const values: Workload['values'] = (_, { id: operation }, documents) => {
  const of = printedValues(documents, operation);
  const sum = (...metrics: string[]): number => metrics.flatMap(of).reduce((total, value) => total + value, 0);
  const data = dataOfClients(operation, of('bytes'), of('seconds'));
  if (data.length === 0) return [];
  const cpu = sum('user_seconds', 'system_seconds');
  return [
    ...data,
    { operation, metric: 'stored_bytes', value: sum('stored_bytes'), unit: 'B' },
    { operation, metric: 'client_cpu_seconds', value: cpu, unit: 's' },
  ];
};

const LINE = /^\{"schema":"fsxbench\.stream\/1"[^\n]*$/m;

const isStream = (text: string): boolean => text.includes('"fsxbench.stream/') && LINE.test(text);

const FIGURES = [
  ['bytes', 'B', 'bytes'],
  ['stored_bytes', 'B', 'stored_bytes'],
  ['seconds', 's', 'wall_s'],
  ['user_seconds', 's', 'user_s'],
  ['system_seconds', 's', 'system_s'],
] as const;

/** A stream compressed on a client: `bytes` before and `stored_bytes` after, wall-clock `seconds` to the sync, and CPU seconds of its pipes. */
function parseStream({ text }: Lines): ParserFinding {
  const printed = readJson(LINE.exec(text)?.[0] ?? '');
  const samples = (printed === undefined ? [] : FIGURES).map(([metric, unit, field]): ParsedSample => {
    return { operation: 'stream_write', test: null, iteration: null, metric, unit, ...jsonFigure(printed?.[field]) };
  });
  const whole = samples.length > 0 && samples.every(({ value }) => value !== null);
  const { program, version, level, processes } = printed ?? {};
  const release = [program, version].filter(Boolean).join(' ') || null;
  return {
    version: release === null ? null : `${release}, level ${level}`,
    complete: whole,
    problems: whole ? [] : ['truncated'],
    samples,
    tests: [{ test: 'stream', version: release, tasks: typeof processes === 'number' ? processes : null }],
  };
}

/** Compression on the client: a stream through lz4 or zstd into a file, what a user does who does not leave it to the file system. */
export const stream: Workload = {
  id: 'stream',
  label: 'compressed stream',
  launch: { by: 'each-client', executable: COMPRESS_STREAM },
  installed: { uses: ['lz4', 'zstd'], without: 'OffloadBench has no compression on the client' },
  operations: [STREAM_WRITE],
  stragglers: () => 'a compressed stream reports the processes of a client as one',
  values,
  formats: [{ recognizes: isStream, parse: parseStream, form: 'json' }],
  program: 'compress-stream',
};
