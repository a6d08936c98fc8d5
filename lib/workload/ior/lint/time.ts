import { edited } from '../../kit/lint/edit';
import type { Rule, Subject } from '../../kit/lint/rule';
import { wholeNumber } from '../../kit/lint/size';
import { major, operations, setting, withOption } from './common';

export const noStonewallWithTime: Rule<Subject> = (subject) => {
  const { options } = subject;
  const [deadline, limit] = [wholeNumber(options.value('D')), wholeNumber(options.value('T'))];
  if (deadline !== 0 || limit === null || limit === 0) return null;
  const word = options.get('D')?.words.at(-1);
  return {
    id: 'ior-time-limit-without-stonewall',
    severity: 'warning',
    message: `'-D 0' means no stonewall, so only '-T ${limit}' (minutes) ends the run, and that is looked at between repetitions: the last one runs over. Bound each repetition instead.`,
    suggestion: word ? withOption(subject, 'D', '300') : null,
  };
};

export const limitCutsRepetitions: Rule<Subject> = (subject) => {
  const { options } = subject;
  const [repetitions, limit] = [wholeNumber(options.value('i')), wholeNumber(options.value('T'))];
  if (repetitions === null || repetitions < 2 || limit === null || limit === 0) return null;
  return {
    id: 'ior-time-limit-cuts-repetitions',
    severity: 'warning',
    message: `When '-T ${limit}' ends the run before '-i ${repetitions}' repetitions, IOR counts the rest as 0/0: max, min and mean of its summary are NaN, and JSON is invalid.`,
    suggestion: 'compute from the rows of the repetitions: fsxbench parse does',
  };
};

/** The file tells a later read how much there is (tried with 3.3.0). */
export const statusFile: Rule<Subject> = (subject) => {
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
      message: 'IOR 4.0.0 refuses stoneWallingStatusFile without -k: the file is for a later read of what is kept.',
      suggestion,
    };
  return {
    id: 'ior-status-file-without-wear-out',
    severity: 'error',
    message:
      'IOR 3.3.0 writes the status file only with stoneWallingWearOut=1; without it a read of what was written stops at the end of the shortest file, with an error.',
    suggestion,
  };
};

export const noRepeats: Rule<Subject> = (subject) => {
  const { options, context } = subject;
  const repetitions = wholeNumber(options.value('i') ?? '1');
  if (context.repeated || repetitions === null || repetitions >= 3) return null;
  return {
    id: 'few-repeats',
    severity: 'note',
    message: `${repetitions === 1 ? 'One repetition says' : 'Two repetitions say'} nothing about the spread; a difference cannot be told from chance.`,
    // With -T the repetitions could be cut off.
    suggestion: options.has('T') ? 'start the command five times, and look at each' : withOption(subject, 'i', '5'),
  };
};
