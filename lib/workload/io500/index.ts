import { wholeNumber } from '../common/lint/access';
import { edited, type LintRule, readOptions, rule } from '../common/lint/rule';
import { iniSections, quote } from '../common/lint/shell';
import type { Tool } from '../tool';

/** Minimum duration of every writing phase (https://io500.org/rules-submission). */
const STONEWALL_SECONDS = 300;

const IO500_RULES: readonly LintRule[] = [
  rule('io500-configuration', 'note', ({ options, args }) => {
    const file = args.find(({ value }) => value.endsWith('.ini'))?.value;
    if (file === undefined || options.given.some(({ name }) => name.includes('.'))) return null;
    const suggestion = `npx fsxbench lint --file ${file} checks it`;
    return { message: `The configuration '${file}' was not checked.`, suggestion };
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

/** The sections that only its configuration has. */
const PHASES = /^(?:ior|mdtest)-(?:easy|hard)/;

/** IO500: its configuration is linted, as options of one command (https://io500.org/running). */
export const io500: Tool = {
  id: 'io500',
  lint: {
    options: (words) => readOptions(words, ''),
    rules: IO500_RULES,
    file: (text) => {
      const sections = iniSections(text);
      if (sections === null || !sections.some(({ name }) => PHASES.test(name))) return null;
      const words = sections.flatMap(({ name, options }) =>
        options.flatMap(([key, value]) => (value === null || value === '' ? [] : `--${name}.${key}=${value}`)),
      );
      return { commands: [{ command: ['io500', 'CONFIG', ...words].map(quote).join(' ') }] };
    },
  },
};
