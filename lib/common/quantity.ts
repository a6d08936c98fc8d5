/** Factor of each unit; `''` is a number without one. */
export type Units = Readonly<Record<string, number>>;

const DECIMAL: Units = { B: 1, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 };
const BINARY: Units = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 };
/** A letter alone is binary, as IOR and fio read it. */
const LETTERS: Units = Object.fromEntries([...'kKmMgGtT'].map((letter, at) => [letter, 1024 ** (1 + (at >> 1))]));
/** Bytes of each unit that tools and studies print. */
export const SIZES: Units = { ...DECIMAL, ...BINARY };
const BYTES: Units = { ...SIZES, ...LETTERS };
export const SECONDS: Units = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

const unitsIn = (all: Units, one: number, bare?: number): Units => ({
  ...Object.fromEntries(Object.entries(all).map(([unit, value]) => [unit, value / one])),
  ...(bare === undefined ? {} : { '': bare / one }),
});

/** Units of a size that is returned in units of `one` bytes. @param bare bytes of a number without a unit. @default - a unit is required */
export const sizesIn = (one: number, bare?: number): Units => unitsIn(BYTES, one, bare);

/** Units of a duration that is returned in units of `one` seconds. @param bare seconds of a number without a unit */
export const durationsIn = (one: number, bare: number): Units => unitsIn(SECONDS, one, bare);

/** Reads a number with its unit; NaN for anything else. */
export function measured(text: string, units: Units): number {
  const match = /^(-?\d{1,16}(?:\.\d{1,12})?)\s*([A-Za-z%/]*)$/.exec(text.trim());
  const unit = match?.[2] ?? '';
  if (match === null || !Object.hasOwn(units, unit)) return Number.NaN;
  const value = Number(match[1]) * (units[unit] as number);
  // 1.1 × 1000 is 1100.0000000000002.
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

/** Units that a setting takes next to a plain number, which is in the unit that its name says. */
export interface Measure {
  readonly units: Units;
  /** Completes "must be a whole number from 1 to 9". */
  readonly form: string;
}

const sizes = (one: number, example: string): Measure => ({
  units: sizesIn(one, one),
  form: `, or a size such as ${example}`,
});
const durations = (one: number, example: string): Measure => ({
  units: durationsIn(one, one),
  form: `, or a duration such as ${example}`,
});

export const NUMBER: Measure = { units: { '': 1 }, form: '' };
export const IN_MBPS: Measure = { units: { '': 1, 'MB/s': 1 }, form: '' };
export const IN_BYTES = sizes(1, '500kB or 64KiB');
export const IN_KIB = sizes(2 ** 10, '128KiB or 1MiB');
export const IN_MIB = sizes(2 ** 20, '512MiB or 2GiB');
export const IN_GIB = sizes(2 ** 30, '500GiB or 1TiB');
export const IN_SECONDS = durations(1, '90s, 30m or 2h');
export const IN_MINUTES = durations(60, '45m or 1h');
export const IN_HOURS = durations(3600, '36h or 2d');
