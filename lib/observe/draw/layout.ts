import type { Dashboard, Panel } from '../../dashboard/graph';

/** Columns of a dashboard. Source: CloudWatch API reference, dashboard body. */
const COLUMNS = 24;

/** A panel with its place, in columns and rows of CloudWatch's grid. */
export interface Placed {
  readonly panel: Panel;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Panels side by side: a row that is wider than the page goes on below. */
function bandsOf({ rows }: Dashboard): Panel[][] {
  const bands: Panel[][] = [];
  for (const row of rows) {
    let used = COLUMNS;
    for (const panel of row) {
      if (used + panel.width > COLUMNS) {
        bands.push([]);
        used = 0;
      }
      bands.at(-1)?.push(panel);
      used += panel.width;
    }
  }
  return bands;
}

/**
 * The panels of a dashboard in reading order. Those that are empty take no room: those beside them share it, and those below move up.
 */
export function placed(dashboard: Dashboard, isEmpty: (panel: Panel) => boolean): Placed[] {
  let y = 0;
  return bandsOf(dashboard).flatMap((band) => {
    const kept = band.filter((panel) => !isEmpty(panel));
    const top = y;
    if (kept.length > 0) y += Math.max(...band.map(({ height }) => height));
    let right = 0;
    return kept.map((panel, index) => {
      const x = kept.length === band.length ? right : Math.round((index * COLUMNS) / kept.length);
      right = kept.length === band.length ? x + panel.width : Math.round(((index + 1) * COLUMNS) / kept.length);
      return { panel, x, y: top, width: right - x };
    });
  });
}
