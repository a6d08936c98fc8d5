/** Units by dimension, with their factor to the dimension's first unit. */
const DIMENSIONS: readonly Readonly<Record<string, number>>[] = [
  { 'B/s': 1, 'MB/s': 1e6, 'MiB/s': 2 ** 20, 'GB/s': 1e9, 'GiB/s': 2 ** 30 },
  { B: 1, MB: 1e6, MiB: 2 ** 20, GB: 1e9, GiB: 2 ** 30, TB: 1e12, TiB: 2 ** 40 },
  { s: 1, min: 60, h: 3600 },
  // Ratios: `n:1` for sizes, `x` for anything.
  { 'n:1': 1, x: 1 },
  { '%': 1 },
  { 'op/s': 1 },
  { IOPS: 1 },
  { USD: 1 },
  { 'USD/month': 1 },
];

/** The conversion factor between two units; `null` if their dimensions differ. */
export function conversion(from: string, to: string | null): number | null {
  if (from === to) return 1;
  const dimension = DIMENSIONS.find((units) => from in units && to !== null && to in units);
  return dimension ? (dimension[from] as number) / (dimension[to as string] as number) : null;
}
