import { edited } from '../kit/lint/edit';
import { type LintRule, rule } from '../kit/lint/rule';
import { wholeNumber } from '../kit/lint/size';

/** Minimum duration of every writing phase (https://io500.org/rules-submission). */
const STONEWALL_SECONDS = 300;

export const IO500_RULES: readonly LintRule[] = [
  rule('io500-configuration', 'note', ({ options, args }) => {
    const file = args.find(({ value }) => value.endsWith('.ini'))?.value;
    if (file === undefined || options.given.some(({ name }) => name.includes('.'))) return null;
    return {
      message: `The configuration '${file}' was not checked.`,
      suggestion: `npx fsxbench lint --file ${file} checks it`,
    };
  }),

  rule('io500-short-stonewall', 'error', ({ options, command }) => {
    const option = options.get('debug.stonewall-time');
    const seconds = wholeNumber(option?.value ?? undefined);
    const [word] = option?.words ?? [];
    if (seconds === null || word === undefined || seconds >= STONEWALL_SECONDS) return null;
    return {
      message: `A stonewall of ${seconds} s makes the score invalid: every phase that writes must last ${STONEWALL_SECONDS} s.`,
      suggestion: edited(command, [{ replace: word, by: `--debug.stonewall-time=${STONEWALL_SECONDS}` }]),
    };
  }),
];
