import type { ParsedSample, ParsedSummary, ParsedTest, Tool } from '../model/parse';

/** What a parser found in an output. Parsers add to it; {@link toDocument} makes the document of it. */
export interface Finding {
  readonly tool: Tool;
  readonly version: string | null;
  readonly command: string | null;
  readonly complete: boolean;
  readonly problems: readonly string[];
  readonly cautions: readonly string[];
  readonly samples: readonly ParsedSample[];
  /** Statistics that only the tool can give (mdtest). Those of the samples are computed for all. */
  readonly summary?: readonly ParsedSummary[];
  readonly tests: readonly ParsedTest[];
}

/** Statistics of values: population standard deviation, as IOR's. `null` throughout when there are none. */
export function statistics(
  values: readonly number[],
): Pick<ParsedSummary, 'max' | 'min' | 'mean' | 'stddev' | 'count'> {
  const count = values.length;
  if (count === 0) return { max: null, min: null, mean: null, stddev: null, count };
  let max = Number.NEGATIVE_INFINITY;
  let min = Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const value of values) {
    if (value > max) max = value;
    if (value < min) min = value;
    sum += value;
  }
  const mean = sum / count;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { max, min, mean, stddev: Math.sqrt(squares / count), count };
}

/** One summary for each operation, test and metric of the samples, in the order of their first sample. */
export function summarize(samples: readonly ParsedSample[]): ParsedSummary[] {
  const groups = new Map<string, { first: ParsedSample; values: number[] }>();
  for (const sample of samples) {
    const key = `${sample.operation}\n${typeof sample.test}\n${sample.test}\n${sample.metric}`;
    let group = groups.get(key);
    if (group === undefined) {
      group = { first: sample, values: [] };
      groups.set(key, group);
    }
    if (sample.value !== null) group.values.push(sample.value);
  }
  return [...groups.values()].map(({ first, values }) => ({
    operation: first.operation,
    test: first.test,
    metric: first.metric,
    unit: first.unit,
    ...statistics(values),
    basis: 'samples' as const,
    ...(values.length === 0 ? { reason: first.reason ?? 'no value' } : {}),
  }));
}
