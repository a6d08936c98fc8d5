import { advise, type Requirement } from '../advise';
import { requirementProblems } from '../advise/requirement';
import { optionWords } from '../advise/words';
import type { RunSummary } from '../analysis/summary';
import { basisWords } from '../cost/basis';
import { grouped, plain } from '../kit/format/units';
import type { Sentence } from '../kit/page/arms';
import { wordsOf } from '../store/place';

/** AWS reckons a month as 730 hours. */
const HOURS_A_MONTH = 730;

/** What the fastest arm reached, as something to ask for. */
interface Reached {
  readonly arm: string;
  readonly requirement: Requirement;
  readonly words: readonly string[];
  /** For `fsxbench advise`. */
  readonly flags: readonly string[];
}

/**
 * The cheapest file system on the price list that is documented to sustain what the fastest arm reached: an answer to “what should I
 * buy”. Of rates alone, since a run does not know how much is to be stored.
 */
export function purchaseSentences(summary: RunSummary): Sentence[] {
  const { place, region, cells, cost } = summary;
  if (cells.length === 0) return [];
  const elsewhere = wordsOf(place);
  if (elsewhere !== null) return [[`${elsewhere.purchase}: npx fsxbench advise ranks what AWS documents.`]];
  const reached = summary.metadata === null ? ratesReached(summary) : createsReached(summary);
  if (reached === null) return [];
  const { arm, words, flags } = reached;
  const requirement = { ...reached.requirement, ...(region === null ? {} : { region }) };
  if (requirementProblems(requirement).length > 0) return [];
  const { options } = advise(requirement);
  const [best] = options;
  if (best === undefined || best.monthlyUsd === null) {
    const why =
      best === undefined ? 'No single file system is documented to sustain' : 'No price is known for what sustains';
    return [[`${why} what `, { arm }, ` reached (${words.join(', ')}).`]];
  }
  const hourly = cost.lines.find(({ item }) => item === `File system of ${arm}`)?.hourlyUsd ?? null;
  const own = hourly === null ? [] : [`, against $${grouped(hourly * HOURS_A_MONTH)} for `, { arm }];
  return [
    [
      'For what ',
      { arm },
      ` reached (${words.join(', ')}), the cheapest that is documented to sustain it is ${optionWords(best.configuration)}: $${grouped(best.monthlyUsd)} a month without clients (${basisWords(best.basis)})`,
      ...own,
      '.',
    ],
    [`With the capacity that you need: npx fsxbench advise ${flags.join(' ')} --capacity TB.`],
  ];
}

/** Two digits after the point of GB/s: what is asked for is no more exact than what was measured. */
const gigabytes = (rate: number): number => Math.round(rate / 10) / 100;

function ratesReached({ cells, space, arms }: RunSummary): Reached | null {
  const rates = cells.filter(
    ({ metric, unit, median }) => metric === 'throughput' && unit === 'MB/s' && (median ?? 0) >= 10,
  );
  // The data that compress best, as at the top of the report.
  const target = rates.reduce<number | null>(
    (most, cell) => (cell.target === null ? most : Math.max(most ?? 0, cell.target)),
    null,
  );
  const own = rates.filter((cell) => cell.target === target);
  const of = (arm: string, operation: string): number =>
    own.find((cell) => cell.arm === arm && cell.operation === operation)?.median ?? 0;
  const sum = (arm: string): number => of(arm, 'write') + of(arm, 'read');
  const [fastest] = arms.map(({ name }) => name).sort((a, b) => sum(b) - sum(a));
  if (fastest === undefined || sum(fastest) === 0) return null;
  const [write, read] = [of(fastest, 'write'), of(fastest, 'read')];
  const reached = space.find((cell) => cell.arm === fastest && cell.target === target)?.median ?? 1;
  const ratio = reached < 1.02 ? null : Number(reached.toFixed(2));
  return {
    arm: fastest,
    requirement: {
      ...(write > 0 && { writeMBps: gigabytes(write) * 1000 }),
      ...(read > 0 && { readMBps: gigabytes(read) * 1000 }),
      ...(ratio !== null && { ratio }),
    },
    words: [
      ...(write > 0 ? [`${plain(write)} MB/s written`] : []),
      ...(read > 0 ? [`${plain(read)} MB/s read`] : []),
      ...(ratio === null ? [] : [`data at ${ratio}:1`]),
    ],
    flags: [
      ...(write > 0 ? [`--write ${gigabytes(write)}`] : []),
      ...(read > 0 ? [`--read ${gigabytes(read)}`] : []),
      ...(ratio === null ? [] : [`--ratio ${ratio}`]),
    ],
  };
}

function createsReached({ metadata }: RunSummary): Reached | null {
  const creations = (metadata?.rates ?? []).filter(({ operation }) => operation === 'file_create');
  const [fastest] = [...creations].sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0));
  const rate = Math.floor(fastest?.rate.value ?? 0);
  if (fastest === undefined || rate < 1) return null;
  return {
    arm: fastest.arm,
    requirement: { createsPerSecond: rate },
    words: [`${grouped(rate)} files created a second`],
    flags: [`--metadata ${rate}`],
  };
}
