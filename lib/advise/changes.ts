import { decimalBytes } from '../common/format/units';
import { leastThat } from '../common/leastThat';
import { MOST_CLIENTS } from '../predict/request';
import { HOURS_PER_MONTH } from '../price/prices';
import type { AnyConfiguration } from '../schema/storage';
import { isOfClients } from './checks';
import { type Requirement, type ResolvedRequirement, STORAGE_KINDS } from './requirement';
import type { Candidate } from './search';

/** A change of a requirement after which something meets it. */
export interface RequirementChange {
  /** The remedy, as an imperative: `pack the files into archives of at least 188 kB`. */
  readonly words: string;
  readonly requirement: Requirement;
  /** The cheapest that then meets every demand. */
  readonly configuration: AnyConfiguration;
  readonly monthlyUsd: number | null;
}

/** The cheapest candidate that meets a requirement; `null` if there is none. @param like only of this one's kind. @default - of any */
type Asks = (requirement: Requirement, like?: Candidate) => Candidate | null;

/** Changes of a requirement that nothing meets, one by one. @param closest what comes closest */
export function changesFor(closest: Candidate | undefined, need: ResolvedRequirement, ask: Asks): RequirementChange[] {
  if (closest === undefined) return [];
  const missed = new Set(closest.unmet.map(({ demand }) => demand));
  const files = (['creates', 'opens', 'creates and opens'] as const).some((demand) => missed.has(demand));
  return [
    ...(files ? packed(closest, need, ask) : []),
    ...(missed.has('budget') && !need.budgetOnly
      ? changed('raise the budget', { ...need.asked, maxMonthlyUsd: undefined }, ask)
      : []),
    ...(isOfClients(closest.binding.baseline) ? moreClients(closest, need, ask) : []),
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
  return first === null
    ? []
    : [{ words, requirement, configuration: first.configuration, monthlyUsd: first.monthlyUsd }];
}

/** Sizes of archives, each a fifth larger than the one before. */
const STEPS = Array.from({ length: 64 }, (_, step) => 1.2 ** (step + 1));

/** Larger files: the smallest that something meets, and the smallest that cost no more than any larger ones. */
function packed(closest: Candidate, need: ResolvedRequirement, ask: Asks): RequirementChange[] {
  const { asked, bytesPerFile, capacityTB } = need;
  if (bytesPerFile === null || capacityTB === null || asked.createsPerSecond !== undefined) return [];
  const whole = capacityTB * 1e12;
  const sizes = STEPS.map((factor) => rounded(bytesPerFile * factor)).filter((bytes) => bytes < whole);
  const inFiles = (bytes: number): Requirement => ({ ...asked, files: Math.ceil(whole / bytes), taken: undefined });
  // Of one kind, to be quick: which one is the cheapest in the end is asked once.
  const usd = (bytes: number) => ask(inFiles(bytes), closest)?.monthlyUsd ?? Number.POSITIVE_INFINITY;
  const largest = sizes.at(-1);
  const least = largest === undefined ? Number.POSITIVE_INFINITY : usd(largest);
  if (!Number.isFinite(least)) return [];
  const first = smallest(sizes, (bytes) => Number.isFinite(usd(bytes)));
  const cheapest = smallest(sizes, (bytes) => usd(bytes) <= least);
  return [...new Set([first, cheapest])].flatMap((bytes) =>
    changed(`pack the files into archives of at least ${decimalBytes(bytes)}`, inFiles(bytes), ask),
  );
}

/** The smallest of ascending values that is good, if all larger ones are. */
function smallest(values: readonly number[], good: (value: number) => boolean): number {
  const at = leastThat((index) => good(values[index] as number), -1, values.length - 1);
  return values[at] as number;
}

/** Up to two significant digits: a size that people would choose. */
function rounded(bytes: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(bytes)) - 1);
  return Math.ceil(bytes / unit) * unit;
}

/** More processes, or clients of the same type: as many as the missed rate takes. */
function moreClients({ checks, binding }: Candidate, need: ResolvedRequirement, ask: Asks): RequirementChange[] {
  const { clients } = need.asked;
  if (clients === undefined) return [];
  const times = checks.flatMap(({ unit, asked, offered }) =>
    unit === 'MB/s' && typeof asked === 'number' && typeof offered === 'number' ? [asked / offered] : [],
  );
  const factor = Math.max(1, ...times);
  if (binding.baseline === 'streams') {
    const processes = Math.ceil((need.asked.processes ?? 1) * factor);
    return changed(`use ${processes} processes per client`, { ...need.asked, processes }, ask);
  }
  const count = Math.ceil(clients.count * factor);
  if (count === clients.count || count > MOST_CLIENTS) return [];
  return changed(`use ${count} clients`, { ...need.asked, clients: { ...clients, count } }, ask);
}
