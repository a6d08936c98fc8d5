import type { ParseDocument } from '../../schema/parse';
import type { Operation } from '../operation';

/** A value with its unit, or the reason for its absence. */
export interface Measured {
  readonly operation: string;
  readonly metric: string;
  readonly value: number | null;
  readonly unit: string;
  readonly reason?: string;
  readonly iteration?: number | null;
  readonly problems?: readonly string[];
  readonly cautions?: readonly string[];
  /** Number of processes and machines, as the tool printed them. */
  readonly ranks?: number | null;
  readonly nodes?: number | null;
  readonly toolVersion?: string | null;
}

/** The operation of a value, and the tool's iteration, if any. */
type Place = Pick<Measured, 'operation' | 'iteration'>;

/** Seconds until the first and until the last process or client was done. */
export const ends = (place: Place, first: number, last: number): Measured[] => [
  { ...place, metric: 'first_done', value: first, unit: 's' },
  { ...place, metric: 'last_done', value: last, unit: 's' },
];

/** Bytes that the slowest and the fastest had moved at the stonewall. */
export const amounts = (place: Place, min: number, max: number): Measured[] => [
  { ...place, metric: 'least_bytes', value: min, unit: 'B' },
  { ...place, metric: 'most_bytes', value: max, unit: 'B' },
];

/** A rate of operations; with their number and the time, if the number is known. */
export function countedRate(place: Place, rate: number, count: number | null): Measured[] {
  const measured: Measured = { ...place, metric: 'rate', value: rate, unit: 'op/s' };
  if (count === null) return [measured];
  return [
    measured,
    { ...place, metric: 'operations', value: count, unit: '1' },
    { ...place, metric: 'seconds', value: count / rate, unit: 's' },
  ];
}

/** Order of a process's transfers in a file: one after the other, forward with gaps, or anyhow. */
export type Order = 'sequential' | 'strided' | 'random';

/** Reads or writes of a recorded program, of the files that hold nearly all of its bytes. */
export interface RecordedTransfers {
  readonly bytes: number;
  readonly operations: number;
  /** The size of most transfers; `null` without such a size. */
  readonly transferBytes: number | null;
  readonly order: Order | null;
}

/** Work of a program on files, as a tool recorded it while the program ran. */
export interface RecordedWork {
  readonly processes: number;
  readonly seconds: number;
  /** Files with nearly all bytes: of all processes, of some, and of one process each. */
  readonly files: { readonly shared: number; readonly partly: number; readonly own: number };
  readonly write: RecordedTransfers | null;
  readonly read: RecordedTransfers | null;
  readonly opens: number;
  readonly stats: number;
  readonly syncs: number;
  /** Seconds of all processes together in transfers, and in calls on files and directories. */
  readonly dataSeconds: number;
  readonly metadataSeconds: number;
  /** Share of the bytes that went through buffered streams of the C library. */
  readonly streamed: number;
}

/** Values of an operation's metrics, in the order of the clients and of what they printed; NaN for one that could not be read. */
export const printedValues =
  (documents: readonly ParseDocument[], operation: string) =>
  (metric: string): number[] =>
    documents.flatMap(({ samples }) =>
      samples.flatMap((one) => (one.operation === operation && one.metric === metric ? (one.value ?? Number.NaN) : [])),
    );

/** The first value of each of an operation's metrics; `null` without one. */
export const printedValue =
  (documents: readonly ParseDocument[], operation: string) =>
  (metric: string): number | null =>
    documents.flatMap(({ samples }) => samples).find((one) => one.operation === operation && one.metric === metric)
      ?.value ?? null;

export const DATA = { on: 'data', metric: 'throughput', restartable: true } as const;

/** Sequential file I/O: a partly written file is rewritten from its start. */
export const WRITE: Operation = { ...DATA, id: 'write', verb: 'write', past: 'wrote', makesData: true, cached: false };
export const READ: Operation = { ...DATA, id: 'read', verb: 'read', past: 'read', makesData: false, cached: true };

/** Operations on many files or directories. A partial attempt cannot be continued, since the rest would run at a different rate. */
function operationsOn(on: 'files' | 'directories') {
  const operation = (verb: 'create' | 'stat' | 'read' | 'remove', past: string): Operation => ({
    id: `${on === 'files' ? 'file' : 'dir'}_${verb}`,
    on,
    verb,
    metric: 'rate',
    past: `${past} ${on}`,
    makesData: verb === 'create',
    cached: verb === 'stat' || verb === 'read',
    restartable: verb === 'stat' || verb === 'read',
  });
  return {
    create: operation('create', 'created'),
    stat: operation('stat', 'ran stat on'),
    read: operation('read', 'opened'),
    remove: operation('remove', 'deleted'),
  };
}

export const FILES = operationsOn('files');
export const DIRECTORIES = operationsOn('directories');
