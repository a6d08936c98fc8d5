import { mean, medianAbsoluteDeviation, quantile, sampleStandardDeviation } from 'simple-statistics';

/** Descriptive statistics. A figure is `null` if there are too few values for it. */
export interface Description {
  readonly count: number;
  readonly min: number | null;
  readonly lowerQuartile: number | null;
  readonly median: number | null;
  readonly upperQuartile: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Sample standard deviation (n − 1); `null` for fewer than two values. */
  readonly standardDeviation: number | null;
  /** Median absolute deviation from the median. */
  readonly medianAbsoluteDeviation: number | null;
  /** Standard deviation ÷ mean; `null` if the mean is not positive. */
  readonly coefficientOfVariation: number | null;
}

/** Describes values in any order. @throws if one is not a finite number */
export function describe(values: readonly number[]): Description {
  requireFinite(values);
  const count = values.length;
  const sample = [...values];
  const of = <T>(least: number, figure: () => T): T | null => (count >= least ? figure() : null);
  const average = of(1, () => mean(sample));
  const deviation = of(2, () => sampleStandardDeviation(sample));
  return {
    count,
    min: of(1, () => quantile(sample, 0)),
    lowerQuartile: of(1, () => quantile(sample, 0.25)),
    median: of(1, () => quantile(sample, 0.5)),
    upperQuartile: of(1, () => quantile(sample, 0.75)),
    max: of(1, () => quantile(sample, 1)),
    mean: average,
    standardDeviation: deviation,
    medianAbsoluteDeviation: of(1, () => medianAbsoluteDeviation(sample)),
    coefficientOfVariation: average !== null && deviation !== null && average > 0 ? deviation / average : null,
  };
}

/** The geometric mean of positive values; `null` without one. */
export function geometricMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.exp(meanLog(values));
}

/** The geometric mean of the second values ÷ that of the first; `null` where one has none. */
export function geometricRatio(first: readonly number[], second: readonly number[]): number | null {
  return first.length === 0 || second.length === 0 ? null : Math.exp(meanLog(second) - meanLog(first));
}

const meanLog = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.log(value), 0) / values.length;

/** Rejects missing values: the caller, who knows why they are missing, must remove and count them. */
export function requireFinite(values: readonly number[]): void {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new Error(`'values' must be finite numbers, got ${wrong}`);
}
