import { Token } from 'aws-cdk-lib';
import { ConfigurationError } from '../common/configurationError';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { armLines, deploymentLines, partsOf } from '../cost/deployment';
import { basisOf, describeBasis, knownUsd, missingPrices, sumOf } from '../price/cost';
import { type PriceBook, PUBLISHED } from '../price/prices';
import type { CostLine } from '../schema/cost';

/** Price of a stack and of each of its arms, in USD per hour at list prices; `null` if a price is not known. */
export interface StackPrice {
  readonly hourlyUsd: number | null;
  readonly arms: Readonly<Record<string, number | null>>;
  readonly announcement: string;
  /** Date and source of the prices, for people. */
  readonly basis: string | null;
}

const rounded = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 10_000) / 10_000);

/** The list price of a configuration's stack. @param region of the stack; an unresolved one has no prices */
export function priceOfStack(configuration: BenchmarkConfiguration, region: string, book: PriceBook = PUBLISHED) {
  const { definition, scale, arms } = configuration;
  const subject = `Deploying ${definition.name} at scale ${scale} costs`;
  if (Token.isUnresolved(region)) {
    const unknown = Object.fromEntries(arms.map(({ name }) => [name, null]));
    const announcement = `${subject} what its Region charges: set AWS_REGION to see it`;
    return { hourlyUsd: null, arms: unknown, announcement, basis: null };
  }
  const lines = deploymentLines(partsOf(configuration), region, book);
  return {
    hourlyUsd: rounded(sumOf(lines).hourlyUsd),
    arms: Object.fromEntries(arms.map((arm) => [arm.name, rounded(sumOf(armLines(arm, region, book)).hourlyUsd)])),
    announcement: announcementOf(subject, lines, region),
    basis: describeBasis(basisOf(lines, region)),
  };
}

/** There is no total if a price is missing; without a quantity or the Spot price the total is a lower bound. */
function announcementOf(subject: string, lines: readonly CostLine[], region: string): string {
  const missing = missingPrices(lines, region);
  if (missing !== null) return `${subject} nobody knows how much: ${missing}`;
  const { hourlyUsd, reason } = sumOf(lines);
  const basis = describeBasis(basisOf(lines, region));
  return hourlyUsd === null
    ? `${subject} more than ${knownUsd(lines).toFixed(2)} USD/h (${basis}); not known: ${reason}`
    : `${subject} ${hourlyUsd.toFixed(2)} USD/h (${basis}), with or without an active run`;
}

/** Lifetime of a stack; `null` for one that does not expire. @throws ConfigurationError if a budget is set and the price of the stack is not known */
export function lifeOf(
  { expiresAfterHours: hours, maxCostUsd, definition }: BenchmarkConfiguration,
  { hourlyUsd, announcement }: Pick<StackPrice, 'hourlyUsd' | 'announcement'>,
): { readonly hours: number; readonly budgetHours?: number } | null {
  if (hours === null) return null;
  if (maxCostUsd === undefined) return { hours };
  if (hourlyUsd === null)
    throw new ConfigurationError([
      `'maxCostUsd' requires known prices, but one is missing for ${definition.name}: ${announcement}. ` +
        "Use 'expiresAfterHours'.",
    ]);
  return { hours, budgetHours: Math.floor((maxCostUsd / hourlyUsd) * 100) / 100 };
}
