import { nearest } from '../../config/nearest';
import { isRegion, REGIONS } from '../../kit/aws/regions';
import { UsageError } from '../context';

/** The accepted forms of a number. */
export interface QuantityRule {
  /** The value of each unit in the returned unit; `''` stands for a number without a unit. */
  readonly units: Readonly<Record<string, number>>;
  readonly min: number;
  readonly max: number;
  /** @default false */
  readonly whole?: boolean;
  /** Completes "must be …". */
  readonly what: string;
}

type Units = QuantityRule['units'];

/** Bytes of each unit: MB is 10^6 and MiB 2^20. A letter alone is binary, as IOR and fio read it. */
const BYTES: Units = {
  ...{ B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 },
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 },
  ...{ k: 2 ** 10, K: 2 ** 10, m: 2 ** 20, M: 2 ** 20, g: 2 ** 30, G: 2 ** 30, t: 2 ** 40, T: 2 ** 40 },
};
const SECONDS: Units = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

const unitsIn = (all: Units, one: number, bare?: number): Units => ({
  ...Object.fromEntries(Object.entries(all).map(([unit, value]) => [unit, value / one])),
  ...(bare === undefined ? {} : { '': bare / one }),
});

/** Units of a size that is returned in units of `one` bytes. @param bare bytes of a number without a unit. @default - a unit is required */
export const sizesIn = (one: number, bare?: number): Units => unitsIn(BYTES, one, bare);

/** Units of a duration that is returned in units of `one` seconds. @param bare seconds of a number without a unit. @default - a unit is required */
export const durationsIn = (one: number, bare?: number): Units => unitsIn(SECONDS, one, bare);

/** Reads a number with its unit; NaN for anything else. */
export function measured(text: string, units: Units): number {
  const match = /^(-?\d{1,15}(?:\.\d{1,12})?)\s*([A-Za-z%/]*)$/.exec(text.trim());
  const unit = match?.[2] ?? '';
  return match !== null && Object.hasOwn(units, unit) ? Number(match[1]) * (units[unit] as number) : Number.NaN;
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
