import { append } from '../../common/lint/edit';
import { type LintedTool, type LintRule, rule } from '../../common/lint/rule';
import { compressing, direct, operations } from './common';

/** True for a command that reads what it wrote, through the page cache. */
function readsBuffered(subject: LintedTool): boolean {
  const { write, read } = operations(subject);
  return write && read && !direct(subject);
}

/** Rules on where data are when the clock stops, and where they are read from. */
export const CACHE_RULES: readonly LintRule[] = [
  rule('ior-missing-fsync', 'warning', (subject) => {
    if (!operations(subject).write || direct(subject) || subject.options.has('e', 'Y')) return null;
    return {
      message: "A buffered write without -e stops the clock while data are still in the clients' memory.",
      suggestion: append(subject, '-e'),
    };
  }),

  rule('ior-missing-reorder', 'warning', (subject) => {
    if (!readsBuffered(subject) || subject.options.has('C', 'Q', 'Z')) return null;
    return {
      message:
        "Write and read in one command without -C: each process reads its own data from its client's page cache.",
      suggestion: append(subject, '-C'),
    };
  }),

  rule(
    'ior-caches-not-dropped',
    'note',
    (subject) =>
      readsBuffered(subject) && {
        message:
          'Write and read in one command leave no time to drop caches in between; the server caches are warm in any case.',
        suggestion: 'write with -w -k, drop caches, read with -r in a second command',
      },
  ),

  rule('ior-shared-file', 'warning', (subject) => {
    if (!operations(subject).write || subject.options.has('F') || !compressing(subject) || subject.ranks === 1)
      return null;
    return {
      message:
        'Without -F all processes write one file: objects whose first write is not at their start can keep 4 KB records, which hardly compress.',
      suggestion: append(subject, '-F'),
    };
  }),
];
