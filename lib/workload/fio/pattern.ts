import type { Pattern } from '../workload';

/**
 * fio's `buffer_compress_percentage` against the ratio that LZ4 reached on what it wrote: 16 MiB each by fio 3.33 with
 * `--refill_buffers --buffer_compress_chunk=4k`, cut into records of 128 KiB, rounded up to 4 KiB, kept raw when they save less than
 * one eighth. Up to 10 % nothing is saved for that reason. The steps are those of the sectors, so nothing is interpolated.
 */
const FIO_CALIBRATION: readonly (readonly [percent: number, ratio: number])[] = [
  [0, 1],
  [15, 1.143],
  [20, 1.231],
  [25, 1.28],
  [30, 1.391],
  [35, 1.524],
  [40, 1.6],
  [42, 1.684],
  [46, 1.778],
  [50, 1.882],
  [55, 2.133],
  [60, 2.462],
  [64, 2.667],
  [67, 2.909],
  [70, 3.2],
  [73, 3.556],
  [76, 4],
  [80, 4.571],
  [85, 6.4],
  [90, 8],
];

/** The largest ratio that fio was calibrated for. */
export const MAX_TARGET = 8;

/**
 * The calibrated fio pattern that comes nearest to a target ratio (by quotient); the ratio it is known for stands in `expectedRatio`.
 *
 * @throws when the target is outside 1…8, where nothing was measured
 */
export function fioPattern(target: number): Pattern & { readonly percent: number } {
  if (!(target >= 1 && target <= MAX_TARGET)) {
    throw new Error(`'target' must be a compression ratio from 1 to ${MAX_TARGET}, got ${target}`);
  }
  const distance = (ratio: number): number => Math.abs(Math.log(ratio / target));
  const [percent, expectedRatio] = FIO_CALIBRATION.reduce((best, next) =>
    distance(next[1]) < distance(best[1]) ? next : best,
  );
  return { id: `fio-${percent}`, percent, expectedRatio };
}

/** The ratio that was measured of a pattern; `null` for one that never was. */
export function knownFioRatio(pattern: string): number | null {
  return FIO_CALIBRATION.find(([percent]) => `fio-${percent}` === pattern)?.[1] ?? null;
}
