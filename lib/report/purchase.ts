import { advise, type Requirement } from '../advise';
import { checkRequirement } from '../advise/requirement';
import { describeOption, isFirstForCaveats } from '../advise/wording';
import { spaceAt } from '../analysis/figures/space';
import type { RunSummary } from '../analysis/summary';
import { grouped, plain } from '../common/format/units';
import type { Sentence } from '../common/page/arms';
import { describeBasis } from '../price/basis';
import { HOURS_PER_MONTH } from '../price/prices';

/** Sentences on the file system to buy for the fastest arm's performance. */
export function purchaseSentences(summary: RunSummary): Sentence[] {
  if (summary.cells.length === 0) return [];
  const elsewhere = summary.record.elsewhere;
  if (elsewhere !== null)
    return [[`Not available, since ${elsewhere.claims}. To rank what AWS documents: npx fsxbench advise`]];
  const purchase = purchaseOf(summary);
  if (purchase === null) return [];
  const { reached, options, best, armMonthlyUsd } = purchase;
  const { arm } = reached;
  const words = describeReached(reached).join(', ');
  if (best === null || best.monthlyUsd === null) {
    const why =
      best === null ? 'No single file system is documented to sustain' : 'No price is known for what sustains';
    return [[`${why} what `, { arm }, ` reached (${words}).`]];
  }
  const own = armMonthlyUsd === null ? [] : [`, against $${grouped(armMonthlyUsd)} for `, { arm }];
  return [
    [
      { arm },
      ` reached ${words}. The cheapest file system that is documented to sustain this${isFirstForCaveats(options) ? ' without a caveat' : ''} is ${describeOption(best.configuration)}: $${grouped(best.monthlyUsd)} per month without clients (${describeBasis(best.basis)})`,
      ...own,
      '.',
    ],
    // A full stop would be copied with the command.
    [`Add --capacity with the size of your data: npx fsxbench advise ${flagsOf(reached).join(' ')}`],
  ];
}

const describeReached = ({ writeMBps, readMBps, ratio, createsPerSecond }: Reached): string[] => [
  ...(writeMBps === null ? [] : [`${plain(writeMBps)} MB/s written`]),
  ...(readMBps === null ? [] : [`${plain(readMBps)} MB/s read`]),
  ...(ratio === null ? [] : [`data at ${ratio}:1`]),
  ...(createsPerSecond === null ? [] : [`${grouped(createsPerSecond)} files created per second`]),
];

const flagsOf = ({ writeMBps, readMBps, ratio, createsPerSecond }: Reached): string[] => [
  ...(writeMBps === null ? [] : [`--write ${askedGBps(writeMBps)}`]),
  ...(readMBps === null ? [] : [`--read ${askedGBps(readMBps)}`]),
  ...(ratio === null ? [] : [`--ratio ${ratio}`]),
  ...(createsPerSecond === null ? [] : [`--metadata ${createsPerSecond}`]),
];

/** Results of the fastest arm, as requirements for a purchase. */
interface Reached {
  readonly arm: string;
  /** Measured rates; `null` for those that the run did not measure. */
  readonly writeMBps: number | null;
  readonly readMBps: number | null;
  /** Measured compression ratio; `null` for data that did not shrink. */
  readonly ratio: number | null;
  readonly createsPerSecond: number | null;
}

/** Answers “what should I buy” from rates alone, since a run does not know how much is to be stored. `null` if no rate was reached. */
export function purchaseOf(summary: RunSummary) {
  const { region, cost } = summary;
  const reached = reachedIn(summary);
  if (reached === null) return null;
  // The requirement is the reached rate, and not more.
  const requirement = { ...requirementOf(reached), headroom: 0, region: region ?? undefined };
  if (checkRequirement(requirement).length > 0) return null;
  const { options } = advise(requirement);
  const [best = null] = options;
  const hourly = cost.lines.find(({ item }) => item === `File system of ${reached.arm}`)?.hourlyUsd ?? null;
  return { reached, options, best, armMonthlyUsd: hourly === null ? null : hourly * HOURS_PER_MONTH };
}

/** Two digits after the point of GB/s: what is asked for is no more exact than what was measured. */
const askedGBps = (MBps: number): number => Math.round(MBps / 10) / 100;

const requirementOf = ({ writeMBps, readMBps, ratio, createsPerSecond }: Reached): Requirement => ({
  writeMBps: writeMBps === null ? undefined : askedGBps(writeMBps) * 1000,
  readMBps: readMBps === null ? undefined : askedGBps(readMBps) * 1000,
  ratio: ratio ?? undefined,
  createsPerSecond: createsPerSecond ?? undefined,
});

/** Rates and creations of one arm: a run with both has one that did both. */
function reachedIn(summary: RunSummary): Reached | null {
  const rates = ratesReached(summary);
  const creates = createsReached(summary, rates?.arm);
  return rates === null ? creates : { ...rates, createsPerSecond: creates?.createsPerSecond ?? null };
}

function ratesReached({ cells, space, arms }: RunSummary): Reached | null {
  const rates = cells.filter(
    ({ metric, unit, median }) => metric === 'throughput' && unit === 'MB/s' && (median ?? 0) >= 10,
  );
  // The data that compress best, as at the top of the report.
  const targets = rates.flatMap((cell) => cell.compressibility ?? []);
  const compressibility = targets.length === 0 ? null : Math.max(...targets);
  const own = rates.filter((cell) => cell.compressibility === compressibility);
  const of = (arm: string, operation: string): number =>
    own.find((cell) => cell.arm === arm && cell.operation === operation)?.median ?? 0;
  const sum = (arm: string): number => of(arm, 'write') + of(arm, 'read');
  const [fastest] = arms.map(({ name }) => name).sort((a, b) => sum(b) - sum(a));
  if (fastest === undefined || sum(fastest) === 0) return null;
  const ratio = spaceAt(space, { arm: fastest, compressibility })?.median ?? 1;
  return {
    arm: fastest,
    writeMBps: of(fastest, 'write') || null,
    readMBps: of(fastest, 'read') || null,
    ratio: ratio < 1.02 ? null : Number(ratio.toFixed(2)),
    createsPerSecond: null,
  };
}

function createsReached({ metadata }: RunSummary, only?: string): Reached | null {
  const creates = (metadata?.rates ?? []).filter(
    ({ operation, arm }) => operation === 'file_create' && (only ?? arm) === arm,
  );
  const [fastest] = [...creates].sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0));
  const rate = Math.floor(fastest?.rate.value ?? 0);
  if (fastest === undefined || rate < 1) return null;
  return { arm: fastest.arm, writeMBps: null, readMBps: null, ratio: null, createsPerSecond: rate };
}
