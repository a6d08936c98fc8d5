import { ownValue, type Range } from '../collections';
import { SIZES } from '../quantity';

/** Formats numbers for text, independently of locale and time zone: the same value always gives the same text. */

/** Shown in place of a missing value, with a reason next to it. */
export const NO_VALUE = '–';

/** Converts a value to MB/s (10^6 bytes); `null` if the unit is not one of throughput. */
export function toMBps(value: number, unit: string): number | null {
  const factor = unit.endsWith('/s') ? ownValue(SIZES, unit.slice(0, -2)) : undefined;
  return factor === undefined ? null : (value * factor) / 1e6;
}

/** `12460` → `12,460`; rounds to `decimals`. */
export function grouped(value: number, decimals = 0): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const thousands = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  const digits = thousands + (fraction === undefined ? '' : `.${fraction}`);
  return value < 0 && /[1-9]/.test(digits) ? `−${digits}` : digits;
}

/** Three significant digits below 1,000, whole numbers from there on. */
export const plain = (value: number | null): string => significant(value, 3);

/** Four significant digits, whole numbers from 10,000 on: dividing two such figures gives the printed `ratio`, within one in its last digit. */
export const precise = (value: number | null): string => significant(value, 4);

/** Decimals for a number of significant digits: 999.96 is 1,000 instead of 1,000.0. At most six decimals. */
function significant(value: number | null, digits: number): string {
  if (value === null || !Number.isFinite(value)) return NO_VALUE;
  if (Number.isInteger(Number(value.toPrecision(12)))) return grouped(value);
  const rounded = Math.abs(Number(value.toPrecision(digits)));
  return grouped(value, Math.min(6, Math.max(0, digits - 1 - Math.floor(Math.log10(rounded)))));
}

/** A share in per cent: `4.20 %`. */
export const percent = (share: number): string => `${plain(share * 100)} %`;

/** A change in per cent: `+4.2 %`, `−12 %`. */
export function percentChange(value: number | null): string {
  if (value === null) return NO_VALUE;
  if (value === 0) return '0 %';
  const shown = grouped(value, Math.abs(value) < 9.95 ? 1 : 0);
  return `${/[1-9]/.test(shown) && value > 0 ? '+' : ''}${shown} %`;
}

/** A ratio such as `1.82`: two decimals below 10, one below 100, two digits below 0.1. */
export function ratio(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NO_VALUE;
  const size = Math.abs(value);
  if (size > 0 && size < 0.0995) return grouped(value, Math.min(6, 1 - Math.floor(Math.log10(size))));
  return grouped(value, Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0);
}

/** The interval of a ratio, `1.70–1.95`. Ends beyond a factor of 100 become bounds. An end ≠ 1 is not rounded to 1: `0.92–0.996`. */
export function ratioRange({ low, high }: Range<number>): string {
  const [from, to] = [low > 1 ? besideOne(low) : ratio(low), high < 1 ? besideOne(high) : ratio(high)];
  // Both ends are far from 1: a very small or very large ratio with a narrow interval.
  if ((low >= 0.01 && high <= 100) || (low > 0 && high / low < 100)) return `${from}–${to}`;
  return `${low < 0.01 ? 'under 0.01' : ratio(low)} to ${high > 100 ? 'over 100' : ratio(high)}`;
}

function besideOne(value: number): string {
  const shown = ratio(value);
  if (!/^1(\.0+)?$/.test(shown)) return shown;
  return grouped(value, Math.min(6, Math.ceil(-Math.log10(Math.abs(value - 1)))));
}

/** A ratio with two significant digits, for running text: `1.8`, `0.97`. */
export function roughRatio(value: number): string {
  if (Math.abs(value) < 0.0995) return ratio(value);
  return grouped(value, Math.abs(value) < 0.995 ? 2 : Math.abs(value) < 9.95 ? 1 : 0);
}

const DECIMAL_UNITS = Object.entries({ TB: 1e12, GB: 1e9, MB: 1e6, kB: 1e3 });

/** The size of a file, as its user wrote it: `4 KiB`, `500 kB`. */
export function fileSize(value: number): string {
  const [name, unit] = DECIMAL_UNITS.find(([name, size]) => name !== 'TB' && value % size === 0) ?? ['', 0];
  return unit > 0 && value % 1024 !== 0 ? `${grouped(value / unit)} ${name}` : bytes(value);
}

/** A byte count in the largest binary unit that gives at least 1: `11.7 GiB`. */
export function bytes(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NO_VALUE;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let scaled = value;
  let index = 0;
  while (Math.abs(scaled) >= 1024 && index < units.length - 1) {
    scaled /= 1024;
    index += 1;
  }
  return `${plain(scaled)} ${units[index]}`;
}

/** A byte count in the largest decimal unit that gives at least 1, with up to four digits: `1.5 GB`, `247.4 TB`. */
export function decimalBytes(value: number): string {
  const [name, unit] = DECIMAL_UNITS.find(([, size]) => value >= size) ?? ['B', 1];
  return `${Number((value / unit).toPrecision(4))} ${name}`;
}

/** `43200` → `12 h`; `754` → `12 min 34 s`; `3.2` → `3.2 s`. */
export function duration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return NO_VALUE;
  if (seconds < 9.95) return `${grouped(seconds, Number.isInteger(seconds) ? 0 : 1)} s`;
  const whole = Math.round(seconds);
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'min'],
    [whole % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  const shown = parts.slice(first, first + 2).filter(([amount]) => amount > 0);
  return shown.map(([amount, unit]) => `${amount} ${unit}`).join(' ');
}

/** US dollars: cents, or tenths of a cent below 10 cents, where whole cents would round too much. */
export function usd(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NO_VALUE;
  if (value > 0 && value < 0.001) return 'under $0.001';
  return `$${grouped(value, value > 0 && value < 0.1 ? 3 : 2)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-21T09:12:33.120Z` → `21 Nov 2026, 09:12:33 UTC`. Anything that is not a date is unchanged. */
export function moment(iso: string | null): string {
  if (iso === null) return NO_VALUE;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `${day}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} UTC`;
}

/** `3 pairs`, `1 pair`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${grouped(count)} ${count === 1 ? singular : plural}`;

/** The smallest detectable difference: `23 %`; beyond a factor of ten the exact value is irrelevant. */
export function detectable(difference: number | null): string {
  if (difference === null) return NO_VALUE;
  return difference > 9 ? 'more than a factor of ten' : `${plain(Math.round(difference * 1e6) / 1e4)} %`;
}
