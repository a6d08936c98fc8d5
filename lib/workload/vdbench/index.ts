import { quote } from '../kit/lint/shell';
import type { Tool } from '../tool';
import { VDBENCH_RULES, vdbenchOptions } from './lint';

/** A definition of what is worked on, of the work, or of a run: `sd=sd1,lun=/fsx/x,openflags=o_direct`. */
const DEFINITION = /^(?:sd|fsd|wd|fwd|rd)=/m;

/**
 * vdbench: only its parameters are linted, as words of one command
 * (Vdbench users guide 5.04.07, https://www.oracle.com/downloads/server-storage/vdbench-downloads.html).
 */
export const vdbench: Tool = {
  id: 'vdbench',
  lint: {
    options: vdbenchOptions,
    rules: VDBENCH_RULES,
    commandsOf: (text) => {
      const lines = text.split('\n').map((line) => line.replace(/^\s*[*#].*$/, '').trim());
      if (!DEFINITION.test(lines.join('\n'))) return null;
      return [
        ['vdbench', ...lines.flatMap((line) => line.split(/[\s,]+/)).filter((word) => word !== '')]
          .map(quote)
          .join(' '),
      ];
    },
  },
};
