import { accessTo, wordBeginning } from '../kit/lint/access';
import { readOptions } from '../kit/lint/options';
import type { Tool } from '../tool';
import { DD_RULES } from './lint';
import { isDd, parseDd } from './text';

/** dd, with the times that a shell's `time` prints around it: one file after the other, by one process. */
export const dd: Tool = {
  id: 'dd',
  output: {
    formats: [{ recognizes: isDd, parse: parseDd }],
    aliases: ['bash'],
  },
  lint: {
    options: (words) => readOptions(words, ''),
    rules: DD_RULES,
    access: (launched) => {
      const [input, output] = [wordBeginning(launched, 'if='), wordBeginning(launched, 'of=')];
      const discards = output.word === undefined || output.word.value === 'of=/dev/null';
      if (!discards) return accessTo(launched, output.word, output.prefix, true);
      return input.word?.value.startsWith('if=/dev/') ? null : accessTo(launched, input.word, input.prefix, false);
    },
  },
};
