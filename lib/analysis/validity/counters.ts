import { bytes, plain } from '../../common/format/units';
import type { MetricRole } from '../../storage/role';
import { workloadOrNone } from '../../workload/lookup';
import type { MeasuredTask } from '../task';

/** A count that both the clients and the service keep. */
export interface ServiceCounter {
  readonly operation: string;
  readonly role: MetricRole;
  /** True for its own tasks. */
  readonly counts: (task: MeasuredTask) => boolean;
  readonly amount: (task: MeasuredTask) => number | null;
  readonly show: (value: number) => string;
  /** Possible fate of bytes or files that the service did not count, and where to look for them. */
  readonly unseen: string;
  readonly suggestion: string;
}

/** Returns the direction in which a task moves data, if there is only one: a read writes nothing. */
const wayOf = ({ operation, tool }: MeasuredTask): string | undefined =>
  operation === 'write' || operation === 'read'
    ? operation
    : workloadOrNone(tool)?.operations.find(({ id }) => id === operation)?.moves;

const moved = (operation: 'write' | 'read', role: MetricRole): ServiceCounter => ({
  operation,
  role,
  counts: (task) => wayOf(task) === operation,
  // A loop that reads may have found some of it in the client's memory.
  amount: (task) => (operation === 'read' && task.operation !== 'read' ? null : task.bytes),
  show: bytes,
  unseen: 'the rest came from a cache or stayed in one',
  suggestion: 'check whether caches were dropped, and whether the metrics of the whole run were collected',
});

const done = (operation: string, role: MetricRole, what: string): ServiceCounter => ({
  operation,
  role,
  counts: (task) => task.operation === operation,
  amount: (task) => task.operations,
  show: (value) => `${plain(value)} ${what}`,
  unseen: 'the rest did not happen on this file system',
  suggestion: 'check whether it was mounted on every client, and whether the metrics of the whole run were collected',
});

/** Bytes of each direction. */
export const BYTES = [moved('write', 'bytes_written'), moved('read', 'bytes_read')];
export const FILES = done('file_create', 'file_creates', 'files');
export const CREATES = [FILES, done('dir_create', 'dir_creates', 'directories')];
// Changes of a directory always reach a metadata server; a client may answer looks and opens from its cache.
export const REMOVES = [done('file_remove', 'file_deletes', 'files'), done('dir_remove', 'dir_deletes', 'directories')];

/** True for a task next to an operation on data that may have moved data as well. */
export const mayMove = (task: MeasuredTask, counter: ServiceCounter): boolean =>
  BYTES.includes(counter) && wayOf(task) === undefined;
