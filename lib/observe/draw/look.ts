import { ARM_COLOURS } from '../../common/page/drawing';
import type { DrawnLine } from './graph';

/** The most lines of one search, alone on a graph, that have a colour each. */
const MOST_COLOURED = 6;

/** The most lines of one search that are distinguished by dashes; more are drawn as a band, in which one may stand out. */
const DASHES = [null, '5 3', '1.5 2.5'] as const;

/** Stroke of a line. */
export interface Look {
  readonly stroke: string;
  readonly dash: string | null;
  readonly width: number;
}

/** Colour and dash of each line: the dashboard's, or that of its name elsewhere, else the palette's. A search has one colour, unless alone. */
export function looksOf(lines: readonly DrawnLine[], colours: ReadonlyMap<string, string>): Look[] {
  const groups = [...new Set(lines.map(({ group }) => group))];
  const alone = groups.length === 1 && lines.length <= MOST_COLOURED;
  return lines.map((line, index) => {
    const own = lines.filter(({ group }) => group === line.group);
    const stroke =
      line.colour ??
      (own.length === 1 || !alone ? colours.get(line.group) : undefined) ??
      `var(--arm-${(alone ? index : groups.indexOf(line.group)) % ARM_COLOURS.length})`;
    const isDashed = !alone && own.length <= DASHES.length;
    return {
      stroke,
      dash: isDashed ? (DASHES[own.indexOf(line)] ?? null) : null,
      width: own.length > DASHES.length && !alone ? 1 : 1.6,
    };
  });
}
