import type { ParseDocument } from '../../model/parse';
import type { WorkloadAction } from '../../model/plan';
import { countedRate, ends, type Measured } from '../kit/measured';
import type { Operation } from '../operation';

/** All clients' files over the time of the slowest; the time follows from the rate, since the text rounds it to milliseconds. */
export function smallfileValues(
  _: WorkloadAction,
  { id: operation }: Operation,
  documents: readonly ParseDocument[],
): Measured[] {
  const clients = documents.flatMap(({ samples }) => {
    const of = (metric: string): number | null =>
      samples.find((sample) => sample.operation === operation && sample.metric === metric)?.value ?? null;
    const [files, rate] = [of('files'), of('operations')];
    return files && rate ? [{ files, seconds: files / rate }] : [];
  });
  if (clients.length === 0 || clients.length < documents.length) return [];
  const files = clients.reduce((sum, client) => sum + client.files, 0);
  const seconds = clients.map((client) => client.seconds);
  const last = Math.max(...seconds);
  return [
    ...countedRate({ operation, iteration: null }, files / last, files),
    ...(clients.length < 2 ? [] : ends({ operation }, Math.min(...seconds), last)),
  ];
}
