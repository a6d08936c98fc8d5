import type { Widget } from '../../../lib/observe/draw/body';
import { withoutThese } from '../../../lib/observe/draw/layout';

const widget = (x: number, y: number, width: number, height = 6): Widget => ({
  ...{ x, y, width, height },
  type: 'metric',
  properties: {},
});
const placed = (widgets: readonly Widget[]) => widgets.map(({ x, y, width }) => [x, y, width]);

test('a widget that is left out takes no room: its row is shared by the others, and what is below moves up', () => {
  const rows = [
    [widget(0, 0, 24, 3)],
    [widget(0, 3, 8), widget(8, 3, 8), widget(16, 3, 8)],
    [widget(0, 9, 12), widget(12, 9, 12)],
    [widget(0, 15, 24)],
  ];
  const all = rows.flat();
  const empty = new Set([all[2], all[4], all[5]] as Widget[]);
  expect(placed(withoutThese(all, empty))).toEqual([
    [0, 0, 24],
    [0, 3, 12],
    [12, 3, 12],
    [0, 9, 24],
  ]);
});

test('nothing moves where nothing is left out, or widgets of several heights stand side by side', () => {
  const all = [widget(0, 0, 18, 12), widget(18, 0, 6, 6), widget(18, 6, 6, 6), widget(0, 12, 24)];
  expect(placed(withoutThese([...all].reverse(), new Set()))).toEqual(placed(all));
  expect(placed(withoutThese(all, new Set(all.slice(1, 2))))).toEqual(placed([all[0], all[2], all[3]] as Widget[]));
});
