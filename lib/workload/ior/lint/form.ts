import { append, edited, withOption } from '../../common/lint/edit';
import { needing } from '../../common/lint/files';
import { type LintRule, rule } from '../../common/lint/rule';
import { binarySize, humanBytes, shortSize } from '../../common/lint/size';
import { operations, transfer } from './common';

/** Rules on commands that fail, or measure nothing. */
export const FORM_RULES: readonly LintRule[] = [
  rule('ior-script-file', 'note', ({ options }) => {
    const script = options.value('f');
    return (
      script !== undefined && {
        message: `The script '${script}' was not checked.`,
        suggestion: `npx fsxbench lint --file ${script} checks it`,
      }
    );
  }),

  needing({ id: 'ior-needs-rewriting', ability: 'rewriting' }, (subject) => {
    if (!operations(subject).write) return null;
    if (subject.options.has('z')) return { does: 'With -z IOR writes anywhere in a file', suggestion: null };
    return subject.options.has('F') || subject.ranks === 1
      ? null
      : { does: 'Without -F all processes write one file', suggestion: append(subject, '-F') };
  }),

  rule(
    'dummy-api',
    'error',
    (subject) =>
      subject.options.value('a')?.toUpperCase() === 'DUMMY' && {
        message: 'The DUMMY interface moves no data and reports any rate.',
        suggestion: withOption(subject, 'a', 'POSIX'),
      },
  ),

  rule('ior-old-odirect', 'error', (subject) => {
    const option = subject.options.get('B');
    if (!option || (subject.context.iorVersion ?? '3.3.0').startsWith('3.2')) return null;
    const word = option.words[0];
    return {
      message:
        "'-B' was removed in IOR 3.3.0, which prints its help and exits with 0; use --posix.odirect for O_DIRECT.",
      suggestion:
        word?.value === '-B' ? edited(subject.command, [{ replace: word, by: '--posix.odirect' }]) : '--posix.odirect',
    };
  }),

  // It reads sizes as "%lld %c" (hpc/ior, src/option.c).
  rule('ior-size-fraction', 'error', (subject) => {
    const option = (['b', 't'] as const).find((name) => subject.options.value(name)?.includes('.'));
    const value = option && subject.options.value(option);
    const bytes = binarySize(value);
    if (option === undefined || bytes === null) return null;
    return {
      message: `IOR reads only whole numbers: of '-${option} ${value}' it takes what stands before the dot, as bytes, and refuses to start.`,
      suggestion: withOption(subject, option, shortSize(Math.max(1, Math.round(bytes / 1024)) * 1024)),
    };
  }),

  rule('ior-block-not-multiple', 'error', (subject) => {
    const [block, size] = [binarySize(subject.options.value('b')), transfer(subject)];
    if (block === null || size === null || size === 0 || block % size === 0) return null;
    return {
      message: `The block size (-b, ${humanBytes(block)}) must be a multiple of the transfer size (-t, ${humanBytes(size)}): IOR refuses to start.`,
      suggestion: withOption(subject, 'b', `${Math.ceil(block / size) * size}`),
    };
  }),
];
