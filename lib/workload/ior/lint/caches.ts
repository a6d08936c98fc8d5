import type { Rule, Subject } from '../../kit/lint/rule';
import { binarySize, humanBytes, wholeNumber } from '../../kit/lint/size';
import { append, direct, operations, withOption } from './common';

export const missingFsync: Rule<Subject> = (subject) => {
  if (!operations(subject).write || direct(subject) || subject.options.has('e', 'Y')) return null;
  return {
    id: 'ior-missing-fsync',
    severity: 'warning',
    message: 'A buffered write without -e stops the clock while data are still in the memory of the clients.',
    suggestion: append(subject, '-e'),
  };
};

export const readsOwnData: Rule<Subject> = (subject) => {
  const { write, read } = operations(subject);
  if (!write || !read || direct(subject) || subject.options.has('C', 'Q', 'Z')) return null;
  return {
    id: 'ior-missing-reorder',
    severity: 'warning',
    message:
      'Write and read in one command without -C: each process reads what it wrote itself, from the page cache of its client.',
    suggestion: append(subject, '-C'),
  };
};

export const oneCommand: Rule<Subject> = (subject) => {
  const { write, read } = operations(subject);
  if (!write || !read || direct(subject)) return null;
  return {
    id: 'ior-caches-not-dropped',
    severity: 'note',
    message:
      'Write and read in one command leave no moment to drop caches between them; the caches of the servers are warm in any case.',
    suggestion: 'write with -w -k, drop caches, read with -r in a second command',
  };
};

/** Without a word on the memory: hardly a client that one benchmarks with has less. */
const LEAST_MEMORY = 16 * 2 ** 30;

/** Bytes that the command moves; `null` when that cannot be told. */
function bytesMoved({ options, ranks }: Subject): number | null {
  const [block, segments] = [binarySize(options.value('b') ?? '1m'), wholeNumber(options.value('s') ?? '1')];
  return block === null || segments === null || ranks === null ? null : block * segments * ranks;
}

export const dataFitInMemory: Rule<Subject> = (subject) => {
  const { clients = 1, clientMemoryBytes, serverMemoryBytes = 0 } = subject.context;
  const bytes = bytesMoved(subject);
  const known = clientMemoryBytes !== undefined || serverMemoryBytes > 0;
  const memory = known ? clients * (clientMemoryBytes ?? 0) + serverMemoryBytes : LEAST_MEMORY;
  if (bytes === null || bytes > memory || (!known && direct(subject))) return null;
  const factor = Math.ceil((2 * memory) / Math.max(bytes, 1));
  const segments = (wholeNumber(subject.options.value('s') ?? '1') ?? 1) * factor;
  return {
    id: 'data-fit-in-memory',
    severity: 'warning',
    message: known
      ? `At most ${humanBytes(bytes)} are moved, which fit into the ${humanBytes(memory)} of memory of clients and servers: a cache is measured.`
      : `At most ${humanBytes(bytes)} are moved, which fit into the memory of most clients (--client-memory says how much there is): a cache is measured.`,
    suggestion: withOption(subject, 's', String(segments)),
  };
};
