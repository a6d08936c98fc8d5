import { counted, decimalBytes, duration, grouped } from '../common/format/units';
import { HOURS_PER_MONTH } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import { storageOf } from '../storage/lookup';
import type { DemandCheck } from './checks';
import { filesShown } from './notes';
import { type Requirement, type ResolvedRequirement, resolve, STORAGE_KINDS } from './requirement';
import { type Candidate, caveatsOf, tightestOf } from './search';

export function describeRequirement(asked: Requirement): string {
  const need = resolve(asked);
  const { readMBps, writeMBps, together, createsPerSecond, ratio, workingSetGiB, maxMonthlyUsd, clients, burst } =
    asked;
  const { capacityTB, maxFill } = need;
  const each = asked.processes === undefined ? '' : ` with ${counted(asked.processes, 'process', 'processes')} each`;
  const parts = [
    readMBps !== undefined && `${readMBps / 1000} GB/s of reads`,
    writeMBps !== undefined && `${writeMBps / 1000} GB/s of writes`,
    readMBps !== undefined && writeMBps !== undefined && (together ? 'both at the same time' : 'at different times'),
    asked.scanMBps !== undefined && `a scan of all data at ${asked.scanMBps / 1000} GB/s`,
    burst !== undefined &&
      `bursts of ${decimalBytes(burst.terabytes * 1e12)} in ${duration(burst.seconds)} every ${duration(burst.everySeconds)}`,
    capacityTB !== null &&
      `${decimalBytes(capacityTB * 1e12)} of data${describeFiles(need)}, at most ${Math.round(maxFill * 100)} % full`,
    createsPerSecond !== undefined && `${grouped(createsPerSecond)} file creates per second`,
    workingSetGiB !== undefined && `${Math.round(workingSetGiB)} GiB read repeatedly`,
    ratio !== undefined && ratio !== 1 && `data that LZ4 compresses ${Number(ratio.toFixed(3))}:1`,
    clients !== undefined && `${clients.count} × ${clients.instanceType}${clients.efa ? ' over EFA' : ''}${each}`,
    asked.loadHours !== undefined && `loaded within ${duration(asked.loadHours * 3600)}`,
    maxMonthlyUsd !== undefined && `at most ${maxMonthlyUsd} USD per month`,
    asked.hoursPerMonth !== undefined && `${Math.round(asked.hoursPerMonth)} h per month`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** The number of files and what they take; empty if it is not known. */
function describeFiles(need: ResolvedRequirement): string {
  const { asked, capacityTB, taken } = need;
  if (asked.files === undefined) return '';
  const [plain, lz4] = [taken.uncompressed, taken.compressed].map((each) =>
    decimalBytes((capacityTB ?? 0) * 1e12 * each),
  );
  const withLz4 = asked.ratio === undefined || plain === lz4 ? '' : `, ${lz4} with LZ4`;
  const like = asked.estimated?.like ?? null;
  return ` in ${filesShown(need)} ${asked.files === 1 ? 'file' : 'files'}${like === null ? '' : `, as in ${like}`}, which take ${plain} on Lustre${withLz4}`;
}

export function describeOption(configuration: StorageConfiguration): string {
  const storage = storageOf(configuration);
  return (storage.price.candidates?.words ?? storage.configuration.describe)(configuration);
}

/** USD as pages print them: whole, with commas. */
export const dollars = (usd: number): string => Math.round(usd).toLocaleString('en-US');

type Priced = Pick<Candidate, 'monthlyUsd' | 'knownUsd' | 'lowUsd' | 'unpriced'>;

/** The price of a month: a range from its lower to its upper end if it is one. */
export const priceRange = (usd: number, { lowUsd }: Pick<Priced, 'lowUsd'>, shown = dollars): string =>
  `${lowUsd < usd ? `${shown(lowUsd)}–` : ''}${shown(usd)}`;

const cents = (usd: number): string => (usd < 100 ? usd.toFixed(2) : dollars(usd));

/** MB/s as GB/s with three digits. */
export const gigabytes = (MBps: number): string => String(Number((MBps / 1000).toPrecision(3)));

/** The price with its unit: `5,100 USD per month`; or its known part, and what has no known price. */
export function describePrice(price: Priced): string {
  const { monthlyUsd, knownUsd, unpriced } = price;
  // It is priced by the data that it holds.
  if (monthlyUsd === 0) return '0 USD per month without data (--capacity adds them)';
  if (monthlyUsd !== null) return `${priceRange(monthlyUsd, price, cents)} USD per month`;
  if (knownUsd === 0) return 'price unknown';
  return `${priceRange(knownUsd, price, cents)} USD per month plus ${unpriced.join(' and ')} (price unknown)`;
}

/** Name of the requirement that an option's head-room refers to: `reads`, `bursts`, `capacity`; `null` for the option's own rate. */
export function headroomDemand({ flows, checks, headroom, throughputMBps }: Candidate): string | null {
  const tightest = flows.find((flow) => flow.MBps > 0 && flow.headroom === headroom);
  if (tightest !== undefined)
    return tightest.throughputMBps.baseline === throughputMBps.baseline ? null : `${tightest.demand}s`;
  const demand = tightestOf(checks)?.demand ?? null;
  return demand === 'burst' ? 'bursts' : demand;
}

/** `meets all 3 requirements`; or how many it meets, and what is missed or unknown. */
export function describeVerdict({ checks, unmet }: Pick<Candidate, 'checks' | 'unmet'>): string {
  const all = checks.length;
  const assumed = checks.flatMap(({ assumes }) => (assumes === undefined ? [] : [`, if ${assumes}`])).join('');
  if (unmet.length === 0)
    return `meets ${all === 1 ? 'the requirement' : all === 2 ? 'both requirements' : `all ${all} requirements`}${assumed}`;
  const words = (met: DemandCheck['met']): string[] =>
    unmet.flatMap((one) => (one.met === met ? [withoutSource(one.reason)] : []));
  const [missed, unknown] = [words(false), words(null)];
  return [
    ...(all === 1 ? [] : [`meets ${all - unmet.length} of ${all} requirements`]),
    ...missed,
    ...(unknown.length === 0 ? [] : [`unknown: ${unknown.join('; ')}`]),
  ].join('; ');
}

/** A reason without the address of its source, which `--json` has. */
export const withoutSource = (reason: string): string => reason.replaceAll(/ \(https:[^)]*\)/g, '');

interface Answer {
  readonly requirement: Requirement;
  readonly options: readonly Candidate[];
  readonly nearest: readonly Candidate[];
}

/** `Nothing that AWS sells meets these requirements`, with the kinds that were considered unless these are all. */
export function describeNothingMeets({ requirement, nearest }: Answer): string {
  const { storages } = resolve(requirement);
  const missed = nearest.every(({ unmet }) => unmet.some(({ met }) => met === false));
  const kinds = storages.map(({ label }) => label).join(', ');
  const only = storages.length < STORAGE_KINDS.length ? ` (considered: ${kinds})` : '';
  return `Nothing that AWS sells ${missed ? 'meets' : 'is documented to meet'} these requirements${only}`;
}

/** The answer in one sentence: what to buy, or that nothing meets it, and what comes closest. */
export function describeAnswer(advice: Answer): string {
  const [best] = advice.options;
  if (best !== undefined) {
    const verdict = describeVerdict(best);
    return `${verdict[0]?.toUpperCase()}${verdict.slice(1)}: ${describeOption(best.configuration)}, ${describePrice(best)}`;
  }
  const [closest] = advice.nearest;
  const nothing = describeNothingMeets(advice);
  return closest === undefined
    ? nothing
    : `${nothing}. Closest: ${describeOption(closest.configuration)}, ${describePrice(closest)}: ${describeVerdict(closest)}`;
}

/** True if an option with caveats, which are listed last, is cheaper than the first; for a budget, faster. */
export const isFirstForCaveats = (
  [first, ...others]: readonly Pick<Candidate, 'monthlyUsd' | 'throughputMBps'>[],
  budget = false,
): boolean =>
  first !== undefined &&
  others.some(({ monthlyUsd, throughputMBps }) =>
    budget
      ? throughputMBps.baseline > first.throughputMBps.baseline
      : monthlyUsd !== null && monthlyUsd < (first.monthlyUsd ?? 0),
  );

const isRange = ({ monthlyUsd, lowUsd }: Priced): boolean => monthlyUsd !== null && lowUsd < monthlyUsd;

/** An option's price compared with that of the first. If one of them alone is a range, it may be either; elsewhere the upper ends count. */
function comparedWithFirst(option: Priced, first: Priced): string {
  const [usd, max] = [option.monthlyUsd ?? 0, first.monthlyUsd ?? 0];
  if (usd === max || max === 0) return usd === max ? 'same price as option 1' : 'dearer than option 1';
  const ends = isRange(option) === isRange(first) ? [usd / max] : [option.lowUsd / max, usd / first.lowUsd];
  const shares = ends.map((times) => Math.abs(times - 1) * 100);
  const words = shares.map((share) => (share < 0.5 ? 'less than 1' : grouped(share)));
  const ways = ends.map((times) => (times > 1 ? 'dearer' : 'cheaper'));
  if (new Set(ways).size === 1) return `${words.join(' to ')} % ${ways[0]} than option 1`;
  return `${words.map((share, index) => `${share} % ${ways[index]}`).join(' to ')} than option 1`;
}

/** The reason for an option's rank among all of them, in a sentence. */
export function whyRanked(option: Candidate, options: readonly Candidate[], { budgetOnly }: ResolvedRequirement) {
  const [first = option] = options;
  const [caveat] = caveatsOf(option.configuration);
  const caution = caveat === undefined ? '' : `, but ${caveat.message.split(/[:;,] /)[0]}`;
  if (option.monthlyUsd === null) return `its price is not fully known${caution}`;
  if (option === first) {
    // Another one, whose price is a range or not known in full, may cost less.
    const cheaper = options.filter(
      (other) => other !== first && other.lowUsd < first.lowUsd && caveatsOf(other.configuration).length === 0,
    );
    const perhaps = !budgetOnly && cheaper.some(isRange) ? ', at the upper ends of price ranges' : '';
    const priced = cheaper.some(({ monthlyUsd }) => monthlyUsd === null) ? ' of known price' : '';
    const what = budgetOnly ? 'fastest that the budget buys' : `cheapest${priced}`;
    return `the ${what}${isFirstForCaveats(options, budgetOnly) ? ' without a caveat' : ''}${perhaps}${caution}`;
  }
  const faster = option.throughputMBps.baseline / first.throughputMBps.baseline;
  const speed = Math.abs(faster - 1) < 0.01 ? 'equally fast' : `${Number(faster.toPrecision(2))} × as fast`;
  return `${comparedWithFirst(option, first)}, ${speed}${caution}`;
}

export const monthHours = ({ hoursPerMonth = HOURS_PER_MONTH }: Requirement): number => Math.round(hoursPerMonth);
