import type { Operation } from '../operation';
import { binarySize } from './lint/access';
import { amounts, DATA, ends, type Measured } from './measured';

/** The value of an option in a command of a plan: `-b 8m`, `--size=8m`; `undefined` without it. */
export function optionOf(command: readonly string[], name: string): string | undefined {
  const at = command.lastIndexOf(name);
  if (at >= 0) return command[at + 1];
  return command.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Amount of work that a command asks of each process. */
export interface AskedAmount {
  /** Bytes in one iteration; `null` if the command does not bound them, such as a read to the end of a file. */
  readonly bytesPerProcess: number | null;
  /** Time limit in seconds, after which fewer bytes are right; `null` for a command that must move all. */
  readonly seconds: number | null;
}

/** Returns the product of some sizes as the amount asked for; `null` bytes if one of them is missing or cannot be read. */
export function askedOf(sizes: readonly (string | undefined)[], limit: string | undefined): AskedAmount {
  const read = sizes.map(binarySize);
  const product = read.reduce<number | null>((all, size) => (all === null || size === null ? null : all * size), 1);
  const seconds = limit === undefined ? 0 : Number(limit);
  return { bytesPerProcess: product, seconds: seconds > 0 ? seconds : null };
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

/** Files of a directory up to which AWS advises to stay on PERSISTENT_2: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html */
export const FILES_PER_DIRECTORY = 100_000;

/** assets/client/bin/network-baseline, on a client. */
export const NETWORK = '{bin}/network-baseline';

/** A transfer through the network that reaches no file system. */
export const networkOperation = (id: string, verb: 'write' | 'read', past: string): Operation => ({
  ...DATA,
  id,
  verb,
  past,
  makesData: false,
  cached: false,
});
