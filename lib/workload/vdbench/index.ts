import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import { appendLast, edited } from '../common/lint/edit';
import { readOptions } from '../common/lint/options';
import { type LintedTool, type LintRule, rule } from '../common/lint/rule';
import { quote, type ShellWord } from '../common/lint/shell';
import { wholeNumber } from '../common/lint/size';
import type { Tool } from '../tool';

const parameter = ({ args }: LintedTool, name: string): ShellWord | undefined =>
  args.findLast(({ value }) => value.startsWith(`${name}=`));
const textOf = (word: ShellWord | undefined): string | undefined => word?.value.slice(word.value.indexOf('=') + 1);
const isDefined = (subject: LintedTool): boolean => subject.args.some(({ value }) => /^f?sd=/.test(value));

const VDBENCH_RULES: readonly LintRule[] = [
  rule('vdbench-parameter-file', 'note', (subject) => {
    const file = subject.options.value('f');
    return (
      file !== undefined &&
      !isDefined(subject) && {
        message: `The parameter file '${file}' was not checked.`,
        suggestion: `npx fsxbench lint --file ${file} checks it`,
      }
    );
  }),

  rule('vdbench-buffered', 'warning', (subject) => {
    const message = "Without openflags=o_direct files are read from and written to the client's memory.";
    const asked = isDefined(subject) && parameter(subject, 'openflags') === undefined;
    return asked && { message, suggestion: appendLast(subject, 'openflags=o_direct') };
  }),

  rule('phase-too-short', 'warning', (subject) => {
    const word = parameter(subject, 'elapsed');
    const [, option] = subject.options.get('e')?.words ?? [];
    const seconds = wholeNumber(textOf(word) ?? option?.value);
    const at = word ?? option;
    if (seconds === null || at === undefined || seconds >= SECONDS_FOR_METRICS) return null;
    const by = `${word === undefined ? '' : 'elapsed='}${SECONDS_FOR_METRICS}`;
    return {
      message: `${seconds} s: the service's metrics have one data point per minute, so a phase should last ${SECONDS_FOR_METRICS} s.`,
      suggestion: edited(subject.command, [{ replace: at, by }]),
    };
  }),
];

/** A definition of what is worked on, of the work, or of a run: `sd=sd1,lun=/fsx/x,openflags=o_direct`. */
const DEFINITION = /^(?:sd|fsd|wd|fwd|rd)=/m;

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/^\s*[*#].*$/, '').trim());
const wordsOf = (line: string): string[] => line.split(/[\s,]+/).filter((word) => word !== '');

/** Puts the words of a command back into the lines of its file; added words go to the end. */
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
    options: (words) => readOptions(words, 'feiow'),
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
