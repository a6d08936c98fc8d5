import type { AskedAmount } from '../workload';
import { binarySize } from './lint/size';

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
