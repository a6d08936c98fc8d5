import { balances } from './balance';
import { bounds } from './bound';
import { laws } from './law';
import { needs } from './needs';
import { operationPrices } from './price';
import { operationRates } from './rates';
import type { MetadataResults, MetadataSubject } from './results';

/** Derives the results from a run; `null` where it did no operation on files. Pure. */
export function metadataResults(subject: MetadataSubject): MetadataResults | null {
  const { samples, arms, metrics, lab } = subject;
  const rates = operationRates(samples, arms, lab);
  if (rates.length === 0) return null;
  const bound = bounds(samples, metrics, arms, lab);
  const law = laws(rates, bound, arms);
  return {
    rates,
    prices: operationPrices(rates, subject),
    balance: balances(samples, metrics, arms, lab),
    bounds: bound,
    needs: needs(rates, bound, arms, lab),
    ...(law.length === 0 ? {} : { laws: law }),
  };
}
