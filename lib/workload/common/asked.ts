import type { Operation } from '../operation';
import type { AskedAmount } from '../workload';
import { binarySize } from './lint/access';
import { amounts, DATA, ends, type Measured } from './measured';

/** The value of an option in a command of a plan: `-b 8m`, `--size=8m`; `undefined` without it. */
export function optionOf(command: readonly string[], name: string): string | undefined {
  const at = command.lastIndexOf(name);
  if (at >= 0) return command[at + 1];
  return command.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
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

/**
 * Files of a directory up to which AWS advises to stay on PERSISTENT_2. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html
 */
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

/** IOR releases that the clients can build; only these have known patterns. mdtest is part of IOR and shares its version. */
export const IOR_VERSIONS = ['3.3.0', '4.0.0'] as const;
export type IorVersion = (typeof IOR_VERSIONS)[number];

/** A supported release; `undefined` for any other text. */
export const iorVersion = (text: string | null | undefined): IorVersion | undefined =>
  IOR_VERSIONS.find((version) => version === text);

/** The IOR and mdtest release that a plan uses. */
export const IOR_RELEASE = { parameter: 'iorVersion', versions: IOR_VERSIONS } as const;

/** Long options of IOR and mdtest that take their value from the next word as well, from their common library (`src/aiori-POSIX.c`). */
export const longWithValue = (name: string): boolean => /^(?:dataPacketType|posix\.lustre\.\w+)$/.test(name);

/** The version in a path such as `/opt/ior-4.0.0/bin/mdtest`. */
export const RELEASE_IN_PATH = /(?:ior|mdtest)[-_]v?(\d+\.\d+\.\d+)(?:\/|$)/i;
