import { binarySize, needing } from '../common/lint/access';
import { append, type LintedTool, type LintRule, type Options, readOptions, rule } from '../common/lint/rule';
import type { ShellWord } from '../common/lint/shell';
import type { Tool } from '../tool';
import { isElbencho, isElbenchoCsv, parseElbencho, parseElbenchoCsv } from './output';

/** Long options without a value (elbencho 2.3, `--help-all`). */
const FLAGS = new Set([
  ...['mkdirs', 'write', 'read', 'stat', 'delfiles', 'deldirs', 'direct', 'rand', 'sync', 'dropcache', 'nolive'],
  ...['verifydirect', 'trunc', 'trunctosize', 'preallocfile', 'lat', 'latpercent', 'cpu', 'version', 'infloop'],
]);

const elbenchoOptions = (words: readonly ShellWord[]): Options =>
  readOptions(words, 'tnNsb', (name) => !FLAGS.has(name));

/** Files below this are about metadata, whatever they contain. */
const SMALL_FILE = 2 ** 20;

/** True for a command on data: on one file for each thread, or on files that are not small. */
function hasData({ options }: LintedTool): boolean {
  const size = options.value('s') ?? options.value('size');
  if (size === undefined) return false;
  const files = options.value('N') ?? options.value('files') ?? '1';
  return /^1$/.test(files) || (binarySize(size) ?? SMALL_FILE) >= SMALL_FILE;
}
const writes = (subject: LintedTool): boolean => hasData(subject) && subject.options.has('w', 'write');

const ELBENCHO_RULES: readonly LintRule[] = [
  needing({ id: 'elbencho-needs-rewriting', ability: 'rewriting' }, (subject) =>
    writes(subject) && subject.options.has('rand')
      ? { does: 'With --rand elbencho writes anywhere in a file', suggestion: null }
      : null,
  ),

  needing({ id: 'elbencho-needs-lasting-directories', ability: 'lasting-directories' }, ({ options }) =>
    options.has('D', 'deldirs')
      ? { does: 'With -D elbencho removes the directories of files that it removed', suggestion: null }
      : null,
  ),

  rule('elbencho-missing-sync', 'warning', (subject) => {
    const message = "A buffered write without --sync ends while data are still in the client's memory.";
    return (
      writes(subject) && !subject.options.has('direct', 'sync') && { message, suggestion: append(subject, '--sync') }
    );
  }),

  /** https://github.com/breuner/elbencho/issues/98 is what its default writes. */
  rule('elbencho-repeats-blocks', 'warning', (subject) => {
    if (!writes(subject) || subject.context.compresses === false || subject.options.has('blockvarpct')) return null;
    return {
      message: 'Without --blockvarpct each thread writes the same block again and again, which compression exploits.',
      suggestion: append(subject, '--blockvarpct 100 --blockvaralgo balanced'),
    };
  }),

  rule('elbencho-reads-cached', 'warning', (subject) => {
    const { options } = subject;
    if (!hasData(subject) || !options.has('r', 'read') || options.has('direct', 'dropcache')) return null;
    const before = subject.line.slice(
      0,
      subject.line.indexOf(subject.line.find(({ command }) => command === subject.command) as never),
    );
    const isWritten = before.some((one) => one.tool === subject.tool && elbenchoOptions(one.args).has('w', 'write'));
    if (!options.has('w', 'write') && !isWritten) return null;
    return {
      message: "Data just written are read from the client's memory; --dropcache empties it between the phases.",
      suggestion: append(subject, '--dropcache'),
    };
  }),
];

/** elbencho: its output is parsed and its commands are linted. */
export const elbencho: Tool = {
  id: 'elbencho',
  lint: { options: elbenchoOptions, rules: ELBENCHO_RULES },
  formats: [
    { recognizes: isElbencho, parse: parseElbencho },
    { recognizes: isElbenchoCsv, parse: parseElbenchoCsv },
  ],
};
