import { Token } from 'aws-cdk-lib';
import type { BenchmarkConfiguration } from '../config/benchmark';
import { type CostLine, lustreLines, sumOf } from '../cost/cost';
import { deploymentLines, partsOf } from '../cost/deployment';
import { PRICES_AS_OF } from '../cost/prices';

/** What a stack costs an hour at list prices, and each of its arms; `null` where a price is not known. */
export interface StackPrice {
  readonly hourlyUsd: number | null;
  readonly arms: Readonly<Record<string, number | null>>;
  /** One line for whoever deploys it. */
  readonly announcement: string;
}

/** Dollars rounded to what a bill shows. */
const rounded = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 10_000) / 10_000);

/** The known part of a sum that has an unknown one. */
const atLeast = (lines: readonly CostLine[]): string =>
  lines.reduce((sum, { hourly }) => sum + (hourly ?? 0), 0).toFixed(2);

/**
 * The list price of what a configuration deploys.
 *
 * @param region of the stack; an unresolved one has no prices
 */
export function priceOfStack(configuration: BenchmarkConfiguration, region: string): StackPrice {
  const { definition, scale, arms } = configuration;
  const subject = `Deploying ${definition.name} at scale ${scale} costs`;
  if (Token.isUnresolved(region)) {
    const unknown = Object.fromEntries(arms.map(({ name }) => [name, null]));
    return { hourlyUsd: null, arms: unknown, announcement: `${subject} what its Region asks: set AWS_REGION to know` };
  }
  const lines = deploymentLines(partsOf(configuration), region);
  const { hourlyUsd, reason } = sumOf(lines);
  const basis = `(list prices of ${PRICES_AS_OF}, ${region})`;
  return {
    hourlyUsd: rounded(hourlyUsd),
    arms: Object.fromEntries(
      arms.map(({ name, lustre }) => [name, rounded(sumOf(lustreLines(lustre, region)).hourlyUsd)]),
    ),
    announcement:
      hourlyUsd === null
        ? `${subject} more than ${atLeast(lines)} USD/h ${basis}; not known: ${reason}`
        : `${subject} ${hourlyUsd.toFixed(2)} USD/h ${basis}, whether it runs or not`,
  };
}
