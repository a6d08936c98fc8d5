import { append, edited } from '../../kit/lint/edit';
import { needing } from '../../kit/lint/files';
import type { LintedTool, LintRule } from '../../kit/lint/rule';
import { binarySize, humanBytes } from '../../kit/lint/size';
import { compressing, major, operations, setting, transfer, withOption } from './common';

export const sharedFile: LintRule<LintedTool> = (subject) => {
  if (!operations(subject).write || subject.options.has('F') || !compressing(subject) || subject.ranks === 1)
    return null;
  return {
    id: 'ior-shared-file',
    severity: 'warning',
    message:
      'Without -F all processes write one file: objects whose first write is not at their start can keep 4 KB records, which hardly compress.',
    suggestion: append(subject, '-F'),
  };
};

export const rewrites = needing({ id: 'ior-needs-rewriting', ability: 'rewriting' }, (subject) => {
  if (!operations(subject).write) return null;
  if (subject.options.has('z')) return { does: 'With -z IOR writes anywhere in a file', suggestion: null };
  return subject.options.has('F') || subject.ranks === 1
    ? null
    : { does: 'Without -F all processes write one file', suggestion: append(subject, '-F') };
});

export const verbosity: LintRule<LintedTool> = (subject) => {
  const { options, context } = subject;
  const words = new Set(options.given.filter(({ name }) => name === 'v').flatMap((option) => option.words));
  const letters = options.given.filter(({ name }) => name === 'v').length;
  const version = major(context.iorVersion);
  const level = version !== null && version < 4 ? words.size : letters;
  const quieter = (keep: string): string => {
    const [first, ...others] = [...words];
    return edited(subject.command, [{ replace: first as (typeof others)[number], by: keep }, { remove: others }]);
  };
  if (level >= 3)
    return {
      id: 'ior-prints-environment',
      severity: 'error',
      message: 'From verbosity 3 on IOR prints the whole environment, including credentials, to its output.',
      suggestion: quieter('-v'),
    };
  const doubled = [...words].find(({ value }) => /^-v{2,}$/.test(value));
  if (!doubled || (version !== null && version >= 4)) return null;
  return {
    id: 'ior-vv-counts-once',
    severity: 'note',
    message: `IOR 3.3.0 counts '${doubled.value}' as a single -v.`,
    suggestion: edited(subject.command, [
      { replace: doubled, by: '-v' },
      { after: doubled, add: '-v' },
    ]),
  };
};

export const oldDirectOption: LintRule<LintedTool> = (subject) => {
  const option = subject.options.get('B');
  if (!option || (subject.context.iorVersion ?? '3.3.0').startsWith('3.2')) return null;
  const word = option.words[0];
  return {
    id: 'ior-old-odirect',
    severity: 'error',
    message: "'-B' was removed in IOR 3.3.0, which prints its help and exits with 0; use --posix.odirect for O_DIRECT.",
    suggestion:
      word?.value === '-B' ? edited(subject.command, [{ replace: word, by: '--posix.odirect' }]) : '--posix.odirect',
  };
};

export const sizesDoNotDivide: LintRule<LintedTool> = (subject) => {
  const [block, size] = [binarySize(subject.options.value('b')), transfer(subject)];
  if (block === null || size === null || size === 0 || block % size === 0) return null;
  return {
    id: 'ior-block-not-multiple',
    severity: 'error',
    message: `The block size (-b, ${humanBytes(block)}) must be a multiple of the transfer size (-t, ${humanBytes(size)}): IOR refuses to start.`,
    suggestion: withOption(subject, 'b', `${Math.ceil(block / size) * size}`),
  };
};

export const csvWithoutData: LintRule<LintedTool> = (subject) => {
  const format = setting(subject, 'summaryFormat');
  const version = major(subject.context.iorVersion);
  if (format?.value.toUpperCase() !== 'CSV' || (version !== null && version >= 4)) return null;
  const file = setting(subject, 'summaryFile') === null ? ' -O summaryFile=ior.json' : '';
  return {
    id: 'ior-csv-without-data',
    severity: version === null ? 'warning' : 'error',
    message: 'The CSV of IOR 3.3.0 has a broken header and no rows.',
    suggestion: `${edited(subject.command, [{ replace: format.word, by: format.word.value.replace(/(summaryFormat=)csv/i, '$1JSON') }])}${file}`,
  };
};

export const jsonWithVerbose: LintRule<LintedTool> = (subject) => {
  if (setting(subject, 'summaryFormat')?.value.toUpperCase() !== 'JSON') return null;
  if (setting(subject, 'summaryFile') !== null || !subject.options.has('v')) return null;
  return {
    id: 'ior-json-with-verbose',
    severity: 'warning',
    message: 'With -v IOR mixes other lines into the JSON on its output, which makes it invalid.',
    suggestion: append(subject, '-O summaryFile=ior.json'),
  };
};
