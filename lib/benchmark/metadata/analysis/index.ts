import { type Need, needs } from '../../../storage/lustre/metadataNeed';
import { type Balance, balances } from './balance';
import { type Bound, bounds } from './bound';
import { type OperationPrice, operationPrices } from './price';
import { type OperationRate, operationRates } from './rates';
import type { MetadataSubject } from './subject';

export type { MetadataArm, MetadataSubject } from './subject';

/** What a run says of metadata. Everything that is not known is `null` with a reason beside it. */
export interface MetadataResults {
  readonly rates: readonly OperationRate[];
  readonly prices: readonly OperationPrice[];
  readonly balance: readonly Balance[];
  readonly bounds: readonly Bound[];
  readonly needs: readonly Need[];
}

/** Derives the results from a run; `null` where it did no operation on files. Pure. */
export function metadataResults(subject: MetadataSubject): MetadataResults | null {
  const { samples, arms, metrics, lab } = subject;
  const rates = operationRates(samples, arms, lab);
  if (rates.length === 0) return null;
  const bound = bounds(samples, metrics, arms, lab);
  return {
    rates,
    prices: operationPrices(rates, subject),
    balance: balances(samples, metrics, arms, lab),
    bounds: bound,
    needs: needs(rates, bound, arms, lab),
  };
}
