import type { Finding } from '../analysis/compare/comparisons';
import { ownValue } from '../kit/ownValue';
import { betterOf } from '../workload/lookup';
import type { Text } from './blocks';

/** The heading of the main figures: a run of a user's own program has times and no throughput. */
export function ratesTitle(cells: readonly { readonly operation: string; readonly metric: string }[]): string {
  return cells.length > 0 && cells.every((cell) => betterOf(cell) === 'lower') ? 'Times' : 'Throughput';
}

/** The unit of a figure: `MB/s`; with what is better where that is not the higher one: `s (lower is better)`. */
export function unitWords(figure: {
  readonly operation: string;
  readonly metric: string;
  readonly unit: string;
}): string {
  return betterOf(figure) === 'lower' ? `${figure.unit} (lower is better)` : figure.unit;
}

const DONE: Readonly<Record<string, string>> = {
  file_create: 'created files',
  file_stat: 'ran stat on files',
  file_read: 'opened files',
  file_remove: 'removed files',
  file_rename: 'renamed files',
  dir_create: 'created directories',
  dir_stat: 'ran stat on directories',
  dir_remove: 'removed directories',
  dir_rename: 'renamed directories',
};

/** Returns an operation on files in the past tense: `created files of 4 KiB`; `null` for any other operation. */
export function fileVerb(operation: string): string | null {
  const [name = '', ...size] = operation.split(' of ');
  const verb = ownValue(DONE, name);
  return verb === undefined ? null : [verb, ...size].join(' of ');
}

const PAST: Readonly<Record<string, string>> = { write: 'wrote', read: 'read' };

/** Returns an operation in the past tense: `wrote`, `wrote files of 500 kB by 4 threads`, `created files of 4 KiB`. */
export function past(operation: string): string {
  const [, name = '', axes = ''] = /^(\w+)(.*)$/s.exec(operation) ?? [];
  const verb = ownValue(PAST, name);
  return verb === undefined ? (fileVerb(operation) ?? `did ${operation}`) : `${verb}${filesOf(axes)}`;
}

/** Names the files in the axes of an operation on data: ` of 32 MiB by 1 thread` is ` files of 32 MiB by 1 thread`. */
export const filesOf = (axes: string): string => axes.replace(/^ of /, ' files of ');

/** Findings of a comparison, in words. */
export const FINDINGS = {
  real: 'a real difference',
  negligible: 'no meaningful difference',
  unclear: 'not distinguishable from no difference',
} as const satisfies Record<Finding, string>;

/** A sentence with its addresses as links, each named after its page. */
export function withLinks(sentence: string): Text {
  return sentence
    .split(/(https:\/\/[^\s,;)]+)/)
    .map(
      (part, index): Text => (index % 2 === 0 ? part : { link: part, text: /([^/]*?)(?:\.html)?$/.exec(part)?.[1] }),
    );
}
