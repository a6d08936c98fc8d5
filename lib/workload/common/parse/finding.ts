import type { ParsedSample, ParsedSummary, ParsedTest } from '../../../schema/parse';

/** True unless both figures are known and further apart than rounding explains. */
export const agrees = (one: number | null | undefined, other: number | null | undefined, tolerance: number): boolean =>
  !(Math.abs((one ?? Number.NaN) - (other ?? Number.NaN)) > tolerance);

/** True unless known figures are out of order by more than rounding explains. */
export function isOrdered(low: number | null, middle: number | null, high: number | null, tolerance = 0): boolean {
  const [a, b, c] = [low ?? Number.NaN, middle ?? Number.NaN, high ?? Number.NaN];
  return !(a > b + tolerance || b > c + tolerance || a > c + tolerance);
}

/** Characters of logs and of JSON, the most frequent first; others are rarer. cspell:disable-next-line */
const FREQUENT = ' e"0t1ao2ins3rhl4dc5u6mf7p8g9.,:-_/wybv=()[]kxjqz';

/** Short searches look for their first character by vector instructions; V8 gives longer ones tables, which take ten times as long to pass over text. */
const SHORT = 6;

interface Anchor {
  /** Position of the rarest character of a sign. */
  readonly at: number;
  /** It, and what follows. */
  readonly text: string;
}

const anchors = new Map<string, Anchor>();

function anchorOf(sign: string): Anchor {
  const found = anchors.get(sign);
  if (found !== undefined) return found;
  const rarity = [...sign].map((character) => {
    const rank = FREQUENT.indexOf(character);
    return rank < 0 ? FREQUENT.length : rank;
  });
  const at = rarity.indexOf(Math.max(...rarity));
  const anchor = { at, text: sign.slice(at, at + SHORT) };
  anchors.set(sign, anchor);
  return anchor;
}

/** `text.includes(sign)`, several times as fast in a long text that seldom holds it: looks for the rarest character of the sign. */
export function holds(text: string, sign: string): boolean {
  const anchor = anchorOf(sign);
  for (let found = text.indexOf(anchor.text, anchor.at); found >= 0; found = text.indexOf(anchor.text, found + 1))
    if (text.startsWith(sign, found - anchor.at)) return true;
  return false;
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

const UNITS: Readonly<Record<string, number>> = {
  bytes: 1,
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  PiB: 2 ** 50,
};

/** Parses a size as IOR prints it: `131072 bytes`, `1 MiB`, `1.50 GiB` (rounded by IOR). `null` for anything else. */
export function bytesOf(text: string | undefined): number | null {
  const match = /^(\d+(?:\.\d+)?) (bytes|[KMGTP]iB|B)$/.exec(text?.trim() ?? '');
  return match ? Math.round(Number(match[1]) * (UNITS[match[2] as string] as number)) : null;
}
