import { counted } from '../../common/format/units';
import { html, type Markup } from '../../common/page/markup';
import { type ChartSubject, MOST_NAMES, shortNumber, unitOf } from './chart';
import type { DrawnLine } from './graph';
import { type Look, looksOf } from './look';

/** A line with its stroke and its highest value. */
interface Named {
  readonly line: DrawnLine;
  readonly look: Look;
  readonly most: number;
}

/**
 * The names of a chart's lines, each with its colour and maximum. A search with many lines has one name,
 * with their minimum and maximum and the line of each, since outliers are what readers look for.
 */
export function legend(subject: ChartSubject): Markup {
  const { width, lines, colours } = subject;
  const looks = looksOf(lines, colours);
  const all = lines.map((line, index): Named => ({ line, look: looks[index] as Look, most: highestOf(line) }));
  const few = all.length <= (width < 8 ? MOST_NAMES / 2 : MOST_NAMES);
  const items = [...Map.groupBy(all, ({ line }) => line.group).values()].flatMap((group) =>
    few || group.length === 1
      ? group.map(({ line, look, most }) => item(look, line.label, shortNumber(most, most)))
      : [itemOfMany(group)],
  );
  return html`<ul class="names" title="${`each with the most that it reached, ${unitOf(subject)}`}">${items}</ul>`;
}

/** One name for the lines of a search. */
function itemOfMany(lines: readonly Named[]): Markup {
  const byMost = [...lines].sort((a, b) => b.most - a.most);
  const [{ look }, top, last] = [lines[0], byMost[0], byMost.at(-1)] as [Named, Named, Named];
  const { group, label } = top.line;
  const which = label.startsWith(group) ? label.slice(group.length).trim() : label;
  const [least, most] = [shortNumber(last.most, last.most), shortNumber(top.most, top.most)];
  const range = least === most ? most : `${least} to ${most} (${which})`;
  return item(look, `${group}: ${counted(lines.length, 'line')},`, range);
}

function item({ stroke, dash }: Look, label: string, most: string): Markup {
  const dashes = dash === null ? null : html` stroke-dasharray="${dash}"`;
  const mark = html`<svg viewBox="0 0 20 6" aria-hidden="true"><path d="M0 3h20" stroke="${stroke}" stroke-width="3"${dashes}/></svg>`;
  return html`<li>${mark}${label} <span class="most">${most}</span></li>`;
}

const highestOf = ({ series }: DrawnLine): number => Math.max(...series.points.values());
