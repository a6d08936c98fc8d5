import type { ParsedSample, ParsedSummary, ParsedTest } from '../../../schema/parse';

/** True unless both figures are known and further apart than rounding explains. */
export const agrees = (one: number | null | undefined, other: number | null | undefined, tolerance: number): boolean =>
  !(Math.abs((one ?? Number.NaN) - (other ?? Number.NaN)) > tolerance);

/** True unless known figures are out of order by more than rounding explains. */
export function isOrdered(low: number | null, middle: number | null, high: number | null, tolerance = 0): boolean {
  const [a, b, c] = [low ?? Number.NaN, middle ?? Number.NaN, high ?? Number.NaN];
  return !(a > b + tolerance || b > c + tolerance || a > c + tolerance);
}

/** Head of a test, as far as the tool prints it. */
export type TestHead = Pick<ParsedTest, 'test'> & Partial<ParsedTest>;

/** Findings of a parser in an output. A missing field was not printed, or has no content. */
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
  ...{ tasks: null, command: null, began: null, finished: null, repetitions: null, nodes: null },
  ...{ transferBytes: null, blockBytes: null, aggregateBytes: null, items: null, printed: [] },
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
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  // Too many for the arguments of one call.
  const max = values.reduce((most, value) => Math.max(most, value));
  const min = values.reduce((least, value) => Math.min(least, value));
  return { max, min, mean, stddev: Math.sqrt(squares / count), count };
}

/** One summary per operation, test and metric, in the order of their first sample. */
export function summarize(samples: readonly ParsedSample[]): ParsedSummary[] {
  const groups = Map.groupBy(samples, ({ operation, test, metric }) => JSON.stringify([operation, test, metric]));
  return [...groups.values()].map((own) => {
    const { operation, test, metric, unit, reason = 'no value' } = own[0] as ParsedSample;
    const values = own.flatMap(({ value }) => value ?? []);
    const { max, min, mean, stddev, count } = statistics(values);
    const line: ParsedSummary = { operation, test, metric, unit, max, min, mean, stddev, count, basis: 'samples' };
    return count === 0 ? { ...line, reason } : line;
  });
}

/** The map for a key, created on first use. */
export function within<Key, Inner, Value>(outer: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const inner = outer.get(key) ?? new Map<Inner, Value>();
  if (inner.size === 0) outer.set(key, inner);
  return inner;
}

const UNITS: readonly string[] = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Parses a size as IOR prints it: `131072 bytes`, `1 MiB`, `1.50 GiB` (rounded by IOR). `null` for anything else. */
export function bytesOf(text: string | undefined): number | null {
  const match = /^(\d+(?:\.\d+)?) (bytes|[KMGTP]iB|B)$/.exec(text?.trim() ?? '');
  return match ? Math.round(Number(match[1]) * 1024 ** Math.max(0, UNITS.indexOf(match[2] as string))) : null;
}
