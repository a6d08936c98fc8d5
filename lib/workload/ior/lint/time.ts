import { edited, withOption } from '../../common/lint/edit';
import { type LintedTool, type LintRule, rule } from '../../common/lint/rule';
import { wholeNumber } from '../../common/lint/size';
import { major, operations, setting } from './common';

/** Finds out what keeps IOR from writing the status file of a stonewall, which tells a later read how much data there is (tested with 3.3.0). */
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
    const version = major(subject.context.iorVersion);
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
