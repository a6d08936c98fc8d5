import type { ParseDocument } from '../../schema/parse';
import { countedRate, ends, type Measured } from './measured';

/** The samples with the rate and the number of files of an operation. */
export interface FilesMetrics {
  /** Its name in the document, normally the operation. */
  readonly operation: string;
  readonly rate: string;
  readonly files: string;
}

/**
 * All clients' files, divided by the time of the slowest, for a tool that each client runs independently; empty if a client has no figures.
 * The time is computed from the rate, which is printed with more digits.
 */
export function filesOfClients(
  operation: string,
  { operation: printed, rate, files }: FilesMetrics,
  documents: readonly ParseDocument[],
): Measured[] {
  const clients = documents.flatMap(({ samples }) => {
    const of = (metric: string): number | null =>
      samples.find((sample) => sample.operation === printed && sample.metric === metric)?.value ?? null;
    const [count, perSecond] = [of(files), of(rate)];
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
