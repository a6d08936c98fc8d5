import type { ParseDocument } from '../../schema/parse';
import { dataOfClients } from '../common/clients';
import { countedRate, ends, type Measured } from '../common/measured';
import { printedValues } from '../common/printed';
import type { Workload } from '../workload';

/** Combined values of all clients: their bytes or files, divided by the time of the slowest. fio reports a client's processes as one. */
export const fioValues: Workload['values'] = (_, { id, on }, documents) =>
  on === 'data' ? dataValues(id, documents) : filesValues(id, documents);

/** Percentiles do not add up: the worst client's stands for all. */
const PERCENTILES = ['completion_latency_p50', 'completion_latency_p99', 'completion_latency_p99.9'] as const;

function dataValues(operation: string, documents: readonly ParseDocument[]): Measured[] {
  const all = printedValues(documents, operation);
  const runtimes = all('runtime');
  return [
    ...dataOfClients(operation, all('bytes'), runtimes),
    ...PERCENTILES.flatMap((metric): Measured[] => {
      const found = all(metric);
      const worst = Math.max(...found);
      // What one client did not tell is not known of all, and takes no other figure with it.
      return found.length < runtimes.length || !Number.isFinite(worst)
        ? []
        : [{ operation, metric, value: worst, unit: 's' }];
    }),
  ];
}

function filesValues(operation: string, documents: readonly ParseDocument[]): Measured[] {
  const all = printedValues(documents, operation);
  const files = all('ios').reduce((sum, value) => sum + value, 0);
  const seconds = Math.max(...all('runtime'), 0);
  if (!(files > 0 && seconds > 0)) return [];
  return [
    ...countedRate({ operation, iteration: null }, files / seconds, files),
    ...(documents.length < 2 ? [] : ends({ operation }, Math.min(...all('runtime')), seconds)),
  ];
}
