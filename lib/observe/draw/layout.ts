import type { Widget } from './body';

/** Columns of a dashboard. Source: CloudWatch API reference, dashboard body. */
const COLUMNS = 24;

/** Widgets that stand side by side. */
interface Band {
  readonly widgets: Widget[];
  bottom: number;
}

/** Widgets in bands, from top to bottom: each begins below all of the one before. */
function bandsOf(widgets: readonly Widget[]): Band[] {
  const bands: Band[] = [];
  for (const widget of [...widgets].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const last = bands.at(-1);
    const bottom = widget.y + widget.height;
    if (last === undefined || widget.y >= last.bottom) bands.push({ widgets: [widget], bottom });
    else {
      last.widgets.push(widget);
      last.bottom = Math.max(last.bottom, bottom);
    }
  }
  return bands;
}

/**
 * The widgets in reading order without some of them, which then take no room: those beside them share it where they are a plain row, and
 * those below move up.
 */
export function withoutThese(widgets: readonly Widget[], empty: ReadonlySet<Widget>): Widget[] {
  let shift = 0;
  return bandsOf(widgets).flatMap(({ widgets: all, bottom }) => {
    const top = all[0]?.y ?? 0;
    const kept = all.filter((widget) => !empty.has(widget));
    const y = (widget: Widget): number => widget.y - shift;
    const isRow = all.every((widget) => widget.y === top && widget.height === all[0]?.height);
    const placed =
      kept.length === all.length || !isRow
        ? kept.map((widget) => ({ ...widget, y: y(widget) }))
        : kept.map((widget, index) => {
            const x = Math.round((index * COLUMNS) / kept.length);
            return { ...widget, y: y(widget), x, width: Math.round(((index + 1) * COLUMNS) / kept.length) - x };
          });
    if (kept.length === 0) shift += bottom - top;
    return placed;
  });
}
