import { ArmLook } from '../../../lib/common/page/arms';
import { type LabelRequest, placeLabels } from '../../../lib/common/page/labels';

const INSIDE = { left: 0, right: 400, top: 0, bottom: 400 };
const label = (text: string, required: boolean): LabelRequest => ({ x: 200, y: 200, text, required });
/** A square around the point in which no label is placed. */
const around = (half: number) => ({ left: 200 - half, right: 200 + half, top: 200 - half, bottom: 200 + half });

test('a label that must be there stands far from its point, with a line to it, where one that may be missing is left out', () => {
  const placed = placeLabels([label('may', false), label('must', true)], [around(35)], INSIDE);
  expect(placed.map(({ label: { text }, far }) => [text, far])).toEqual([['must', true]]);
  expect(placeLabels([label('must', true)], [], INSIDE).map(({ far }) => far)).toEqual([false]);
  // One step further away it still belongs to its point without a line.
  const [above] = placeLabels([label('must', true)], [around(6)], INSIDE);
  expect([above?.far, Math.round(200 - (above?.y ?? 0))]).toEqual([false, 13]);
});

test('of two labels for one place that which must be there has the choice, whichever comes first', () => {
  const [first] = placeLabels([label('must', true)], [], INSIDE);
  const both = placeLabels([label('may', false), label('must', true)], [], INSIDE);
  expect(both.find(({ label: { text } }) => text === 'must')).toMatchObject({ x: first?.x, y: first?.y });
  expect(both).toHaveLength(2);
});

test('arms of a group share a colour and differ in shape; what is in no plan looks like no arm of it', () => {
  const look = new ArmLook({
    arms: [
      { name: 'a1', group: 'a' },
      { name: 'a2', group: 'a' },
      { name: 'b1', group: 'b' },
    ],
  });
  expect(['a1', 'a2', 'b1'].map((name) => look.colour(name))).toEqual(['var(--arm-0)', 'var(--arm-0)', 'var(--arm-1)']);
  expect(['a1', 'a2', 'b1'].map((name) => look.symbol(name))).toEqual(['circle', 'square', 'circle']);
  expect(look.index('other')).toBe(3);
});
