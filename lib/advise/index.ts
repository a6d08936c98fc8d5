import { binarySearch } from '../common/collections';
import { decimalBytes } from '../common/format/units';
import type { Warning } from '../common/violation';
import { HOURS_PER_MONTH, type PriceBook, PUBLISHED } from '../price/prices';
import type { StorageConfiguration } from '../schema/deployment';
import { storageOf } from '../storage/lookup';
import { shortfall } from './checks';
import { notesOf } from './notes';
import { type Proof, proofOf } from './proof';
import { type Flow, type Requirement, type ResolvedRequirement, resolve, STORAGE_KINDS } from './requirement';
import { type Candidate, type Cheaper, caveatsOf, cheaperThan, familiesOf, largestFor, searchFamily } from './search';
import { whyRanked } from './wording';

/** A change of a requirement after which something meets it. */
interface RequirementChange {
  /** The remedy, as an imperative: `pack the files into archives of at least 190 kB`. */
  readonly words: string;
  readonly requirement: Requirement;
  /** The cheapest that then meets every demand. */
  readonly configuration: StorageConfiguration;
  readonly monthlyUsd: number | null;
}

/** Finds the cheapest candidate that meets a requirement, or `null`. @param like only of this one's kind. @default - of any */
type Asks = (requirement: Requirement, like?: Candidate) => Candidate | null;

/** Changes of a requirement that nothing meets, one by one. @param closest what comes closest */
function changesFor(closest: Candidate | undefined, need: ResolvedRequirement, ask: Asks): RequirementChange[] {
  if (closest === undefined) return [];
  const missed = new Set(closest.unmet.map(({ demand }) => demand));
  const files = (['creates', 'opens', 'creates and opens'] as const).some((demand) => missed.has(demand));
  return [
    ...(files ? packed(closest, need, ask) : []),
    ...(missed.has('budget') && !need.budgetOnly
      ? changed('raise the budget', { ...need.asked, maxMonthlyUsd: undefined }, ask)
      : []),
    ...(missed.has('load')
      ? changed(
          need.asked.loadHours === undefined ? 'let it exist for the whole month' : 'allow any time to load',
          {
            ...need.asked,
            ...(need.asked.loadHours === undefined ? { hoursPerMonth: undefined } : { loadHours: HOURS_PER_MONTH }),
          },
          ask,
        )
      : []),
    ...(need.storages.length < STORAGE_KINDS.length && !need.budgetOnly
      ? changed('consider all kinds of storage (--storage all)', { ...need.asked, storages: STORAGE_KINDS }, ask)
      : []),
  ];
}

function changed(words: string, requirement: Requirement, ask: Asks): RequirementChange[] {
  const first = ask(requirement);
  if (first === null) return [];
  return [{ words, requirement, configuration: first.configuration, monthlyUsd: first.monthlyUsd }];
}

/** Factors so close that sizes of two significant digits are all found. */
const STEPS = Array.from({ length: 1160 }, (_, step) => 1.01 ** (step + 1));

/** Larger files: the smallest that something meets, and the smallest that cost no more than any larger ones. */
function packed(closest: Candidate, need: ResolvedRequirement, ask: Asks): RequirementChange[] {
  const { asked, bytesPerFile, capacityTB } = need;
  if (bytesPerFile === null || capacityTB === null || asked.createsPerSecond !== undefined) return [];
  const whole = capacityTB * 1e12;
  const larger = new Set(STEPS.map((factor) => rounded(bytesPerFile * factor)));
  const sizes = [...larger].filter((bytes) => bytes < whole);
  const inFiles = (bytes: number): Requirement => ({ ...asked, files: Math.ceil(whole / bytes), taken: undefined });
  // Of one kind, to be quick: which one is the cheapest in the end is asked once.
  const usd = (bytes: number) => ask(inFiles(bytes), closest)?.monthlyUsd ?? Number.POSITIVE_INFINITY;
  const largest = sizes.at(-1);
  const min = largest === undefined ? Number.POSITIVE_INFINITY : usd(largest);
  if (!Number.isFinite(min)) return [];
  const first = smallest(sizes, (bytes) => Number.isFinite(usd(bytes)));
  const cheapest = smallest(sizes, (bytes) => usd(bytes) <= min);
  return [...new Set([first, cheapest])].flatMap((bytes) =>
    changed(`pack the files into archives of at least ${decimalBytes(bytes)}`, inFiles(bytes), ask),
  );
}

/** The smallest of ascending values that is good, if all larger ones are. */
const smallest = (values: readonly number[], good: (value: number) => boolean): number =>
  values[binarySearch((index) => good(values[index] as number), -1, values.length - 1)] as number;

/** Up to two significant digits: a size that people would choose. */
function rounded(bytes: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(bytes)) - 1);
  return Math.ceil(bytes / unit) * unit;
}

/** Finds the cheapest file systems that meet a requirement, by documented limits and list prices. Offline and deterministic. */

export type { Requirement } from './requirement';
export type { Candidate } from './search';

/** A configuration that meets the requirement, the cheapest of its kind. */
export interface Option<C extends StorageConfiguration = StorageConfiguration> extends Candidate<C>, Proof {
  /** Shortcomings of the next cheaper sizes; empty for the smallest size that AWS sells. */
  readonly cheaper: readonly Cheaper<C>[];
  /** True if no other option is both cheaper and at least as fast; `null` without a price. */
  readonly pareto: boolean | null;
  readonly why: string;
}

/** A configuration that was considered, and why it is not an option. */
interface Rejected<C extends StorageConfiguration = StorageConfiguration> {
  readonly configuration: C;
  readonly monthlyUsd: number | null;
  readonly reason: string;
}

/** `fsxbench.advise/1`. Configurations are of the kinds among which the requirement chooses. */
export interface Advice<C extends StorageConfiguration = StorageConfiguration> {
  readonly schema: 'fsxbench.advise/1';
  readonly requirement: Requirement;
  readonly region: string;
  readonly currency: 'USD';
  readonly pricesAsOf: string;
  /** Points that the requirement leaves open and that may change the answer. */
  readonly notes: readonly Warning[];
  /** Configurations that meet every demand, cheapest first (for a budget, fastest first); then those with caveats; then unknown prices, by the known part. */
  readonly options: readonly Option<C>[];
  /** Without options, the closest; else those that may cost less than the first, cheapest first: a demand is undocumented, or a price not fully known. */
  readonly nearest: readonly (Candidate<C> & Proof)[];
  /** Without options: changes of the requirement after which something meets it, with the price. */
  readonly changes: readonly RequirementChange[];
  readonly rejected: readonly Rejected<C>[];
}

/** Finds the options. @param book the prices. @default the built-in prices @throws Error with one line per problem of the requirement */
export function advise(requirement: Requirement, book: PriceBook = PUBLISHED): Advice {
  const need = resolve(requirement);
  const { ranked, others, rejected } = need.budgetOnly ? boughtBy(need, book) : searched(need, book);
  const candidates = ranked.map(({ candidate }) => candidate);
  const options = ranked.map(({ candidate, smaller }) => ({
    ...candidate,
    cheaper: need.budgetOnly ? [] : cheaperThan(candidate, smaller, need, book),
    pareto: isPareto(candidate, candidates),
    why: whyRanked(candidate, candidates, need),
    ...proofOf(candidate.configuration, need, candidate, book),
  }));
  const nearest = nearestOf(options, others);
  return {
    schema: 'fsxbench.advise/1',
    requirement,
    region: need.region,
    currency: 'USD',
    pricesAsOf: book.asOf,
    notes: notesOf(need),
    options,
    nearest: nearest.map((one) => ({ ...one, ...proofOf(one.configuration, need, one, book) })),
    changes:
      options.length > 0
        ? []
        : changesFor(nearest[0], need, (changed, like) => cheapest(changed, book, like?.configuration)),
    rejected: rejected.sort((a, b) => priceFor(a) - priceFor(b)),
  };
}

const cheapest = (requirement: Requirement, book: PriceBook, like?: StorageConfiguration): Candidate | null =>
  searched(resolve(requirement), book, like).ranked[0]?.candidate ?? null;

/** The cheapest size of an option's kind that meets the need and sustains MB/s of a flow, whatever the budget; `null` without one of a known price. */
export function sustaining(
  { configuration }: Candidate,
  need: ResolvedRequirement,
  { demand, MBps: asked }: Flow,
  MBps: number,
  book: PriceBook,
): Candidate | null {
  const { asked: requirement, headroom } = need;
  // Head-room is within the limit.
  const target = MBps / (1 + headroom);
  const times = asked > 0 ? target / asked : 0;
  const { readMBps = 0, writeMBps = 0 } = requirement;
  const rates =
    demand === 'read and write'
      ? { readMBps: readMBps * times, writeMBps: writeMBps * times }
      : { [`${demand}MBps`]: target };
  const { ranked } = searched(resolve({ ...requirement, ...rates, maxMonthlyUsd: undefined }), book, configuration);
  return ranked.find(({ candidate }) => candidate.monthlyUsd !== null)?.candidate ?? null;
}

interface Searched {
  readonly ranked: readonly { readonly candidate: Candidate; readonly smaller: StorageConfiguration | null }[];
  /** Candidates that miss a demand, or of which nothing is documented. */
  readonly others: readonly Candidate[];
  readonly rejected: Rejected[];
}

/** @param like only candidates of this one's series. @default - all */
function searched(need: ResolvedRequirement, book: PriceBook, like?: StorageConfiguration): Searched {
  const families = familiesOf(need).filter((family) => like === undefined || seriesOf(family.at(0)) === seriesOf(like));
  const found = families.map((family) => searchFamily(family, need, book));
  const met = found.flatMap(({ meets, smaller }) => (meets?.meets ? [{ candidate: meets, smaller }] : []));
  const unique = new Map(met.map((one) => [JSON.stringify(one.candidate.configuration), one]));
  const failed = found.flatMap(({ meets, perhaps, closest }) => {
    const best = meets ?? perhaps ?? closest;
    return best === null || best.meets ? [] : [best];
  });
  return {
    ranked: [...unique.values()].sort((a, b) => byPrice(a.candidate, b.candidate)),
    others: found.flatMap(({ meets, perhaps, closest }) =>
      [meets, perhaps, closest].filter((one): one is Candidate => one !== null && !one.meets),
    ),
    rejected: failed.map(rejectedOf),
  };
}

const rejectedOf = ({ configuration, monthlyUsd, unmet }: Candidate): Rejected => {
  const anySize = unmet.every(({ demand }) => demand !== 'budget') ? 'at any size: ' : '';
  return { configuration, monthlyUsd, reason: `${anySize}${unmet.map(({ reason }) => reason).join('; ')}` };
};

function boughtBy(need: ResolvedRequirement, book: PriceBook): Searched {
  const found = familiesOf(need).map((family) => ({ family, ...largestFor(family, need, book) }));
  const bought = found.flatMap(({ bought }) => (bought === null ? [] : [{ candidate: bought, smaller: null }]));
  const unaffordable = found.flatMap(({ family, bought, smallest }) => {
    if (bought !== null) return [];
    const { configuration, monthlyUsd } = smallest;
    const missed = shortfall(smallest.checks).missed > 0;
    const reason =
      family.sizes === 1 && !missed
        ? 'its price depends on what is stored and moved: give --capacity or a rate'
        : (smallest.reason ?? `its smallest size: ${smallest.unmet.map((one) => one.reason).join('; ')}`);
    return [{ configuration, monthlyUsd, reason }];
  });
  return {
    ranked: bought.sort((a, b) => bySpeed(a.candidate, b.candidate)),
    others: found.flatMap(({ bought, smallest }) => (bought === null ? [smallest] : [])),
    rejected: unaffordable,
  };
}

/** Kinds that come closest, each once. */
const MOST_NEAREST = 5;

function nearestOf(options: readonly Option[], others: readonly Candidate[]): readonly Candidate[] {
  const [first] = options;
  const usd = first?.monthlyUsd ?? Number.POSITIVE_INFINITY;
  const perhaps = [
    ...options.filter(({ monthlyUsd, lowUsd }) => monthlyUsd === null && lowUsd > 0 && lowUsd < usd),
    ...others.filter(({ checks, lowUsd }) => shortfall(checks).missed === 0 && lowUsd > 0 && lowUsd < usd),
  ];
  const sorted = first === undefined ? others.toSorted(byShortfall) : perhaps.sort(byUnknown);
  const firsts = new Map(sorted.toReversed().map((one) => [seriesOf(one.configuration), one]));
  const ofEach = sorted.filter((one) => firsts.get(seriesOf(one.configuration)) === one).slice(0, MOST_NEAREST);
  return first === undefined ? ofEach : ofEach.sort((a, b) => a.lowUsd - b.lowUsd);
}

const byUnknown = (a: Candidate, b: Candidate): number =>
  shortfall(a.checks).unknown - shortfall(b.checks).unknown || a.lowUsd - b.lowUsd;

function byShortfall(a: Candidate, b: Candidate): number {
  const [one, other] = [shortfall(a.checks), shortfall(b.checks)];
  return one.missed - other.missed || one.unknown - other.unknown || distance(a) - distance(b) || byPrice(a, b);
}

/** How far the demands are missed, as a sum of logarithms: twice too slow is as far as half of the files. */
const distance = ({ unmet }: Candidate): number =>
  unmet.reduce((sum, { asked, offered, met }) => {
    if (met === null || typeof asked !== 'number' || typeof offered !== 'number' || offered <= 0) return sum;
    return sum + Math.abs(Math.log(asked / offered));
  }, 0);

/** Series of a chart that a configuration belongs to: its deployment type and kind of disks. */
export const seriesOf = (configuration: StorageConfiguration): string =>
  `${configuration.kind} ${storageOf(configuration).price.candidates?.seriesOf(configuration)}`;

function isPareto(option: Candidate, others: readonly Candidate[]): boolean | null {
  if (option.monthlyUsd === null) return null;
  const [usd, rate] = [option.monthlyUsd, option.throughputMBps.baseline];
  return !others.some(({ monthlyUsd, throughputMBps: { baseline } }) => {
    const better = (monthlyUsd ?? usd) < usd || baseline > rate;
    return monthlyUsd !== null && monthlyUsd <= usd && baseline >= rate && better;
  });
}

const priceFor = ({ monthlyUsd }: Pick<Candidate, 'monthlyUsd'>): number => monthlyUsd ?? Number.MAX_VALUE;
const isWarned = ({ configuration }: Candidate): number => Number(caveatsOf(configuration).length > 0);
const overEfa = ({ configuration }: Candidate): number =>
  Number(storageOf(configuration).documented.performance?.efa?.enabled(configuration) ?? false);

/** For a budget: those without caveats first, then the fastest, ties by capacity, then by price. */
const bySpeed = (a: Candidate, b: Candidate): number =>
  isWarned(a) - isWarned(b) ||
  b.throughputMBps.baseline - a.throughputMBps.baseline ||
  (b.capacityTB ?? 0) - (a.capacityTB ?? 0) ||
  priceFor(a) - priceFor(b);

/** Known prices first, those without caveats before those with, then the cheapest by the known part; at one price, without EFA, then with more head-room. */
const byPrice = (a: Candidate, b: Candidate): number =>
  Number(a.monthlyUsd === null) - Number(b.monthlyUsd === null) ||
  isWarned(a) - isWarned(b) ||
  priceFor(a) - priceFor(b) ||
  a.knownUsd - b.knownUsd ||
  overEfa(a) - overEfa(b) ||
  (b.headroom ?? 0) - (a.headroom ?? 0) ||
  b.throughputMBps.baseline - a.throughputMBps.baseline;
