import { leavesOf, type Metric, type Search } from '../../dashboard/expression';
import type { Dashboard, Graph, Line } from '../../dashboard/graph';
import { seriesOf } from './evaluate';
import { NotEvaluated, type Series } from './series';
import type { Collected } from './source';

/** One line with its values. */
export interface DrawnLine {
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
export interface DrawnGraph {
  readonly lines: readonly DrawnLine[];
  /** Lines without data. */
  readonly missing: readonly Remark[];
  /** Lines in which a missing input counts as 0. */
  readonly partial: readonly Remark[];
  /** Lines of metrics that were collected in another form. */
  readonly refused: readonly Remark[];
}

/** Evaluates every line of a graph. */
export function drawnGraph({ left, right }: Graph, source: Collected): DrawnGraph {
  const lines: DrawnLine[] = [];
  const [missing, partial, refused] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  for (const line of [...left, ...right]) {
    const { label: group, colour = null, of } = line;
    try {
      const list = seriesOf(of, source);
      const shown = list.filter(({ points }) => points.size > 0);
      const why = [...new Set(leavesOf(of).flatMap((leaf) => source.reason(leaf) ?? []))].join('; ');
      if (shown.length === 0) missing.set(group, why || 'no value at any time');
      else if (why !== '') partial.set(group, why);
      for (const series of shown)
        lines.push({
          label: labelOf(line, series, list.length > 1),
          group,
          colour,
          series,
          right: right.includes(line),
        });
    } catch (error) {
      if (!(error instanceof NotEvaluated)) throw error;
      refused.set(group, error.message);
    }
  }
  const remarks = (map: ReadonlyMap<string, string>): Remark[] => [...map].map(([label, why]) => ({ label, why }));
  return { lines, missing: remarks(missing), partial: remarks(partial), refused: remarks(refused) };
}

/** Lines of one quantity are told apart by a dimension, or else by their own names. */
function labelOf({ label, by }: Line, { dimensions, label: own }: Series, several: boolean): string {
  if (by !== undefined) return `${label} ${dimensions[by] ?? ''}`.trim();
  return several ? `${label} ${own}` : label;
}

export const graphsOf = ({ rows }: Dashboard): Graph[] => rows.flat().filter((panel) => panel.kind === 'graph');

/** The dashboard's colours for names that are on several graphs, such as an arm. */
export function coloursOf(dashboard: Dashboard): ReadonlyMap<string, string> {
  const named = graphsOf(dashboard).flatMap(({ left, right }) =>
    [...left, ...right].flatMap(({ label, colour }) => (colour === undefined ? [] : [[label, colour] as const])),
  );
  return new Map(named.reverse());
}

/** The metrics and searches of all graphs, in the order of the dashboard. */
export const leavesIn = (dashboard: Dashboard): readonly (Metric | Search)[] =>
  graphsOf(dashboard).flatMap(({ left, right }) => [...left, ...right].flatMap(({ of }) => leavesOf(of)));
