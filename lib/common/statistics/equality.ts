import type { LowHigh } from '../lowHigh';

/**
 * True if a ratio of 1 lies outside, and with it all that a systematic error could make of 1.
 *
 * @param systematic largest systematic error of the ratio, as a share: 0.05 is 5 %
 */
export const leavesOutEquality = ({ low, high }: LowHigh<number>, systematic = 0): boolean =>
  low > 1 / (1 - systematic) || high < 1 - systematic;

/**
 * True if the whole interval says that neither side is slower than the other by the smallest difference that matters: the two one-sided tests of
 * equivalence (TOST, Schuirmann 1987, https://doi.org/10.1007/BF01068419). Those need an interval of 90 % for an error of 5 %; one that is shown at
 * 95 % or more errs less often.
 *
 * @param smallest a share: 0.02 is 2 %
 */
export const isNegligible = ({ low, high }: LowHigh<number>, smallest: number): boolean =>
  low >= 1 - smallest && high <= 1 / (1 - smallest);
