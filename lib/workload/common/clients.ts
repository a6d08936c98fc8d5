import type { ParseDocument } from '../../schema/parse';
import { amounts, countedRate, ends, type Measured } from './measured';
import { printedValue } from './printed';

/** The samples with the rate of an operation; the number of files stands beside it. */
export interface FilesMetrics {
  /** Its name in the document, normally the operation. */
  readonly operation: string;
  readonly rate: string;
}

/**
 * All clients' files, divided by the time of the slowest, for a tool that each client runs independently; empty if a client has no figures.
 * The time is computed from the rate, which is printed with more digits.
 */
export function filesOfClients(
  operation: string,
  { operation: printed, rate }: FilesMetrics,
  documents: readonly ParseDocument[],
): Measured[] {
  const clients = documents.flatMap((document) => {
    const [count, perSecond] = ['files', rate].map(printedValue([document], printed));
    return count && perSecond ? [{ count, seconds: count / perSecond }] : [];
  });
  if (clients.length === 0 || clients.length < documents.length) return [];
  const count = clients.reduce((sum, client) => sum + client.count, 0);
  const seconds = clients.map((client) => client.seconds);
  const last = Math.max(...seconds);
  return [
    ...countedRate({ operation, iteration: null }, count / last, count),
    ...(clients.length < 2 ? [] : ends({ operation }, Math.min(...seconds), last)),
  ];
}

/** All clients' bytes, divided by the time of the slowest; empty if a client has no figures. Both lists are in the order of the clients. */
export function dataOfClients(operation: string, bytes: readonly number[], seconds: readonly number[]): Measured[] {
  const last = Math.max(...seconds, 0);
  if (seconds.length < bytes.length || !(last > 0)) return [];
  const total = bytes.reduce((sum, value) => sum + value, 0);
  return [
    { operation, metric: 'throughput', value: total / last / 1e6, unit: 'MB/s' },
    { operation, metric: 'bytes', value: total, unit: 'B' },
    { operation, metric: 'total_time', value: last, unit: 's' },
    ...(bytes.length < 2
      ? []
      : [
          ...ends({ operation }, Math.min(...seconds), last),
          ...amounts({ operation }, Math.min(...bytes), Math.max(...bytes)),
        ]),
  ];
}
