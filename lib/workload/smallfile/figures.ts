import type { ParsedSample } from '../../schema/parse';
import type { TestHead } from '../common/parse/finding';

/** smallfile's operations in the words of the other tools; any other name stays. */
const OPERATIONS: Readonly<Record<string, string>> = {
  create: 'file_create',
  stat: 'file_stat',
  read: 'file_read',
  rename: 'file_rename',
  delete: 'file_remove',
  mkdir: 'dir_create',
  readdir: 'dir_read',
  rmdir: 'dir_remove',
};

/** The metrics of a run, in the order in which the document has them. */
const UNITS = {
  operations: 'op/s',
  io_operations: 'op/s',
  throughput: 'MiB/s',
  seconds: 's',
  bytes: 'B',
  files: '1',
} as const;
export type SmallfileMetric = keyof typeof UNITS;

export type SmallfileFigure = Pick<ParsedSample, 'value' | 'reason' | 'low' | 'high'>;

/** One run, which is one operation. */
export interface SmallfileResult {
  readonly operation: string;
  readonly version: string | null;
  readonly began: string | null;
  /** Threads that gave their result, of all hosts together. */
  readonly threads: number | null;
  readonly hosts: number;
  readonly filesPerThread: number | null;
  /** KiB, as asked for; 0 is as large as the file. */
  readonly recordKiB: number | null;
  readonly fileKiB: number | null;
  readonly figures: Partial<Record<SmallfileMetric, SmallfileFigure>>;
}

export function samplesOf({ operation, figures }: SmallfileResult, test: number): ParsedSample[] {
  const samples: ParsedSample[] = [];
  for (const metric of Object.keys(UNITS) as SmallfileMetric[]) {
    const figure = figures[metric];
    if (figure === undefined) continue;
    const named = OPERATIONS[operation] ?? operation;
    samples.push({ operation: named, test, iteration: null, metric, unit: UNITS[metric], ...figure });
  }
  return samples;
}

export function describeResult(result: SmallfileResult, test: number): TestHead {
  const { version, began, threads, hosts, filesPerThread, recordKiB, fileKiB } = result;
  const none = { command: null, finished: null, repetitions: null, aggregateBytes: null };
  return {
    test,
    version,
    began,
    ...none,
    tasks: threads,
    nodes: hosts,
    transferBytes: recordKiB === null || recordKiB === 0 ? null : recordKiB * 1024,
    blockBytes: fileKiB === null ? null : fileKiB * 1024,
    items: filesPerThread === null || threads === null ? null : filesPerThread * threads,
  };
}
