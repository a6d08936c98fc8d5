export interface Metric {
  readonly kind: 'metric';
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly stat: string;
  /** Its name in CloudWatch expressions. @default - it is a line by itself */
  readonly id?: string;
}

/** A metric of every server, target or publisher of a resource, whatever their names and number. */
export interface Search {
  readonly namespace: string;
  readonly metric: string;
  /** Names of all its dimensions, in CloudWatch's order. */
  readonly dimensions: readonly string[];
  readonly resource: Readonly<Record<string, string>>;
  /** Only parts whose names begin with a word: `StorageTargetId` of `MDT`. @default - all parts */
  readonly named?: Readonly<Record<string, string>>;
  readonly stat: string;
}

export type Reduction = 'SUM' | 'MAX' | 'MIN' | 'AVG';

/** One series or number, in the forms that our dashboards have. A metric has a value a minute. */
export type MetricExpression =
  | Metric
  | { readonly kind: 'constant'; readonly value: number; readonly text?: string }
  | { readonly kind: 'named'; readonly id: string; readonly of: MetricExpression }
  | { readonly kind: 'sum'; readonly of: readonly MetricExpression[] }
  /** Counts of a period by its seconds; its name is the label if no line has one. */
  | { readonly kind: 'rate'; readonly of: MetricExpression; readonly label?: string }
  | { readonly kind: 'product' | 'ratio'; readonly left: MetricExpression; readonly right: MetricExpression }
  | { readonly kind: 'extreme'; readonly how: 'MAX' | 'MIN'; readonly of: readonly MetricExpression[] }
  | { readonly kind: 'reduced'; readonly how: Reduction; readonly search: Search }
  | { readonly kind: 'count'; readonly search: Search };

export type Several = Parts | Query;

interface Parts {
  readonly kind: 'parts';
  readonly search: Search;
}

/** One for each resource, reduced over its parts: a query of Metrics Insights, which a graph may have once. */
export interface Query {
  readonly kind: 'query';
  readonly how: Reduction;
  readonly searches: readonly Search[];
}

type Operand = MetricExpression | number;

const operand = (value: Operand): MetricExpression => (typeof value === 'number' ? { kind: 'constant', value } : value);

const binary =
  (kind: 'product' | 'ratio') =>
  (left: Operand, right: Operand): MetricExpression => ({ kind, left: operand(left), right: operand(right) });

export const product = binary('product');
export const ratio = binary('ratio');

export const sum = (of: readonly MetricExpression[]): MetricExpression => ({ kind: 'sum', of });

export const named = (metric: Metric, id: string): Metric => ({ ...metric, id });

export const rate = (of: MetricExpression, label?: string): MetricExpression => ({ kind: 'rate', of, label });

export const perSecond = (metric: Metric, id: string): MetricExpression => rate(named(metric, id));

/** Bytes a second as MB/s: 10^6 bytes, as AWS counts throughput. */
export const inMegabytes = (bytes: MetricExpression, id: string): MetricExpression =>
  ratio(bytes.kind === 'metric' ? named(bytes, id) : { kind: 'named', id, of: bytes }, 1_000_000);

/** Largest or smallest of several at each time; of one, that series itself: CloudWatch documents no list of one. */
export function extreme(how: 'MAX' | 'MIN', of: readonly MetricExpression[]): MetricExpression {
  const [only] = of;
  return only !== undefined && of.length === 1 ? only : { kind: 'extreme', how, of };
}

export const parts = (search: Search): Parts => ({ kind: 'parts', search });

export const reduced = (how: Reduction, search: Search): MetricExpression => ({ kind: 'reduced', how, search });

export const countOf = (search: Search): MetricExpression => ({ kind: 'count', search });

export function leavesOf(of: MetricExpression | Several): readonly (Metric | Search)[] {
  switch (of.kind) {
    case 'metric':
      return [of];
    case 'constant':
      return [];
    case 'named':
    case 'rate':
      return leavesOf(of.of);
    case 'sum':
    case 'extreme':
      return of.of.flatMap(leavesOf);
    case 'product':
    case 'ratio':
      return [...leavesOf(of.left), ...leavesOf(of.right)];
    case 'query':
      return of.searches;
    default:
      return [of.search];
  }
}
