import { meanOf, medianOf, outliers, variationOf } from '../../common/statistics';

export type Statistics = ReturnType<typeof statistics>;

/** Summary statistics of a set of values; every figure is `null` for an empty set. */
export function statistics(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const [min = null, max = null] = [sorted[0], sorted.at(-1)];
  return { count: sorted.length, median: medianOf(sorted), min, max, mean: meanOf(sorted) };
}

/** Most values that are tested for outliers: among more there are always some. */
const MOST_FOR_OUTLIERS = 500;

export function spreadOf(samples: readonly { readonly repeat: number; readonly value: number | null }[]) {
  const known = samples.flatMap(({ repeat, value }) => (value === null ? [] : [{ repeat, value }]));
  const values = known.map(({ value }) => value);
  const apart = values.length > MOST_FOR_OUTLIERS ? [] : outliers(values, 0.01);
  return {
    /** Standard deviation ÷ mean; `null` for fewer than two values. */
    coefficientOfVariation: variationOf(values),
    /** Values that differ from the others. They still count. */
    outliers: apart.map(({ index, value }) => ({ repeat: known[index]?.repeat ?? 0, value })),
  };
}
