import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import { appendLast, edited } from '../kit/lint/edit';
import { type Options, readOptions } from '../kit/lint/options';
import { type LintedTool, type LintRule, rule } from '../kit/lint/rule';
import type { ShellWord } from '../kit/lint/shell';
import { wholeNumber } from '../kit/lint/size';

export const vdbenchOptions = (words: readonly ShellWord[]): Options => readOptions(words, 'feiow');

const given = ({ args }: LintedTool, name: string): ShellWord | undefined =>
  args.findLast(({ value }) => value.startsWith(`${name}=`));
const textOf = (word: ShellWord | undefined): string | undefined => word?.value.slice(word.value.indexOf('=') + 1);
const isDefined = (subject: LintedTool): boolean => subject.args.some(({ value }) => /^f?sd=/.test(value));

export const VDBENCH_RULES: readonly LintRule[] = [
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
    const asked = isDefined(subject) && given(subject, 'openflags') === undefined;
    return asked && { message, suggestion: appendLast(subject, 'openflags=o_direct') };
  }),

  rule('phase-too-short', 'warning', (subject) => {
    const word = given(subject, 'elapsed');
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
