import { graph, type Panel } from '../../../lib/dashboard/graph';
import { placed } from '../../../lib/observe/draw/page';

const panel = (width: number, height = 6): Panel => graph({ title: '', unit: '', left: [], width, height });
const places = (rows: readonly (readonly Panel[])[], empty: readonly Panel[] = []) =>
  placed({ rows }, (one) => empty.includes(one)).map(({ x, y, width }) => [x, y, width]);

test('a graph that is left out takes no room: its row is shared by the others, and what is below moves up', () => {
  const [left, ...others] = [panel(8), panel(8), panel(8), panel(12), panel(12)];
  const [middle, right, ...gone] = others;
  const rows = [[panel(24, 3)], [left, middle, right], gone, [panel(24)]] as Panel[][];
  expect(places(rows, [middle as Panel, ...gone])).toEqual([
    [0, 0, 24],
    [0, 3, 12],
    [12, 3, 12],
    [0, 9, 24],
  ]);
});

test('nothing moves where nothing is left out, and a row that is wider than the page goes on below', () => {
  expect(places([[panel(18, 9), panel(6, 9)], [panel(12), panel(12), panel(6), panel(6)], [], [panel(4)]])).toEqual([
    [0, 0, 18],
    [18, 0, 6],
    [0, 9, 12],
    [12, 9, 12],
    [0, 15, 6],
    [6, 15, 6],
    [0, 21, 4],
  ]);
});
