import type { ParsedSample, ParsedSummary, ParsedTest } from '../../../schema/parse';

/** Head of a test, as far as the tool prints it. */
export type TestHead = Pick<ParsedTest, 'test'> & Partial<ParsedTest>;

/** Findings of a parser in an output. What it leaves out, the tool does not print, or there is nothing of it. */
export interface ParserFinding {
  readonly version?: string | null;
  readonly command?: string | null;
  readonly complete: boolean;
  readonly incompleteReason?: string;
  readonly problems: Iterable<string>;
  /** Launcher codes that this finding replaces: `job_error_13` for `permission_denied`. */
  readonly replaces?: readonly string[];
  readonly cautions?: Iterable<string>;
  readonly samples: readonly ParsedSample[];
  /** Statistics that only the tool has (mdtest). Those of the samples are computed for all tools. */
  readonly summary?: readonly ParsedSummary[];
  readonly tests?: readonly TestHead[];
  /** True if the output holds what this parser read and nothing else, neither of another tool nor of a launcher. @default false */
  readonly fills?: boolean;
}

const UNPRINTED = {
  tasks: null,
  command: null,
  began: null,
  finished: null,
  repetitions: null,
  nodes: null,
  transferBytes: null,
  blockBytes: null,
  aggregateBytes: null,
  items: null,
  printed: [],
};

/** A test as documents have it: its fields in the order in which they were found, and `null` for what was not printed. */
export function testOf(tool: string, { test, version = null, ...printed }: TestHead): ParsedTest {
  const found = { test, tool, version, ...printed };
  return { ...found, ...UNPRINTED, ...found };
}

/** Statistics with population standard deviation, like IOR's. All `null` if there are no values. */
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

/** Samples of one operation, test and metric. */
interface Group {
  readonly first: ParsedSample;
  readonly values: number[];
}

/** One summary per operation, test and metric, in the order of their first sample. */
export function summarize(samples: readonly ParsedSample[]): ParsedSummary[] {
  const groups: Group[] = [];
  const byTest = new Map<ParsedSample['test'], Map<string, Group[]>>();
  let before: ParsedSample | undefined;
  let metrics: Group[] = [];
  for (const sample of samples) {
    // Tools print the metrics of an operation, which are few, one after the other.
    if (sample.test !== before?.test || sample.operation !== before.operation) {
      const ofTest = within(byTest, sample.test);
      metrics = ofTest.get(sample.operation) ?? [];
      ofTest.set(sample.operation, metrics);
    }
    before = sample;
    let group = metrics.find(({ first }) => first.metric === sample.metric);
    if (group === undefined) {
      group = { first: sample, values: [] };
      metrics.push(group);
      groups.push(group);
    }
    if (sample.value !== null) group.values.push(sample.value);
  }
  return groups.map(({ first: { operation, test, metric, unit, reason = 'no value' }, values }) => {
    const { max, min, mean, stddev, count } = statistics(values);
    const line: ParsedSummary = { operation, test, metric, unit, max, min, mean, stddev, count, basis: 'samples' };
    return values.length === 0 ? { ...line, reason } : line;
  });
}

/** The map for a key, created on first use. */
export function within<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const inner = outer.get(key) ?? new Map<Inner, Value>();
  if (inner.size === 0) outer.set(key, inner);
  return inner;
}
