import type { ParseDocument } from '../../schema/parse';
import type { WorkloadAction } from '../../schema/plan';
import { countedRate, type Measured } from '../kit/measured';
import type { Operation } from '../operation';

/**
 * Rates of all ranks together: of each iteration where mdtest prints it, which is with -v up to 3.3.0, or where there is one iteration
 * only. Otherwise, from 4.0.0, the statistics over iterations (facts-tools, section 4).
 */
export function mdtestValues(action: WorkloadAction, main: Operation, documents: readonly ParseDocument[]): Measured[] {
  return documents.flatMap((document) => valuesOf(action, main, document));
}

function valuesOf(action: WorkloadAction, { id }: Operation, { samples, summary, tests }: ParseDocument): Measured[] {
  const wanted = (operation: string): boolean =>
    action.operation === 'all' ? /^(file|dir)_\w+$/.test(operation) : operation === id;
  const files = tests[0]?.items ?? null;
  const rates = samples.filter(({ operation, metric, value }) => wanted(operation) && metric === 'operations' && value);
  if (rates.length > 0) {
    return rates.flatMap(({ operation, iteration, value }) =>
      countedRate({ operation, iteration }, value as number, files),
    );
  }
  return summary
    .filter(
      ({ operation, metric, mean, basis }) =>
        wanted(operation) && metric === 'operations' && mean && basis === 'iterations',
    )
    .flatMap(({ operation, mean, max, min }) => [
      { operation, metric: 'rate', value: mean, unit: 'op/s' },
      { operation, metric: 'rate_max', value: max, unit: 'op/s' },
      { operation, metric: 'rate_min', value: min, unit: 'op/s' },
    ]);
}
