import { nearest } from '../../config/nearest';
import { isRegion, REGIONS } from '../../kit/aws/regions';
import { durationsIn, measured, sizesIn, type Units } from '../../kit/quantity';
import { UsageError } from '../context';

/** The accepted forms of a number. */
export interface QuantityRule {
  readonly units: Units;
  readonly min: number;
  readonly max: number;
  /** @default false */
  readonly whole?: boolean;
  /** Completes "must be …". */
  readonly what: string;
}

/** Parses the number of an option, with or without a unit. @throws UsageError in one line */
export function quantity(flag: string, text: string | undefined, rule: QuantityRule): number | undefined {
  if (text === undefined) return undefined;
  const { units, min, max, whole = false, what } = rule;
  const value = measured(text, units);
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    throw new UsageError(`'${flag}' must be ${what}, got '${text}'`);
  return value;
}

export const RATIO = {
  units: { '': 1, x: 1 },
  min: 1,
  max: 255,
  what: 'a ratio of uncompressed to compressed size, from 1 to 255',
};
export const SHARE = { units: { '%': 0.01 }, min: 0, max: 1, what: 'a percentage from 0% to 100%' };
/** CloudWatch keeps metrics for at most 455 days. */
export const HOURS = {
  units: durationsIn(3600, 3600),
  min: 0.25,
  max: 10_919,
  what: 'hours or days from 0.25 to 454d',
};
export const CLIENTS = { units: { '': 1 }, min: 1, max: 10_000, whole: true, what: 'a whole number from 1 to 10000' };
/** GiB. */
export const DATA_SIZE = {
  units: sizesIn(2 ** 30),
  min: 1e-6,
  max: 1e9,
  what: 'a size with its unit such as 500GB, 20TB or 400GiB',
};
/** Parses a word from a closed set, ignoring case. @throws UsageError in one line */
export function word<const T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each.toLowerCase() === text.trim().toLowerCase());
  if (found === undefined) throw new UsageError(`'${flag}' must be one of ${allowed.join(', ')}, got '${text}'`);
  return found;
}

/** Checks the name of an AWS Region. @throws UsageError in one line */
export function regionOf<T extends string | undefined>(text: T): T {
  if (text === undefined || isRegion(text)) return text;
  const meant = nearest(text, REGIONS);
  throw new UsageError(
    `'--region' must be the name of a Region such as us-east-1, got '${text}'${meant === undefined ? '' : `: did you mean ${meant}?`}`,
  );
}
