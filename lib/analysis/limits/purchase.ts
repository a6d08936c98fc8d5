import { type Advice, advise, type Requirement } from '../../advise';
import { checkRequirement } from '../../advise/requirement';
import { HOURS_PER_MONTH } from '../../price/prices';
import { spaceAt } from '../figures/space';
import type { RunSummary } from '../summary';

/** Results of the fastest arm, as requirements for a purchase. */
export interface Reached {
  readonly arm: string;
  /** Measured rates; `null` for those that the run did not measure. */
  readonly writeMBps: number | null;
  readonly readMBps: number | null;
  /** Measured compression ratio; `null` for data that did not shrink. */
  readonly ratio: number | null;
  readonly createsPerSecond: number | null;
}

/** The cheapest file system on the price list that is documented to sustain what the fastest arm reached. */
export interface PurchaseAdvice {
  readonly reached: Reached;
  /** `null` where no single file system does. */
  readonly best: Advice['options'][number] | null;
  /** List price of the arm for a month; `null` where it is not known. */
  readonly armMonthlyUsd: number | null;
}

/** An answer to “what should I buy”; of rates alone, since a run does not know how much is to be stored. `null` where nothing was reached. */
export function purchaseOf(summary: RunSummary): PurchaseAdvice | null {
  const { region, cost } = summary;
  const reached = summary.metadata === null ? ratesReached(summary) : createsReached(summary);
  if (reached === null) return null;
  // What was reached is what it must sustain, and not more.
  const requirement = { ...requirementOf(reached), headroom: 0, ...(region === null ? {} : { region }) };
  if (checkRequirement(requirement).length > 0) return null;
  const [best = null] = advise(requirement).options;
  const hourly = cost.lines.find(({ item }) => item === `File system of ${reached.arm}`)?.hourlyUsd ?? null;
  return { reached, best, armMonthlyUsd: hourly === null ? null : hourly * HOURS_PER_MONTH };
}

/** Two digits after the point of GB/s: what is asked for is no more exact than what was measured. */
export const askedGBps = (MBps: number): number => Math.round(MBps / 10) / 100;

function requirementOf({ writeMBps, readMBps, ratio, createsPerSecond }: Reached): Requirement {
  return {
    ...(writeMBps !== null && { writeMBps: askedGBps(writeMBps) * 1000 }),
    ...(readMBps !== null && { readMBps: askedGBps(readMBps) * 1000 }),
    ...(ratio !== null && { ratio }),
    ...(createsPerSecond !== null && { createsPerSecond }),
  };
}

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
  const ratio = spaceAt(space, { arm: fastest, target })?.median ?? 1;
  return {
    arm: fastest,
    writeMBps: of(fastest, 'write') || null,
    readMBps: of(fastest, 'read') || null,
    ratio: ratio < 1.02 ? null : Number(ratio.toFixed(2)),
    createsPerSecond: null,
  };
}

function createsReached({ metadata }: RunSummary): Reached | null {
  const creations = (metadata?.rates ?? []).filter(({ operation }) => operation === 'file_create');
  const [fastest] = [...creations].sort((a, b) => (b.rate.value ?? 0) - (a.rate.value ?? 0));
  const rate = Math.floor(fastest?.rate.value ?? 0);
  if (fastest === undefined || rate < 1) return null;
  return { arm: fastest.arm, writeMBps: null, readMBps: null, ratio: null, createsPerSecond: rate };
}
