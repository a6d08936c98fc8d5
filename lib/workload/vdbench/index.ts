import { quote } from '../kit/lint/shell';
import type { Tool } from '../tool';
import { VDBENCH_RULES, vdbenchOptions } from './lint';

/** A definition of what is worked on, of the work, or of a run: `sd=sd1,lun=/fsx/x,openflags=o_direct`. */
const DEFINITION = /^(?:sd|fsd|wd|fwd|rd)=/m;

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/^\s*[*#].*$/, '').trim());
const wordsOf = (line: string): string[] => line.split(/[\s,]+/).filter((word) => word !== '');

/** The words of a command in the lines of the file that it stands for; those that came to it stand at the end. */
function inLinesOf(command: string, text: string): string {
  const words = command.split(' ').slice(1);
  const lines = linesOf(text).filter((line) => line !== '');
  const kept = lines.map((line) => words.splice(0, wordsOf(line).length).join(','));
  return [...kept.slice(0, -1), [kept.at(-1), ...words].join(',')].join('\n');
}

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
      const lines = linesOf(text);
      if (!DEFINITION.test(lines.join('\n'))) return null;
      const words = lines.flatMap(wordsOf);
      return [
        {
          command: ['vdbench', ...words].map(quote).join(' '),
          line: lines.findIndex((one) => DEFINITION.test(one)) + 1,
        },
      ];
    },
    fileOf: inLinesOf,
  },
};
