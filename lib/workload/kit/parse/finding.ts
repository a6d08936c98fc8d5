import type { ParsedSample, ParsedSummary, ParsedTest } from '../../../schema/parse';

/** What a parser found in an output. Parsers add to it; {@link toDocument} makes the document of it. */
export interface Finding {
  readonly tool: string;
  readonly version: string | null;
  readonly command: string | null;
  readonly complete: boolean;
  readonly incompleteReason?: string;
  readonly problems: readonly string[];
  /** Codes of the launcher that this finding states better: `job_error_13` for `permission_denied`. */
  readonly replaces?: readonly string[];
  readonly cautions: readonly string[];
  readonly samples: readonly ParsedSample[];
  /** Statistics that only the tool can give (mdtest). Those of the samples are computed for all. */
  readonly summary?: readonly ParsedSummary[];
  readonly tests: readonly ParsedTest[];
}

/** Statistics of values: population standard deviation, as IOR's. `null` throughout when there are none. */
function statistics(values: readonly number[]): Pick<ParsedSummary, 'max' | 'min' | 'mean' | 'stddev' | 'count'> {
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
  const groups: { first: ParsedSample; values: number[] }[] = [];
  const byTest = new Map<ParsedSample['test'], Map<string, Map<string, (typeof groups)[number]>>>();
  for (const sample of samples) {
    const byMetric = within(within(byTest, sample.test), sample.operation);
    let group = byMetric.get(sample.metric);
    if (group === undefined) {
      group = { first: sample, values: [] };
      byMetric.set(sample.metric, group);
      groups.push(group);
    }
    if (sample.value !== null) group.values.push(sample.value);
  }
  return groups.map(({ first, values }) => ({
    operation: first.operation,
    test: first.test,
    metric: first.metric,
    unit: first.unit,
    ...statistics(values),
    basis: 'samples' as const,
    ...(values.length === 0 ? { reason: first.reason ?? 'no value' } : {}),
  }));
}

/** The map that stands under a key, made at its first use. */
function within<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const inner = outer.get(key) ?? new Map<Inner, Value>();
  if (inner.size === 0) outer.set(key, inner);
  return inner;
}
