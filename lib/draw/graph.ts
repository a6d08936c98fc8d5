import type { Widget } from './body';
import { evaluate } from './evaluate';
import { NotEvaluated, type Series, type Value } from './series';
import type { Source } from './source';

/** One line of a graph. */
export interface Line {
  readonly label: string;
  /** As the dashboard says it; `null` where it leaves that to who draws it. */
  readonly colour: string | null;
  readonly right: boolean;
  readonly series: Series;
}

/** What a graph shows, and what it does not. */
export interface Graph {
  readonly lines: readonly Line[];
  /** Labels of what nothing was collected for. */
  readonly missing: readonly string[];
  /** Expressions that are not evaluated, and why. */
  readonly refused: readonly string[];
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

/** CloudWatch's own where a graph says nothing. Source: CloudWatch API reference, dashboard body. */
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

/** Evaluates every line of a graph. */
export function graphOf(widget: Widget, source: Source): Graph {
  const entries = entriesOf(widget);
  const values = new Map<Entry, ReturnType<typeof evaluate>>();
  const running = new Set<Entry>();
  const evaluated = (entry: Entry): ReturnType<typeof evaluate> => {
    const known = values.get(entry);
    if (known !== undefined) return known;
    if (running.has(entry)) return { kind: 'not', reason: `${entry.id} needs itself` };
    running.add(entry);
    const value = entry.expression === undefined ? plain(entry, source) : math(entry, entry.expression);
    running.delete(entry);
    values.set(entry, value);
    return value;
  };
  const math = (entry: Entry, expression: string) =>
    evaluate(expression, {
      source,
      periodSeconds: entry.periodSeconds,
      byId: (id): Value => {
        const other = entries.find((one) => one.id === id);
        if (other === undefined) throw new NotEvaluated(`no metric of this graph has the id ${id}`);
        const value = evaluated(other);
        if (value.kind === 'not') throw new NotEvaluated(value.reason);
        return value;
      },
    });

  const lines: Line[] = [];
  const [missing, refused] = [new Set<string>(), new Set<string>()];
  for (const entry of entries) {
    if (!entry.visible) continue;
    const value = evaluated(entry);
    const label = named(entry);
    if (value.kind === 'not') {
      refused.add(`${label}: ${value.reason}`);
      continue;
    }
    if (value.kind === 'scalar') {
      lines.push({ label, colour: entry.colour, right: entry.right, series: across(value.value, entry, source) });
      continue;
    }
    const list = value.kind === 'series' ? [value.series] : value.list;
    const shown = list.filter(({ points }) => points.size > 0);
    if (shown.length === 0) missing.add(label);
    for (const series of shown) {
      lines.push({ label: labelOf(entry, series, list.length > 1), colour: entry.colour, right: entry.right, series });
    }
  }
  return { lines, missing: [...missing], refused: [...refused] };
}

function plain(entry: Entry, source: Source): Value | { kind: 'not'; reason: string } {
  const [namespace = '', metric = '', ...pairs] = entry.words;
  const dimensions: Record<string, string> = {};
  for (let index = 0; index + 1 < pairs.length; index += 2) dimensions[pairs[index] ?? ''] = pairs[index + 1] ?? '';
  try {
    return { kind: 'series', series: source.metric(namespace, metric, dimensions, entry.stat, entry.periodSeconds) };
  } catch (error) {
    if (error instanceof NotEvaluated) return { kind: 'not', reason: error.message };
    throw error;
  }
}

const DYNAMIC = /\$\{PROP\('([^']+)'\)\}/g;

/** How a line is called before it is known what it finds. */
function named({ label, words, expression, id }: Entry): string {
  return label?.replaceAll(DYNAMIC, '').trim() || words[1] || id || expression || 'a line';
}

/** CloudWatch's dynamic labels; several series under one label have their own names behind it. */
function labelOf(entry: Entry, series: Series, several: boolean): string {
  const { label } = entry;
  if (label === undefined) return series.label;
  const text = label.replaceAll(DYNAMIC, (_, name: string) =>
    Object.hasOwn(series.properties, name) ? (series.properties[name] ?? '') : '',
  );
  return several && text === label ? `${text} ${series.label}` : text.trim();
}

/** A number is a line across the graph. */
function across(value: number, { periodSeconds }: Entry, { window }: Source): Series {
  const points = new Map(Number.isFinite(value) ? [window.from, window.to].map((at) => [at, value] as const) : []);
  return {
    label: `${value}`,
    properties: {},
    periodSeconds: Math.max(periodSeconds, (window.to - window.from) / 1000),
    points,
  };
}
