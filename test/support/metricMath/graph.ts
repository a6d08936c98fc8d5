import type { Widget } from './body';
import { evaluate } from './evaluate';
import { NotEvaluated, type Series, type Source, type Value } from './series';

/** One line of a graph, as CloudWatch draws it. */
export interface OracleLine {
  readonly label: string;
  readonly colour: string | null;
  readonly right: boolean;
  readonly points: ReadonlyMap<number, number>;
}

type Entry = Readonly<Record<string, unknown>> & { readonly words: readonly string[] };

const entriesOf = ({ properties }: Widget): Entry[] =>
  (properties.metrics ?? []).map((items) => {
    const last = items.at(-1);
    const words = items.filter((item) => typeof item === 'string');
    return { ...(typeof last === 'object' ? last : {}), words };
  });

/** Every line of a graph that has points. @throws Error for an expression that is not understood */
export function linesOf(widget: Widget, source: Source): OracleLine[] {
  const entries = entriesOf(widget);
  const evaluated = (entry: Entry): Value => {
    const { words, expression, stat = widget.properties.stat ?? 'Average' } = entry;
    // CloudWatch's default. Source: CloudWatch API reference, dashboard body.
    const periodSeconds = Number(entry.period ?? widget.properties.period ?? 300);
    if (typeof expression !== 'string') {
      const [namespace = '', metric = '', ...pairs] = words;
      const dimensions = Object.fromEntries(
        pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : [])),
      );
      const asked = { namespace, metric, dimensions, stat: String(stat) };
      return { kind: 'series', series: source.metric(asked, periodSeconds) };
    }
    const value = evaluate(expression, {
      source,
      periodSeconds,
      byId: (id) => {
        const other = entries.find((one) => one.id === id);
        if (other === undefined) throw new NotEvaluated(`no metric of this graph has the id ${id}`);
        return evaluated(other);
      },
    });
    if (value.kind === 'not') throw new Error(`${expression}: ${value.reason}`);
    return value;
  };
  return entries
    .filter(({ visible }) => visible !== false)
    .flatMap((entry) => {
      const value = evaluated(entry);
      if (value.kind === 'scalar') throw new Error(`CloudWatch draws no number: ${entry.expression}`);
      const list = value.kind === 'series' ? [value.series] : value.list;
      return list
        .filter(({ points }) => points.size > 0)
        .map((series) => ({
          label: labelOf(String(entry.label), series, list.length > 1),
          colour: typeof entry.color === 'string' ? entry.color : null,
          right: entry.yAxis === 'right',
          points: series.points,
        }));
    });
}

const DYNAMIC = /\$\{PROP\('Dim\.([^']+)'\)\}/g;

/** CloudWatch's dynamic labels; several series under one label have their own names appended. */
function labelOf(label: string, { dimensions, label: own }: Series, several: boolean): string {
  const text = label.replaceAll(DYNAMIC, (_, name: string) => dimensions[name] ?? '').trim();
  return several && text === label ? `${text} ${own}` : text;
}
