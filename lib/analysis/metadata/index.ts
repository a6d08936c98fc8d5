import type { Run } from '../run';
import { balances } from './balance';
import { bounds } from './bound';
import { laws } from './law';
import { needs } from './needs';
import { operationPrices } from './price';
import { operationRates } from './rates';
import type { MetadataResults } from './results';

/** Derives the results from a run; `null` where it did no operation on files. Pure. */
export function metadataResults(subject: Run): MetadataResults | null {
  const rates = operationRates(subject);
  if (rates.length === 0) return null;
  const bound = bounds(subject);
  const law = laws(rates, bound, subject);
  return {
    rates,
    prices: operationPrices(rates, subject),
    balance: balances(subject),
    bounds: bound,
    needs: needs(rates, bound, subject),
    ...(law.length === 0 ? {} : { laws: law }),
  };
}
