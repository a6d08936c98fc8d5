import { SECONDS_FOR_METRICS } from '../../schema/metrics';
import { edited } from '../kit/lint/edit';
import { type Options, readOptions } from '../kit/lint/options';
import type { LintedTool, LintRule } from '../kit/lint/rule';
import type { ShellWord } from '../kit/lint/shell';
import { wholeNumber } from '../kit/lint/size';

export const vdbenchOptions = (words: readonly ShellWord[]): Options => readOptions(words, 'feiow');

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

export const VDBENCH_RULES: readonly LintRule<LintedTool>[] = [parametersNotChecked, buffered, tooShort];
