import type { BenchmarkConfiguration } from '../../config/benchmark';
import { ConfigurationError } from '../../kit/configurationError';
import type { StackPrice } from '../price';

/** Lifetime of a stack. */
export interface Life {
  readonly hours: number;
  /** From its creation. @default - no budget */
  readonly budgetHours?: number;
}

/**
 * Lifetime of a stack; `null` for one that does not expire.
 *
 * @throws ConfigurationError where a budget is set, and nobody knows what the stack costs
 */
export function lifeOf(
  { expiresAfterHours: hours, maxCostUsd, definition }: BenchmarkConfiguration,
  { hourlyUsd, announcement }: Pick<StackPrice, 'hourlyUsd' | 'announcement'>,
): Life | null {
  if (hours === null) return null;
  if (maxCostUsd === undefined) return { hours };
  if (hourlyUsd === null)
    throw new ConfigurationError([
      `'maxCostUsd' must be absent where a price of ${definition.name} is not known, got ${maxCostUsd}: ${announcement}. ` +
        "Use 'expiresAfterHours'.",
    ]);
  return { hours, budgetHours: Math.floor((maxCostUsd / hourlyUsd) * 100) / 100 };
}
