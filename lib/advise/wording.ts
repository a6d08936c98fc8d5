import { decimalBytes } from '../common/format/units';
import type { AnyConfiguration } from '../schema/storage';
import { storageOf, withKind } from '../storage/lookup';
import { caveatsOf } from './caveats';
import type { Option } from './option';
import { maxFillOf, type Requirement, takenOf } from './requirement';

/** The requirement as a phrase. */
export function requirementWords(requirement: Requirement): string {
  const { readMBps, writeMBps, together, capacityTB, createsPerSecond, ratio, workingSetGiB, maxMonthlyUsd, clients } =
    requirement;
  const both = readMBps !== undefined && writeMBps !== undefined;
  const parts = [
    ...(readMBps === undefined ? [] : [`${readMBps / 1000} GB/s of reads`]),
    ...(writeMBps === undefined ? [] : [`${writeMBps / 1000} GB/s of writes`]),
    ...(both ? [together ? 'both at the same time' : 'at different times'] : []),
    ...(capacityTB === undefined
      ? []
      : [
          `${decimalBytes(capacityTB * 1e12)} of data${filesWords(requirement)}, at most ${Math.round(maxFillOf(requirement) * 100)} % full`,
        ]),
    ...(createsPerSecond === undefined ? [] : [`${createsPerSecond} file creations per second`]),
    ...(workingSetGiB === undefined ? [] : [`${Math.round(workingSetGiB)} GiB read repeatedly`]),
    ...(ratio === undefined || ratio === 1 ? [] : [`data that LZ4 compresses ${Number(ratio.toFixed(3))}:1`]),
    ...(clients === undefined ? [] : [`${clients.count} × ${clients.instanceType}${clients.efa ? ' over EFA' : ''}`]),
    ...(maxMonthlyUsd === undefined ? [] : [`at most ${maxMonthlyUsd} USD per month`]),
    ...(requirement.hoursPerMonth === undefined ? [] : [`${Math.round(requirement.hoursPerMonth)} h a month`]),
  ];
  return parts.join(', ');
}

/** The number of files and what they take; empty if it is not known. */
function filesWords(requirement: Requirement): string {
  const { files, capacityTB = 0 } = requirement;
  if (files === undefined) return '';
  const { uncompressed, compressed } = takenOf(requirement);
  const [plain, lz4] = [uncompressed, compressed].map((each) => decimalBytes(capacityTB * 1e12 * each));
  const withLz4 = requirement.ratio === undefined || plain === lz4 ? '' : `, ${lz4} with LZ4`;
  const like = requirement.estimated?.like ?? null;
  return ` in ${filesShown(requirement)} files${like === null ? '' : `, as in ${like}`}, which take ${plain} on Lustre${withLz4}`;
}

const ROUGHLY = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumSignificantDigits: 2,
});

/** The number of files: `120,000,000` that were stated or counted, `some 2.4 million` that were extrapolated. */
export function filesShown({ files = 0, estimated }: Requirement): string {
  return estimated === undefined || estimated.like === null
    ? Math.round(files).toLocaleString('en-US')
    : `some ${ROUGHLY.format(files)}`;
}

/** Terabytes with four digits: 100 TiB are 110, not 109.9511627776. */
export const terabytes = (value: number): number => Number(value.toPrecision(4));

/** A configuration in words, with all that tells it from other options. */
export function optionWords(configuration: AnyConfiguration): string {
  const storage = storageOf(configuration);
  return (storage.price.candidates?.words ?? storage.configuration.describe)(withKind(configuration));
}

/** USD of a month as pages print them: whole, with commas. */
export const dollars = (usd: number): string => Math.round(usd).toLocaleString('en-US');

/** The price of a month: an estimated one is a range, from its lower to its upper end. */
export const priceRange = (
  monthlyUsd: number,
  { lowUsd }: Pick<Option, 'lowUsd'>,
  shown: (usd: number) => string = dollars,
): string => `${lowUsd < monthlyUsd ? `${shown(lowUsd)}–` : ''}${shown(monthlyUsd)}`;

/** MB/s as GB/s with three digits. */
export const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));

/** Whose the rate of an option is, and whose its head-room: " of writes" and " of reads", or nothing where both are of one demand. */
export function whoseWords({ demands, throughputMBps, headroom }: Option): {
  readonly rate: string;
  readonly room: string;
} {
  const lowest = demands.find((demand) => demand.throughputMBps.baseline === throughputMBps.baseline);
  const tightest = demands.find((demand) => demand.headroom === headroom);
  if (!lowest || !tightest || lowest.throughputMBps.baseline === tightest.throughputMBps.baseline)
    return { rate: '', room: '' };
  return { rate: ` of ${lowest.mode}s`, room: ` of ${tightest.mode}s` };
}

type Figures = Pick<Option, 'configuration' | 'monthlyUsd' | 'throughputMBps'>;

/** True for an option that has warnings of its own. */
export const isWarned = ({ configuration }: Pick<Option, 'configuration'>): boolean =>
  caveatsOf(configuration).length > 0;

/** True if an option with warnings, which are listed last, is cheaper than the first; for a budget, faster. */
export const isFirstForWarnings = ([first, ...others]: readonly Figures[], budget = false): boolean =>
  others.some(({ monthlyUsd, throughputMBps }) =>
    budget
      ? throughputMBps.baseline > (first as Figures).throughputMBps.baseline
      : monthlyUsd !== null && monthlyUsd < ((first as Figures).monthlyUsd ?? 0),
  );

type Priced = Figures & Pick<Option, 'lowUsd'>;

const isRange = ({ monthlyUsd, lowUsd }: Priced): boolean => monthlyUsd !== null && lowUsd < monthlyUsd;

/** An option's price beside that of the first. Where one of them alone is a range, it may be either; elsewhere the upper ends count, or the prices. */
function besideFirst(option: Priced, first: Priced): string {
  const [usd, most] = [option.monthlyUsd ?? 0, first.monthlyUsd ?? 0];
  if (usd === most || most === 0) return 'at the price of 1';
  const ends = isRange(option) === isRange(first) ? [usd / most] : [option.lowUsd / most, usd / first.lowUsd];
  const shares = ends.map((times) => Math.abs(times - 1) * 100);
  const words = shares.map((share) => (share < 0.5 ? 'less than 1' : String(Math.round(share))));
  const ways = ends.map((times) => (times > 1 ? 'dearer' : 'cheaper'));
  if (new Set(ways).size === 1) return `${words.join(' to ')} % ${ways[0]} than 1`;
  return `${words.map((share, index) => `${share} % ${ways[index]}`).join(' to ')} than 1`;
}

/** The reason for an option's rank among all of them, in a sentence. */
export function whyRanked(option: Priced, options: readonly Priced[], budget: boolean): string {
  const [first = option] = options;
  const [warning] = caveatsOf(option.configuration);
  const caution = warning === undefined ? '' : `, but ${warning.message.split(/[:;,] /)[0]}`;
  if (option.monthlyUsd === null) return `its price is not known in full${caution}`;
  if (option === first) {
    // Another, whose price is estimated, may cost less.
    const perhaps =
      !budget && options.some((other) => isRange(other) && !isWarned(other) && other.lowUsd < first.lowUsd);
    return `the ${budget ? 'fastest that the budget buys' : 'cheapest that meets it'}${isFirstForWarnings(options, budget) ? ' without a warning' : ''}${perhaps ? ', at the upper ends of estimated prices' : ''}${caution}`;
  }
  const faster = option.throughputMBps.baseline / first.throughputMBps.baseline;
  const speed = Math.abs(faster - 1) < 0.01 ? 'as fast as 1' : `${Number(faster.toPrecision(2))} × as fast`;
  return `${besideFirst(option, first)}, ${speed}${caution}`;
}
