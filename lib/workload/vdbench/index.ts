import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import { edited } from '../kit/lint/edit';
import { type Options, readOptions } from '../kit/lint/options';
import type { LintedTool, LintRule } from '../kit/lint/rule';
import { quote, type ShellWord } from '../kit/lint/shell';
import { wholeNumber } from '../kit/lint/size';
import type { Tool } from '../tool';

const vdbenchOptions = (words: readonly ShellWord[]): Options => readOptions(words, 'feiow');

const given = ({ args }: LintedTool, name: string): ShellWord | undefined =>
  args.findLast(({ value }) => value.startsWith(`${name}=`));
const textOf = (word: ShellWord | undefined): string | undefined => word?.value.slice(word.value.indexOf('=') + 1);
const isDefined = (subject: LintedTool): boolean => subject.args.some(({ value }) => /^f?sd=/.test(value));

const parametersNotChecked: LintRule<LintedTool> = (subject) => {
  const file = subject.options.value('f');
  if (file === undefined || isDefined(subject)) return null;
  return {
    id: 'vdbench-parameter-file',
    severity: 'note',
    message: `The parameter file '${file}' was not checked.`,
    suggestion: `npx fsxbench lint --file ${file} checks it`,
  };
};

const buffered: LintRule<LintedTool> = (subject) => {
  if (!isDefined(subject) || given(subject, 'openflags') !== undefined) return null;
  return {
    id: 'vdbench-buffered',
    severity: 'warning',
    message: "Without openflags=o_direct files are read from and written to the client's memory.",
    suggestion: edited(subject.command, [
      { after: subject.args.at(-1) ?? subject.programWord, add: 'openflags=o_direct' },
    ]),
  };
};

const tooShort: LintRule<LintedTool> = (subject) => {
  const word = given(subject, 'elapsed');
  const [, option] = subject.options.get('e')?.words ?? [];
  const seconds = wholeNumber(textOf(word) ?? option?.value);
  const at = word ?? option;
  if (seconds === null || at === undefined || seconds >= SECONDS_FOR_METRICS) return null;
  return {
    id: 'phase-too-short',
    severity: 'warning',
    message: `${seconds} s: the service's metrics have one data point per minute, so a phase should last ${SECONDS_FOR_METRICS} s.`,
    suggestion: edited(subject.command, [
      { replace: at, by: `${word === undefined ? '' : 'elapsed='}${SECONDS_FOR_METRICS}` },
    ]),
  };
};

const VDBENCH_RULES: readonly LintRule<LintedTool>[] = [parametersNotChecked, buffered, tooShort];

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
