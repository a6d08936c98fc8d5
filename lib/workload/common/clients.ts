import { amounts, ends, type Measured } from './measured';

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
