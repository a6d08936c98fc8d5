import { append } from '../../kit/lint/edit';
import type { LintedTool, LintRule } from '../../kit/lint/rule';
import { binarySize, humanBytes, wholeNumber } from '../../kit/lint/size';
import { direct, operations, withOption } from './common';

export const missingFsync: LintRule<LintedTool> = (subject) => {
  if (!operations(subject).write || direct(subject) || subject.options.has('e', 'Y')) return null;
  return {
    id: 'ior-missing-fsync',
    severity: 'warning',
    message: "A buffered write without -e stops the clock while data are still in the clients' memory.",
    suggestion: append(subject, '-e'),
  };
};

export const readsOwnData: LintRule<LintedTool> = (subject) => {
  const { write, read } = operations(subject);
  if (!write || !read || direct(subject) || subject.options.has('C', 'Q', 'Z')) return null;
  return {
    id: 'ior-missing-reorder',
    severity: 'warning',
    message: "Write and read in one command without -C: each process reads its own data from its client's page cache.",
    suggestion: append(subject, '-C'),
  };
};

export const oneCommand: LintRule<LintedTool> = (subject) => {
  const { write, read } = operations(subject);
  if (!write || !read || direct(subject)) return null;
  return {
    id: 'ior-caches-not-dropped',
    severity: 'note',
    message:
      'Write and read in one command leave no time to drop caches in between; the server caches are warm in any case.',
    suggestion: 'write with -w -k, drop caches, read with -r in a second command',
  };
};

/** Assumed client memory if none is given: few benchmark clients have less. */
const LEAST_MEMORY = 16 * 2 ** 30;

/** Bytes that the command moves; `null` if unknown. */
function bytesMoved({ options, ranks }: LintedTool): number | null {
  const [block, segments] = [binarySize(options.value('b') ?? '1m'), wholeNumber(options.value('s') ?? '1')];
  return block === null || segments === null || ranks === null ? null : block * segments * ranks;
}

export const dataFitInMemory: LintRule<LintedTool> = (subject) => {
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
      ? `At most ${humanBytes(bytes)} are moved, which fit into the ${humanBytes(memory)} of client and server memory: this measures a cache.`
      : `At most ${humanBytes(bytes)} are moved, which fit into the memory of most clients (set it with --client-memory): this measures a cache.`,
    suggestion: withOption(subject, 's', String(segments)),
  };
};
