import type { Finding } from '../analysis/compare/pairs';
import type { CellKey, OperationKind } from '../analysis/figures/operationKind';
import { describeAxes, operationLabel, sizedLabel } from '../analysis/figures/operationKind';
import { isMetadataOperation } from '../analysis/metadata/subject';
import type { RunSummary } from '../analysis/summary';
import { keyOf, ownValue } from '../common/collections';
import { compressibilityLabel, listed } from '../common/format/text';
import { fileSize } from '../common/format/units';
import { isNeverDeployed, storageOrNone } from '../storage/lookup';
import { betterOf, describeOperation, pastOf } from '../workload/lookup';
import type { Text } from './blocks';

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
export const describeUnit = (figure: Measure & { readonly unit: string }): string =>
  isTimed(figure) ? `${figure.unit} (lower is better)` : figure.unit;

/** Operations of mdtest's that no plan asks for by themselves. */
const RENAMES: Readonly<Record<string, string>> = { file_rename: 'renamed files', dir_rename: 'renamed directories' };

/** Returns an operation in the past tense: `wrote`, `wrote files of 500 kB by 4 threads`, `created files of 4 KiB`. */
export function past(kind: OperationKind): string {
  const verb = pastOf(kind.id) ?? ownValue(RENAMES, kind.id) ?? `did ${describeOperation(kind.id)}`;
  if (isMetadataOperation(kind.id)) return operationLabel({ ...kind, id: verb });
  return [verb, dataAxes(kind)].filter((part) => part !== '').join(' ');
}

/** The axes of an operation on data: `files of 32 MiB by 1 thread`. */
export const dataAxes = ({ fileBytes, ...axes }: OperationKind): string =>
  [...(fileBytes ? [`files of ${fileSize(fileBytes)}`] : []), ...describeAxes(axes)].join(' ');

export const describeSized = (one: Parameters<typeof sizedLabel>[0]): string => describeOperation(sizedLabel(one));

/** `write at 2.6:1`, `file create` */
export const describeWork = ({ operation, compressibility }: Omit<CellKey, 'arm'>): string =>
  `${describeOperation(operation)}${compressibility === null ? '' : ` at ${compressibilityLabel(compressibility)}`}`;

const NOUNS: Readonly<Record<string, string>> = {
  write: 'writes',
  read: 'reads',
  file_create: 'creates',
  file_remove: 'deletes',
  file_open: 'opens',
  file_stat: 'stats',
  dir_create: 'directory creates',
  dir_remove: 'directory deletes',
};

/** An operation as the subject of a sentence: `deletes`. */
export const nounOf = (operation: string): string => ownValue(NOUNS, operation) ?? describeOperation(operation);

/** Figures of arms by work in order of appearance, then by arm in the order of the plan. */
export function byWorkAndArm<T extends CellKey>(figures: readonly T[], arms: readonly { name: string }[]): T[] {
  const order = arms.map(({ name }) => name);
  const works = Map.groupBy(figures, ({ operation, compressibility }) => keyOf(operation, compressibility));
  return [...works.values()].flatMap((own) => own.sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm)));
}

export const FINDINGS = {
  real: 'a real difference',
  negligible: 'no meaningful difference',
  inconclusive: 'inconclusive',
} as const satisfies Record<Finding, string>;

/** A sentence with its addresses as links, each named after its page. */
export const withLinks = (sentence: string): Text =>
  sentence
    .split(/(https:\/\/[^\s,;)]+)/)
    .map(
      (part, index): Text => (index % 2 === 0 ? part : { link: part, text: /([^/]*?)(?:\.html)?$/.exec(part)?.[1] }),
    );

/** Title of the comparison in words that need no knowledge of the arms' names: `LZ4 against no compression on FSx for Lustre`. */
export function titleOf({ arms, place }: RunSummary): string {
  const [only, ...others] = arms;
  if (only === undefined) return 'A run without arms';
  const names = arms.map(({ name }) => name);
  const told = arms.flatMap((arm) => describedArm(arm) ?? []);
  const labels = [...new Set(told.map(({ label }) => label))];
  const end = place === 'lab' || place === 'model' ? ', in the lab' : '';
  if (others.length === 0) {
    const words = told.length > 0 ? told.map((one) => `${one.label}: ${one.words}`) : [only.name, only.description];
    return `${words.filter((part) => part !== '').join(': ')}${end}`;
  }
  if (labels.length !== 1 || told.length < arms.length)
    return `${against(labels.length === arms.length ? labels : names)}${end}`;
  const title = against(different(told.map(({ words }) => words)) ?? names);
  return place === 'lab' ? `${title}${end}` : `${title} on ${place === 'model' ? 'a scale model of ' : ''}${labels[0]}`;
}

/** A planned storage that can be deployed, in its own words; `null` for any other. */
function describedArm({ planned }: RunSummary['arms'][number]) {
  const storage = planned === null ? undefined : storageOrNone(planned.kind);
  const read = isNeverDeployed(storage) ? undefined : storage?.configuration.schema.safeParse(planned);
  return storage && read?.success ? { label: storage.label, words: storage.configuration.describe(read.data) } : null;
}

/** A title of more names than these is a list; the arms are listed below it. */
const MOST_NAMED = 5;

/** The first arm is the baseline, so a run of two is about the other one. */
function against(arms: readonly string[]): string {
  if (arms.length < 3) return withoutRepetition([...arms].reverse()).join(' against ');
  return `${arms.length > MOST_NAMED ? `${arms.length} arms` : listed(withoutRepetition(arms))} compared`;
}

/** Removes the common end of all but the last: `3000, 6000, 12000 metadata IOPS`. */
function withoutRepetition(arms: readonly string[]): string[] {
  const words = arms.map((arm) => arm.split(' '));
  let end = 0;
  while (words.every((own) => own.length > end + 1 && own.at(-end - 1) === words[0]?.at(-end - 1))) end += 1;
  return words.map((own, index) => own.slice(0, own.length - (index < arms.length - 1 ? end : 0)).join(' '));
}

/** The parts of each description that the others lack; `null` if one lacks such a part, or has a part too long for a title. */
function different(descriptions: readonly string[]): string[] | null {
  const parts = descriptions.map((words) => words.split(', '));
  const own = parts.map((some) => some.filter((part) => !parts.every((other) => other.includes(part))).join(', '));
  const tell = own.every((words) => words !== '' && words.length <= 48) && new Set(own).size === own.length;
  return tell ? own : null;
}
