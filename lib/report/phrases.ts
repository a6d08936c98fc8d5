import type { Finding } from '../analysis/compare/inference';
import { axesWords, type CellKey, type OperationKind, operationLabel } from '../analysis/figures/operationKind';
import { isMetadataOperation } from '../analysis/metadata/subject';
import { fileSize } from '../common/format/units';
import { keyOf } from '../common/keyOf';
import { ownValue } from '../common/ownValue';
import { betterOf, pastOf } from '../workload/lookup';
import type { Text } from './blocks';

/** A measured quantity of an operation. */
interface Measure {
  readonly kind: Pick<OperationKind, 'id'>;
  readonly metric: string;
}

/** True for a time, which is better when it is lower. */
export const isTimed = ({ kind, metric }: Measure): boolean => betterOf(kind.id, metric) === 'lower';

/** The heading of the main figures: a run of a user's own program has times and no throughput. */
export const ratesTitle = (cells: readonly Measure[]): string =>
  cells.length > 0 && cells.every((cell) => isTimed(cell)) ? 'Times' : 'Throughput';

/** The unit of a figure: `MB/s`; with what is better where that is not the higher one: `s (lower is better)`. */
export const unitWords = (figure: Measure & { readonly unit: string }): string =>
  isTimed(figure) ? `${figure.unit} (lower is better)` : figure.unit;

/** Operations of mdtest's that no plan asks for by themselves. */
const RENAMES: Readonly<Record<string, string>> = { file_rename: 'renamed files', dir_rename: 'renamed directories' };

/** Returns an operation in the past tense: `wrote`, `wrote files of 500 kB by 4 threads`, `created files of 4 KiB`. */
export function past(kind: OperationKind): string {
  const verb = pastOf(kind.id) ?? ownValue(RENAMES, kind.id) ?? `did ${operationWords(kind.id)}`;
  if (isMetadataOperation(kind.id)) return operationLabel({ ...kind, id: verb });
  return [verb, dataAxes(kind)].filter((part) => part !== '').join(' ');
}

/** The axes of an operation on data: `files of 32 MiB by 1 thread`. */
export const dataAxes = ({ fileBytes, ...axes }: OperationKind): string =>
  [...(fileBytes ? [`files of ${fileSize(fileBytes)}`] : []), ...axesWords(axes)].join(' ');

/** An operation's label for people: `create large file of 32 MiB by 1 thread`. */
export const operationWords = (operation: string): string => operation.replaceAll('_', ' ');

const NOUNS: Readonly<Record<string, string>> = {
  write: 'writes',
  read: 'reads',
  file_create: 'creates',
  file_remove: 'removals',
  file_open: 'opens',
  file_stat: 'stats',
  dir_create: 'directory creates',
  dir_remove: 'directory removals',
};

/** An operation as the subject of a sentence: `removals`. */
export const nounOf = (operation: string): string => ownValue(NOUNS, operation) ?? operationWords(operation);

/** Figures of arms by work in order of appearance, then by arm in the order of the plan. */
export function byWorkAndArm<T extends CellKey>(
  figures: readonly T[],
  arms: readonly { readonly name: string }[],
): T[] {
  const order = arms.map(({ name }) => name);
  return [
    ...Map.groupBy(figures, ({ operation, compressibility }) => keyOf(operation, compressibility)).values(),
  ].flatMap((own) => [...own].sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm)));
}

/** Findings of a comparison, in words. */
export const FINDINGS = {
  real: 'a real difference',
  negligible: 'no meaningful difference',
  unclear: 'not distinguishable from no difference',
} as const satisfies Record<Finding, string>;

/** A sentence with its addresses as links, each named after its page. */
export const withLinks = (sentence: string): Text =>
  sentence
    .split(/(https:\/\/[^\s,;)]+)/)
    .map(
      (part, index): Text => (index % 2 === 0 ? part : { link: part, text: /([^/]*?)(?:\.html)?$/.exec(part)?.[1] }),
    );
