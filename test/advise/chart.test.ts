import fc from 'fast-check';
import { advise, type Requirement } from '../../lib/advise';
import { lookOf } from '../../lib/advise/chart';
import { type ChartLayout, layoutOf, logAxis, tooSlowOf } from '../../lib/advise/chartLayout';
import { renderAdvicePage } from '../../lib/advise/page';
import { STORAGE_KINDS, storagesOf } from '../../lib/advise/requirement';
import { type Box, overlap, textBox } from '../../lib/common/page/labels';
import { STORAGES } from '../../lib/storage/registry';
import { REQUIREMENTS } from './requirements';

const TYPICAL = { writeMBps: 3000, capacityTB: 10 };
const LARGE = { readMBps: 2000, writeMBps: 500, capacityTB: 200, storages: STORAGE_KINDS };
const BUDGET = {
  headroom: 0,
  writeMBps: 1000,
  capacityTB: 5,
  maxMonthlyUsd: 2000,
  storages: STORAGE_KINDS,
};
const CASES: readonly (readonly [string, Requirement])[] = [
  ['a rate and a capacity', TYPICAL],
  ['reads and writes of every storage', LARGE],
  ['a budget and every storage', BUDGET],
  ['data that compresses', { ...BUDGET, maxMonthlyUsd: 200_000, ratio: 3 }],
  ['a budget alone', { maxMonthlyUsd: 3000, storages: STORAGE_KINDS }],
  ['a capacity alone', { capacityTB: 1, storages: STORAGE_KINDS }],
  ['next to nothing', { writeMBps: 1, capacityTB: 0.001, storages: STORAGE_KINDS }],
  ['a budget beyond all prices', { writeMBps: 1, maxMonthlyUsd: 1e9, storages: STORAGE_KINDS }],
  ['what little can do', { writeMBps: 3_000_000, storages: STORAGE_KINDS }],
];

const layoutFor = (requirement: Requirement): ChartLayout => {
  const layout = layoutOf(advise(requirement));
  if (layout === null) throw new Error('nothing has a price');
  return layout;
};

const boxesOf = ({ labels, notes }: ChartLayout): Box[] => [
  ...labels.map(({ box }) => box),
  ...notes.map(({ x, y, text }) => textBox(x, y, text)),
];

const collisions = (boxes: readonly Box[]): Box[][] =>
  boxes.flatMap((box, index) => boxes.slice(index + 1).flatMap((other) => (overlap(box, other) ? [[box, other]] : [])));

/** The pixel of a value on a logarithmic axis, judged here once more. */
const along = (value: number, [low, high]: readonly [number, number], [from, to]: readonly [number, number]): number =>
  from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (to - from);

test.each(CASES)('no label overlaps another, a mark or the edge: %s', (_, requirement) => {
  const layout = layoutFor(requirement);
  const boxes = boxesOf(layout);
  expect(collisions(boxes)).toEqual([]);
  for (const { box } of layout.labels)
    for (const { x, y } of layout.spots)
      expect(x > box.left && x < box.right && y > box.top && y < box.bottom).toBe(false);
  for (const box of boxes)
    expect(box.left >= 0 && box.top >= 0 && box.right <= layout.size.width && box.bottom <= layout.size.height).toBe(
      true,
    );
});

test('no label overlaps another, whatever is asked for', () => {
  fc.assert(
    fc.property(REQUIREMENTS, fc.boolean(), (requirement, all) => {
      const layout = layoutOf(advise(all ? { ...requirement, storages: STORAGE_KINDS } : requirement));
      fc.pre(layout !== null);
      expect(collisions(boxesOf(layout))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test.each(CASES)('every option on the line has its number: %s', (_, requirement) => {
  const { options } = advise(requirement);
  const front = options.flatMap(({ pareto }, index) => (pareto ? [`${index + 1}`] : []));
  const shown = layoutFor(requirement).labels.map(({ label }) => label.text);
  expect(shown).toEqual(expect.arrayContaining(front));
});

test.each(CASES)('the lines stand at the throughput and the budget asked for: %s', (_, requirement) => {
  const { readMBps, writeMBps, maxMonthlyUsd } = requirement;
  const { frame, x, y, neededY, budgetX } = layoutFor(requirement);
  const rates = [readMBps, writeMBps].filter((rate) => rate !== undefined);
  if (rates.length === 0) expect(neededY).toBeNull();
  else expect(neededY).toBeCloseTo(along(Math.min(...rates) / 1000, y.domain, [frame.bottom, frame.top]), 6);
  if (maxMonthlyUsd === undefined) expect(budgetX).toBeNull();
  else expect(budgetX).toBeCloseTo(along(maxMonthlyUsd, x.domain, [frame.left, frame.right]), 6);
});

test('reads and writes at the same time are needed together', () => {
  const { frame, y, neededY } = layoutFor({ readMBps: 2000, writeMBps: 1000, together: true });
  expect(neededY).toBeCloseTo(along(3, y.domain, [frame.bottom, frame.top]), 6);
});

test.each(CASES)('options stand above the throughput and left of the budget: %s', (_, requirement) => {
  const { spots, neededY, budgetX } = layoutFor(requirement);
  for (const { usd, x, y } of spots.filter(({ rank }) => rank !== null)) {
    if (neededY !== null) expect(y).toBeLessThanOrEqual(neededY + 1e-6);
    if (budgetX !== null && usd !== null) expect(x).toBeLessThanOrEqual(budgetX + 1e-6);
  }
});

test.each(CASES)('the ticks of both axes are powers of ten, at least two: %s', (_, requirement) => {
  const { x, y } = layoutFor(requirement);
  for (const { ticks, domain } of [x, y]) {
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    for (const tick of ticks) {
      expect(tick).toBe(Number(`1e${Math.round(Math.log10(tick))}`));
      expect(tick >= domain[0] && tick <= domain[1]).toBe(true);
    }
  }
});

test('an axis shows every value and ends close to them where that leaves two powers', () => {
  expect(logAxis([900, 12_000])).toMatchObject({ ticks: [1000, 10_000] });
  expect(logAxis([3]).ticks).toEqual([1, 10]);
  const { domain, minor } = logAxis([0.5, 40]);
  expect(domain[1]).toBeLessThan(50);
  expect(minor).toEqual([0.5, 0.6, 0.7, 0.8, 0.9, 2, 3, 4, 5, 6, 7, 8, 9, 20, 30, 40].filter((v) => v >= domain[0]));
});

test('everything with a known throughput is in the chart, whatever its price', () => {
  const { options, rejected } = advise(BUDGET);
  const { spots, unpricedX, frame } = layoutFor(BUDGET);
  expect(spots).toHaveLength(options.length + rejected.length);
  const drawn = new Set(spots.map(({ series }) => series));
  const bought = STORAGES.filter(({ kind }) => STORAGE_KINDS.includes(kind));
  expect(bought.length).toBeGreaterThan(5);
  const absent = bought.filter(({ price }) => !price.candidates?.series.some((one) => drawn.has(one)));
  expect(absent.map(({ kind }) => kind)).toEqual([]);
  expect(unpricedX).toBeGreaterThan(frame.right);
  for (const { usd, x } of spots) expect(x > frame.right).toBe(usd === null);
});

test('what is too slow at any size is not drawn at its smallest', () => {
  const requirement = { writeMBps: 3_000_000, storages: STORAGE_KINDS };
  const advice = advise(requirement);
  const { rejected } = advice;
  const { spots } = layoutFor(requirement);
  expect(rejected.length).toBeGreaterThan(0);
  expect(spots.filter(({ rate }) => rate < 3000 * (1 - 1e-9))).toEqual([]);
  expect(tooSlowOf(advice)).toBe(rejected.length);
});

test('without anything to draw the page says so', async () => {
  const advice = advise({ writeMBps: 9_000_000, storages: ['ebs'] });
  expect(layoutOf(advice)).toBeNull();
  expect(await renderAdvicePage(advice)).toContain('No file system with a known price meets the requirement.');
});

test.each([
  ['one storage', ['lustre']],
  ['every storage', STORAGE_KINDS],
])('no two series look the same: %s', (_, storages) => {
  const look = lookOf({ requirement: { storages } });
  const series = storagesOf({ storages }).flatMap(({ price: { candidates } }) => candidates?.series ?? []);
  expect(new Set(series.map((name) => `${look.colour(name)} ${look.symbol(name)}`)).size).toBe(series.length);
});

test('the page is the same bytes for the same advice, and names both lines', async () => {
  const page = await renderAdvicePage(advise(BUDGET));
  expect(page).toBe(await renderAdvicePage(advise(BUDGET)));
  expect(page).toContain('≥ 1 GB/s');
  expect(page).toContain('≤ 2,000 USD');
  expect(page).toContain('Solid: the throughput and the budget asked for.');
});

test('the page has the notes that a terminal gets', async () => {
  const advice = advise({ createsPerSecond: 5000, files: 1e7, capacityTB: 10 });
  expect(advice.notes.map(({ id }) => id)).toContain('fsxbench:creations-write');
  const page = (await renderAdvicePage(advice)).replaceAll(/<\/?code( class="id")?>/g, '');
  for (const { message } of advice.notes) expect(page).toContain(`<p class="soft">Note: ${message}.</p>`);
});
