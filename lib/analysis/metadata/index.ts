import type { Run } from '../run';
import { balances } from './balance';
import { bounds } from './bound';
import { laws } from './law';
import { needs } from './needs';
import { operationPrices } from './price';
import { operationRates } from './rates';
import type { MetadataResults } from './results';
import { isMetadataOperation } from './subject';

/** Derives the results from a run; `null` where it did no operation on files. Of a plan that varies the nodes, by the most of them. Pure. */
export function metadataResults(run: Run): MetadataResults | null {
  const nodes = mostNodes(run);
  const subject = { ...run, counted: run.counted.filter(({ plannedNodes = nodes }) => plannedNodes === nodes) };
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
    ...(nodes === undefined ? {} : { nodes }),
  };
}

/** The most nodes that operations on files were planned on; `undefined` where their number does not vary. */
function mostNodes({ counted }: Run): number | undefined {
  return counted.reduce<number | undefined>(
    (most, { operation, plannedNodes }) =>
      plannedNodes !== undefined && isMetadataOperation(operation) ? Math.max(most ?? 0, plannedNodes) : most,
    undefined,
  );
}
