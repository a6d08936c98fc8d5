import type { Widget } from './body';
import { evaluate } from './evaluate';
import { NotEvaluated, type Series, type Value } from './series';
import type { AskedMetric, Source } from './source';

/** One line of a graph. */
export interface Line {
  readonly label: string;
  /** Its name on the dashboard, without the part that distinguishes servers or targets: shared by lines of one search. */
  readonly group: string;
  /** Colour set by the dashboard; `null` if it sets none. */
  readonly colour: string | null;
  readonly right: boolean;
  readonly series: Series;
}

/** A line with a remark. */
interface Remark {
  readonly label: string;
  readonly why: string;
}

/** A graph's lines, and the lines it cannot show. */
export interface Graph {
  readonly lines: readonly Line[];
  /** Lines without data. */
  readonly missing: readonly Remark[];
  /** Lines in which a missing input counts as 0. */
  readonly partial: readonly Remark[];
  /** Expressions that are not evaluated. */
  readonly refused: readonly Remark[];
}

interface Entry {
  readonly words: readonly string[];
  readonly id?: string;
  readonly expression?: string;
  readonly label?: string;
  readonly colour: string | null;
  readonly right: boolean;
  readonly visible: boolean;
  readonly stat: string;
  readonly periodSeconds: number;
}

/** CloudWatch's defaults. Source: CloudWatch API reference, dashboard body. */
const DEFAULTS = { stat: 'Average', periodSeconds: 300 };

const COLOUR = /^#[0-9a-f]{3,6}$/i;

function entriesOf({ properties }: Widget): Entry[] {
  return (properties.metrics ?? []).map((items) => {
    const last = items.at(-1);
    const options = typeof last === 'object' ? last : {};
    const text = (name: string): string | undefined => {
      const value = options[name];
      return typeof value === 'string' ? value : undefined;
    };
    const period = options.period;
    const colour = text('color');
    return {
      words: items.filter((item) => typeof item === 'string'),
      id: text('id'),
      expression: text('expression'),
      label: text('label'),
      colour: colour !== undefined && COLOUR.test(colour) ? colour : null,
      right: options.yAxis === 'right',
      visible: options.visible !== false,
      stat: text('stat') ?? properties.stat ?? DEFAULTS.stat,
      periodSeconds: typeof period === 'number' && period >= 1 ? period : (properties.period ?? DEFAULTS.periodSeconds),
    };
  });
}

/** An evaluated entry, with its inputs that have no data. */
interface Found {
  readonly value: ReturnType<typeof evaluate>;
  readonly gaps: ReadonlySet<string>;
}

/** Evaluates every line of a graph. */
export function graphOf(widget: Widget, source: Source): Graph {
  const entries = entriesOf(widget);
  const known = new Map<Entry, Found>();
  const running = new Set<Entry>();
  const find = (entry: Entry): Found => {
    const before = known.get(entry);
    if (before !== undefined) return before;
    if (running.has(entry)) return { value: { kind: 'not', reason: `${entry.id} needs itself` }, gaps: new Set() };
    running.add(entry);
    const gaps = new Set<string>();
    const watched = watching(source, (why) => gaps.add(why));
    const value = entry.expression === undefined ? plain(entry, watched) : math(entry, entry.expression, watched, gaps);
    running.delete(entry);
    const found = { value, gaps };
    known.set(entry, found);
    return found;
  };
  const math = (entry: Entry, expression: string, watched: Source, gaps: Set<string>) =>
    evaluate(expression, {
      source: watched,
      periodSeconds: entry.periodSeconds,
      byId: (id): Value => {
        const other = entries.find((one) => one.id === id);
        if (other === undefined) throw new NotEvaluated(`no metric of this graph has the id ${id}`);
        const { value, gaps: others } = find(other);
        for (const why of others) gaps.add(why);
        if (value.kind === 'not') throw new NotEvaluated(value.reason);
        return value;
      },
    });

  const lines: Line[] = [];
  const [missing, partial, refused] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  for (const entry of entries.filter(({ visible }) => visible)) {
    const { value, gaps } = find(entry);
    const label = named(entry);
    const why = [...gaps].join('; ');
    if (value.kind === 'not') refused.set(label, value.reason);
    // CloudWatch draws series, and refuses an expression that ends in a number (user guide, metric math).
    else if (value.kind === 'scalar') refused.set(label, 'a number, and no time series');
    else {
      const list = value.kind === 'series' ? [value.series] : value.list;
      const shown = list.filter(({ points }) => points.size > 0);
      if (shown.length === 0) missing.set(label, why || 'no value at any time');
      else if (gaps.size > 0) partial.set(label, why);
      for (const series of shown) {
        lines.push({
          label: labelOf(entry, series, list.length > 1),
          group: label,
          colour: entry.colour,
          right: entry.right,
          series,
        });
      }
    }
  }
  const remarks = (map: ReadonlyMap<string, string>): Remark[] => [...map].map(([label, why]) => ({ label, why }));
  return { lines, missing: remarks(missing), partial: remarks(partial), refused: remarks(refused) };
}

/** The same source, recording why data are missing. */
function watching(source: Source, gap: (why: string) => void): Source {
  return {
    window: source.window,
    metric: (asked, periodSeconds) => {
      const answer = source.metric(asked, periodSeconds);
      if (answer.why !== null) gap(`${asked.metric}: ${answer.why}`);
      return answer;
    },
    search: (text, stat, periodSeconds) => {
      const answer = source.search(text, stat, periodSeconds);
      if (answer.why !== null) gap(`${/MetricName="(\w+)"/.exec(text)?.[1] ?? 'a search'}: ${answer.why}`);
      return answer;
    },
  };
}

function plain({ words, stat, periodSeconds }: Entry, source: Source): Value | { kind: 'not'; reason: string } {
  const [namespace = '', metric = '', ...pairs] = words;
  const dimensions: Record<string, string> = {};
  for (let index = 0; index + 1 < pairs.length; index += 2) dimensions[pairs[index] ?? ''] = pairs[index + 1] ?? '';
  const asked: AskedMetric = { namespace, metric, dimensions, stat };
  try {
    return { kind: 'series', series: source.metric(asked, periodSeconds).series };
  } catch (error) {
    if (error instanceof NotEvaluated) return { kind: 'not', reason: error.message };
    throw error;
  }
}

const DYNAMIC = /\$\{PROP\('([^']+)'\)\}/g;

/** A line's name before its search is resolved. */
function named({ label, words, expression, id }: Entry): string {
  return label?.replaceAll(DYNAMIC, '').trim() || words[1] || id || expression || 'a line';
}

/** CloudWatch's dynamic labels; several series under one label have their own names appended. */
function labelOf(entry: Entry, series: Series, several: boolean): string {
  const { label } = entry;
  if (label === undefined) return series.label;
  const text = label.replaceAll(DYNAMIC, (_, name: string) =>
    Object.hasOwn(series.properties, name) ? (series.properties[name] ?? '') : '',
  );
  return several && text === label ? `${text} ${series.label}` : text.trim();
}

/** The dashboard's colours for names that are on several graphs, such as an arm. */
export function coloursOf(widgets: readonly Widget[]): ReadonlyMap<string, string> {
  const named = widgets
    .flatMap(entriesOf)
    .flatMap(({ label, colour }) => (label && colour ? [[label, colour] as const] : []));
  return new Map(named.reverse());
}
