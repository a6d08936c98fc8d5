import { summarise } from '../../../lib/analysis/summary';
import type { Block, Text } from '../../../lib/report/blocks';
import { claims } from '../../../lib/report/sections/claims';
import { deployment } from '../../../lib/report/sections/deployment';
import { pairs } from '../../../lib/report/sections/pairs';
import type { Section } from '../../../lib/report/sections/section';
import { isShown, plainText } from '../../../lib/report/shown';
import { soundRun } from '../../analysis/runs';

const RUN = summarise(soundRun({ compressibilities: [1] }));
type Summary = typeof RUN;
type Lines = (string | string[])[];

/** Returns what a section says and what it opens on demand: a line for each text, and for each row of a table. */
const said = (section: Section, change: object): Lines =>
  section
    .blocks({ ...RUN, ...change } as Summary)
    .filter(isShown)
    .flatMap(linesOf);
function linesOf(block: Block): Lines {
  const all = (blocks: readonly (Block | null | false)[]): Lines => blocks.filter(isShown).flatMap(linesOf);
  switch (block.kind) {
    case 'text':
      return [plainText(block.text)];
    case 'details':
      return [plainText(block.summary), ...all(block.blocks)];
    case 'table':
      return block.rows.map((row) =>
        row.map((field) => {
          if (typeof field !== 'object' || field === null || !('value' in field)) return plainText(field as Text);
          return String(field.value ?? field.reason ?? null);
        }),
      );
    case 'charts':
      return [...block.charts.map(({ caption }) => plainText(caption)), ...all(block.figures ?? [])];
    case 'list':
      return block.items.map(plainText);
    default:
      return [];
  }
}

describe('paired differences', () => {
  const withComparison = (change: object) => ({
    comparisons: RUN.comparisons.slice(0, 1).map((one) => ({ ...one, ...change })),
  });
  const PAIRS = [
    { repeat: 1, baseline: 1, value: 2, ratio: 2 },
    { repeat: 2, baseline: null, value: 1, ratio: null, reason: 'none: killed' },
    { repeat: 10, baseline: 2, value: 5, ratio: 2.5 },
  ];

  test.each([
    ['higher', 'rate', 'write, multiple of none'],
    ['lower', 'figure', 'write, multiple of none (lower is better)'],
  ])('of a figure that is better when %s', (better, what, caption) => {
    const lines = said(pairs, withComparison({ better }));
    expect(lines[0]).toContain(`Each ratio divides an arm’s ${what} by that of none in the same repeat`);
    expect(lines).toContain(caption);
  });

  test('have a row for each arm, with its repeats in order', () => {
    const lines = said(
      pairs,
      withComparison({
        ...{ pairs: PAIRS, count: 2, estimate: 2.236, minimumDetectable: 0.2, compressibility: 2.6 },
        interval: { ...RUN.comparisons[0]?.interval, low: 1.5, high: 3.25 },
        outliers: [{ repeat: 10, value: 2.5 }],
      }),
    );
    const row = lines.find((one) => Array.isArray(one) && one[1] === 'lz4');
    expect(row).toEqual([
      ...['2.6:1', 'lz4', '2.236', '1.50–3.25', expect.stringContaining('(repeat 10 is an outlier, and is counted)')],
      ...['0.2', '2.00 · – (none: killed) · 2.50'],
    ]);
  });

  test('without an interval are too few, and none at all are no section', () => {
    const row = (change: object) =>
      said(pairs, withComparison({ interval: null, different: null, ...change })).find((one) => Array.isArray(one));
    expect(row({ count: 1, pairs: PAIRS.slice(0, 1) })?.slice(3, 5)).toEqual(['–', 'one pair is too few']);
    expect(said(pairs, withComparison({ count: 0 }))).toEqual([]);
  });

  test('explain how far the intervals can be trusted', () => {
    const inflated = (varianceInflation: number) => ({ dependence: { varianceInflation } });
    const [first] = RUN.comparisons;
    const text = (...inflations: number[]) =>
      said(pairs, {
        comparisons: inflations.map((one) => ({ ...first, interval: { ...first?.interval, ...inflated(one) } })),
      }).find((one) => String(one).startsWith('The interval shows')) as string;
    expect(text(1.5, 2.5)).toContain('(variance inflation 1.50 to 2.50)');
    expect(text(1.5, 2.5)).toContain('The 2 intervals are widened together (Holm’s method)');
    expect(text(1.5)).toContain('(variance inflation 1.50)');
    expect(text(1.5)).not.toContain('Holm');
  });
});

describe('published figures that cannot be compared', () => {
  const [verdict] = RUN.analysis.verdicts.filter(({ verdict }) => verdict === 'not comparable');
  const since = (because: string, count: number) =>
    Array.from({ length: count }, () => ({ ...verdict, differences: [], because }));

  test.each([
    [since('the run is INVALID', 2), 'None of 2 published figures can be compared since the run is INVALID.'],
    [
      [...since('it is a price', 1), ...since('the run is INVALID', 3)],
      'None of 4 published figures can be compared, for 3 of them since the run is INVALID.',
    ],
  ])('for one reason have it, for several the most frequent with its number: %#', (verdicts, sentence) => {
    expect(said(claims, { analysis: { ...RUN.analysis, verdicts } })[0]).toBe(sentence);
  });
});

describe('what a run cost', () => {
  const lines = [
    { item: 'a', hourlyUsd: 4, runUsd: 8 },
    { item: 'b', hourlyUsd: null, runUsd: null, reason: 'Spot' },
    { item: 'c', hourlyUsd: null, runUsd: null, reason: 'unknown' },
  ];
  const cost = (change: object) => ({
    cost: { ...RUN.cost, lines, hourlyUsd: 6, runUsd: 12, hours: 2, idleHours: null, idleUsd: null, ...change },
  });
  const record = { ...RUN.record, elsewhere: null };

  test.each<[string, object, string]>([
    ['all prices are known', {}, '$12.00 at list price for the 2 h of the run, at $6.00 per hour.'],
    ['two prices are missing', { hourlyUsd: null, runUsd: null }, 'Not known as a whole: 2 of 3 prices are missing.'],
    [
      'nobody knows how long it took',
      { hours: null, runUsd: null },
      '$6.00 per hour at list price; how long the run took is not known.',
    ],
  ])('%s', (_, change, words) => {
    const all = said(deployment, { ...cost(change), lab: false, record });
    expect(all.some((one) => typeof one === 'string' && one.startsWith(words))).toBe(true);
  });

  test('has a row for each line, and their sum with what is missing', () => {
    const rows = said(deployment, { ...cost({ hourlyUsd: null, runUsd: null }), lab: false, record }).filter((one) =>
      Array.isArray(one),
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        ['a', '4', '8'],
        ['b', 'Spot', 'null'],
        ['c', 'unknown', 'null'],
        ['All', 'a price is missing', 'null'],
      ]),
    );
  });

  test('in the lab is nothing, next to what AWS lists', () => {
    const text = (change: object) => said(deployment, { ...cost(change), lab: true, record }).join('\n');
    expect(text({})).toContain('Nothing. On AWS this deployment lists at $6.00 per hour.');
    expect(text({ hourlyUsd: null })).toContain('Nothing. On AWS this deployment has no complete list price.');
  });
});
