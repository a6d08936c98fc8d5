import { edited } from '../../kit/lint/edit';
import type { LintedTool, LintRule } from '../../kit/lint/rule';
import { wholeNumber } from '../../kit/lint/size';
import { major, operations, setting, withOption } from './common';

export const noStonewallWithTime: LintRule<LintedTool> = (subject) => {
  const { options } = subject;
  const [deadline, limit] = [wholeNumber(options.value('D')), wholeNumber(options.value('T'))];
  if (deadline !== 0 || limit === null || limit === 0) return null;
  const word = options.get('D')?.words.at(-1);
  return {
    id: 'ior-time-limit-without-stonewall',
    severity: 'warning',
    message: `'-D 0' means no stonewall, so only '-T ${limit}' (minutes) ends the run, and it is checked only between repetitions: the last one overruns. Bound each repetition instead.`,
    suggestion: word ? withOption(subject, 'D', '300') : null,
  };
};

export const limitCutsRepetitions: LintRule<LintedTool> = (subject) => {
  const { options } = subject;
  const [repetitions, limit] = [wholeNumber(options.value('i')), wholeNumber(options.value('T'))];
  if (repetitions === null || repetitions < 2 || limit === null || limit === 0) return null;
  return {
    id: 'ior-time-limit-cuts-repetitions',
    severity: 'warning',
    message: `If '-T ${limit}' ends the run before '-i ${repetitions}' repetitions, IOR counts the rest as 0/0: max, min and mean of its summary are NaN, and its JSON is invalid.`,
    suggestion: 'use the rows of the repetitions instead, as fsxbench parse does',
  };
};

/** The status file tells a later read how much data there is (tested with 3.3.0). */
export const statusFile: LintRule<LintedTool> = (subject) => {
  const { options, context, command, programWord } = subject;
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
  const version = major(context.iorVersion);
  if (!keeps)
    return {
      id: 'ior-status-file-without-keep',
      severity: version === null || version >= 4 ? 'error' : 'warning',
      message: 'IOR 4.0.0 rejects stoneWallingStatusFile without -k: the file is for a later read of the kept data.',
      suggestion,
    };
  return {
    id: 'ior-status-file-without-wear-out',
    severity: 'error',
    message:
      'IOR 3.3.0 writes the status file only with stoneWallingWearOut=1; without it a later read fails at the end of the shortest file.',
    suggestion,
  };
};

export const noRepeats: LintRule<LintedTool> = (subject) => {
  const { options, context } = subject;
  const repetitions = wholeNumber(options.value('i') ?? '1');
  if (context.repeated || repetitions === null || repetitions >= 3) return null;
  return {
    id: 'few-repeats',
    severity: 'note',
    message: `${repetitions === 1 ? 'One repetition says' : 'Two repetitions say'} nothing about the variance; differences cannot be told from chance.`,
    // With -T the repetitions could be cut off.
    suggestion: options.has('T') ? 'run the command five times, and check each result' : withOption(subject, 'i', '5'),
  };
};
