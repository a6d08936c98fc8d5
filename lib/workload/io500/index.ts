import { iniSections } from '../kit/lint/ini';
import { readOptions } from '../kit/lint/options';
import { quote } from '../kit/lint/shell';
import type { Tool } from '../tool';
import { IO500_RULES } from './lint';

/** The sections that only its configuration has. */
const PHASES = /^(?:ior|mdtest)-(?:easy|hard)/;

/** IO500: its configuration is linted, as options of one command (https://io500.org/running). */
export const io500: Tool = {
  id: 'io500',
  lint: {
    options: (words) => readOptions(words, ''),
    rules: IO500_RULES,
    commandsOf: (text) => {
      const sections = iniSections(text);
      if (sections === null || !sections.some(({ name }) => PHASES.test(name))) return null;
      const words = sections.flatMap(({ name, options }) =>
        options.flatMap(([key, value]) => (value === null || value === '' ? [] : `--${name}.${key}=${value}`)),
      );
      return [{ command: ['io500', 'CONFIG', ...words].map(quote).join(' ') }];
    },
  },
};
