import { wholeNumber } from '../../common/lint/access';
import { append, edited, type LintedTool, type LintRule, rule, withOption } from '../../common/lint/rule';
import { compressing, direct, major, operations, setting } from './script';

/** Finds out what keeps IOR from writing a stonewall's status file, which holds the amount of data for a later read (tested with 3.3.0). */
function statusFileWithout(subject: LintedTool) {
  const { options, command, programWord } = subject;
  if (setting(subject, 'stoneWallingStatusFile') === null || !operations(subject).write) return null;
  const wearOut = setting(subject, 'stoneWallingWearOut');
  const keeps = options.has('k');
  const wearsOut = (wholeNumber(options.value('D')) ?? 0) === 0 || (wearOut?.value ?? '0') !== '0';
  if (keeps && wearsOut) return null;
  const missing = [...(keeps ? [] : ['-k']), ...(wearsOut || wearOut !== null ? [] : ['-O stoneWallingWearOut=1'])];
  const suggestion = edited(command, [
    ...(missing.length === 0 ? [] : [{ after: programWord, add: missing.join(' ') }]),
    ...(wearsOut || wearOut === null
      ? []
      : [
          { replace: wearOut.word, by: wearOut.word.value.replace(/(stoneWallingWearOut=)0+/i, (_, key) => `${key}1`) },
        ]),
  ]);
  return { keeps, suggestion };
}

/** Rules on what ends a phase. */
export const TIME_RULES: readonly LintRule[] = [
  rule('ior-time-limit-without-stonewall', 'warning', (subject) => {
    const { options } = subject;
    const [deadline, limit] = [wholeNumber(options.value('D')), wholeNumber(options.value('T'))];
    if (deadline !== 0 || limit === null || limit === 0) return null;
    return {
      message: `'-D 0' means no stonewall, so only '-T ${limit}' (minutes) ends the run, and it is checked only between repetitions: the last one overruns. Bound each repetition instead.`,
      suggestion: withOption(subject, 'D', '300'),
    };
  }),

  rule('ior-time-limit-cuts-repetitions', 'warning', ({ options }) => {
    const [repetitions, limit] = [wholeNumber(options.value('i')), wholeNumber(options.value('T'))];
    if (repetitions === null || repetitions < 2 || limit === null || limit === 0) return null;
    return {
      message: `If '-T ${limit}' ends the run before '-i ${repetitions}' repetitions, IOR counts the rest as 0/0: max, min and mean of its summary are NaN, and its JSON is invalid.`,
      suggestion: 'use the rows of the repetitions instead, as fsxbench parse does',
    };
  }),

  rule('ior-status-file-without-keep', 'error', (subject) => {
    const version = major(subject);
    const found = statusFileWithout(subject);
    if (found === null || found.keeps) return null;
    return {
      ...(version !== null && version < 4 && { severity: 'warning' }),
      message: 'IOR 4.0.0 rejects stoneWallingStatusFile without -k: the file is for a later read of the kept data.',
      suggestion: found.suggestion,
    };
  }),

  rule('ior-status-file-without-wear-out', 'error', (subject) => {
    const found = statusFileWithout(subject);
    if (found === null || !found.keeps) return null;
    return {
      message:
        'IOR 3.3.0 writes the status file only with stoneWallingWearOut=1; without it a later read fails at the end of the shortest file.',
      suggestion: found.suggestion,
    };
  }),
];

/** True for a command that reads what it wrote, through the page cache. */
function readsBuffered(subject: LintedTool): boolean {
  const { write, read } = operations(subject);
  return write && read && !direct(subject);
}

/** Rules on caches: data must be stored when the clock stops, and must not be read from memory. */
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
