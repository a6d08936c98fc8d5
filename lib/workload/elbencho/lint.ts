import { append } from '../kit/lint/edit';
import { needing } from '../kit/lint/files';
import { type Options, readOptions } from '../kit/lint/options';
import type { LintedTool, LintRule } from '../kit/lint/rule';
import type { ShellWord } from '../kit/lint/shell';

/** Long options that take no value (elbencho 2.3, `--help-all`). */
const FLAGS = new Set([
  ...['mkdirs', 'write', 'read', 'stat', 'delfiles', 'deldirs', 'direct', 'rand', 'sync', 'dropcache', 'nolive'],
  ...['verifydirect', 'trunc', 'trunctosize', 'preallocfile', 'lat', 'latpercent', 'cpu', 'version', 'infloop'],
]);

export const elbenchoOptions = (words: readonly ShellWord[]): Options =>
  readOptions(words, 'tnNsb', (name) => !FLAGS.has(name));

/** Many small files are about metadata, whatever they hold. */
const hasData = ({ options }: LintedTool): boolean =>
  options.has('s', 'size') && !/^(?:[2-9]|\d{2,})/.test(options.value('N') ?? options.value('files') ?? '1');
const writes = (subject: LintedTool): boolean => hasData(subject) && subject.options.has('w', 'write');

const noSync: LintRule<LintedTool> = (subject) =>
  !writes(subject) || subject.options.has('direct', 'sync')
    ? null
    : {
        id: 'elbencho-missing-sync',
        severity: 'warning',
        message: "A buffered write without --sync ends while data are still in the client's memory.",
        suggestion: append(subject, '--sync'),
      };

/** https://github.com/breuner/elbencho/issues/98 is what its default writes. */
const repeatedBlocks: LintRule<LintedTool> = (subject) =>
  !writes(subject) || subject.context.compresses === false || subject.options.has('blockvarpct')
    ? null
    : {
        id: 'elbencho-repeats-blocks',
        severity: 'warning',
        message: 'Without --blockvarpct each thread writes the same block again and again, which compression exploits.',
        suggestion: append(subject, '--blockvarpct 100 --blockvaralgo balanced'),
      };

const cachedRead: LintRule<LintedTool> = (subject) => {
  const { options } = subject;
  if (!hasData(subject) || !options.has('r', 'read') || !options.has('w', 'write')) return null;
  if (options.has('direct', 'dropcache')) return null;
  return {
    id: 'elbencho-reads-cached',
    severity: 'warning',
    message: "What was just written is read from the client's memory; --dropcache empties it between the phases.",
    suggestion: append(subject, '--dropcache'),
  };
};

const rewrites = needing({ id: 'elbencho-needs-rewriting', ability: 'rewriting' }, (subject) =>
  writes(subject) && subject.options.has('rand')
    ? { does: 'With --rand elbencho writes anywhere in a file', suggestion: null }
    : null,
);

const removesDirectories = needing(
  { id: 'elbencho-needs-lasting-directories', ability: 'lasting-directories' },
  ({ options }) =>
    options.has('D', 'deldirs')
      ? { does: 'With -D elbencho removes the directories of files that it removed', suggestion: null }
      : null,
);

export const ELBENCHO_RULES: readonly LintRule<LintedTool>[] = [
  rewrites,
  removesDirectories,
  noSync,
  repeatedBlocks,
  cachedRead,
];
