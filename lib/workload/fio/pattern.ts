import type { Pattern } from '../workload';

/** A pattern of fio with its percentage. */
interface FioPattern extends Pattern {
  readonly percent: number;
}

/**
 * fio's `buffer_compress_percentage` against the ratio that LZ4 reached on what it wrote: 16 MiB each by fio 3.33 with
 * `--refill_buffers --buffer_compress_chunk=4k`, cut into records of 128 KiB, rounded up to 4 KiB, kept raw when they save less than
 * one eighth; then the same on records of 1 MiB, by `estimate compression --on zfs` on what it wrote. Up to 10 % nothing is saved for that
 * reason. The steps are those of the sectors, so nothing is interpolated.
 */
const FIO_CALIBRATION: readonly (readonly [percent: number, ratio: number, ratioOn1MiB: number])[] = [
  [0, 1, 1],
  [15, 1.143, 1.164],
  [20, 1.231, 1.237],
  [25, 1.28, 1.319],
  [30, 1.391, 1.415],
  [35, 1.524, 1.523],
  [40, 1.6, 1.641],
  [42, 1.684, 1.706],
  [46, 1.778, 1.828],
  [50, 1.882, 1.968],
  [55, 2.133, 2.187],
  [60, 2.462, 2.46],
  [64, 2.667, 2.721],
  [67, 2.909, 2.974],
  [70, 3.2, 3.237],
  [73, 3.556, 3.601],
  [76, 4, 4.057],
  [80, 4.571, 4.821],
  [85, 6.4, 6.383],
  [90, 8, 9.168],
];

/** The largest ratio that fio was calibrated for. */
export const MAX_TARGET = 8;

/**
 * The calibrated fio pattern nearest to a target ratio (by quotient), with its measured ratio as `expectedRatio`.
 *
 * @throws if the target is outside the measured range 1…8
 */
export function fioPattern(target: number): FioPattern {
  if (!(target >= 1 && target <= MAX_TARGET)) {
    throw new Error(`'target' must be a compression ratio from 1 to ${MAX_TARGET}, got ${target}`);
  }
  const distance = (ratio: number): number => Math.abs(Math.log(ratio / target));
  return patternOf(FIO_CALIBRATION.reduce((best, next) => (distance(next[1]) < distance(best[1]) ? next : best)));
}

function patternOf([percent, expectedRatio, ratioOn1MiB]: (typeof FIO_CALIBRATION)[number]): FioPattern {
  return { id: `fio-${percent}`, percent, expectedRatio, ratioOn1MiB };
}

/** A pattern by its id in samples; `null` for one that was never measured. */
export function knownFioPattern(id: string): Pattern | null {
  return FIO_CALIBRATION.map(patternOf).find((pattern) => pattern.id === id) ?? null;
}
