import { advise } from '../../../lib/advise';
import { renderAdvice } from '../../../lib/cli/render/renderAdvice';
import { renderIssues, renderPlan } from '../../../lib/cli/render/renderPlan';
import { decimalBytes } from '../../../lib/common/format/units';
import type { Estimate } from '../../../lib/estimate';
import type { Plan } from '../../../lib/schema/plan';

describe('a plan', () => {
  const step = (id: string, repeat: number, expectedSeconds: number, phase = 'measure') => ({
    ...{ id, repeat, expectedSeconds, phase },
    tasks: [
      { arm: 'none', group: 1, action: { kind: 'drop-caches' } },
      { arm: 'lz4', group: 2, action: { kind: 'drop-caches' } },
    ],
  });
  const totals = { expectedSeconds: 3900, bytesWritten: 2e12, bytesReason: null, costUsd: 1.5, costReason: null };
  const plan = (change: object = {}): string[] =>
    renderPlan({
      ...{ benchmark: 'CompressionBench', plan: 'paired', scale: 'smoke', parameters: { repeats: 3, ratios: [1, 2] } },
      arms: [{ name: 'none', description: 'without LZ4' }],
      fleet: { clients: 4, ranksPerClient: 8, instanceType: 'c5.large' },
      steps: [step('prepare', 0, 60, 'prepare'), step('r1', 1, 120), step('r2', 2, 120), step('r3', 3, 120)],
      ...{ totals, issues: [] },
      ...change,
    } as unknown as Plan).split('\n');
  const DETECTABLE = {
    ...{ comparisons: 1, repeats: 5, variation: 0.05, difference: 0.1234, independence: 'tested', power: 0.8 },
  };

  test('says how long it takes, what it moves and costs, and shows the steps of its first repeat', () => {
    const lines = plan();
    expect(lines).toEqual(
      expect.arrayContaining([
        'CompressionBench, the paired plan at scale smoke',
        '  arm none   without LZ4',
        '  fleet      4 clients (c5.large), 8 processes each',
        '  duration   about 1 h 05 min in 4 steps',
        '  data       at most 2 TB written and as much read',
        '  cost       1.50 USD while the plan runs, at list prices',
        'parameters (--set): repeats=3 ratios=1,2',
        '… and 2 steps in the other repeats',
      ]),
    );
    expect(lines.find((line) => line.startsWith('r1'))).toMatch(/r1 +measure +2 min 00 s +none:1 lz4:2 +drop caches/);
    expect(lines.some((line) => line.startsWith('r2'))).toBe(false);
  });

  test('says why an amount or a cost is not known', () => {
    const unknown = { ...totals, bytesWritten: null, bytesReason: 'the size is the file system’s', costUsd: null };
    const lines = plan({ totals: { ...unknown, costReason: 'no price' } });
    expect(lines).toContain('  data       the size is the file system’s');
    expect(lines).toContain('  cost       unknown: no price');
  });

  test.each([
    [
      DETECTABLE,
      "detects    differences of 12 % with 80 % power, if an arm's repeats vary by 5 % (1 comparison of 5 pairs)",
    ],
    [{ ...DETECTABLE, difference: 9 }, 'detects    differences of '],
    [{ ...DETECTABLE, difference: 9.01 }, 'detects    nothing with certainty: 1 comparison of 5 pairs'],
    [
      { ...DETECTABLE, difference: null, comparisons: 2, repeats: 1 },
      'detects    nothing with certainty: 2 comparisons of 1 pair',
    ],
    [
      { ...DETECTABLE, systematic: 0.05, apartSeconds: 90 },
      'are alike to within 5 % (1 comparison of 5 pairs, 1 min 30 s apart)',
    ],
    [{ ...DETECTABLE, variation: 0.07 }, 'vary by 7 % ('],
  ])('with %j says %s', (detectable, words) => {
    expect(plan({ detectable }).join('\n')).toContain(words);
  });

  test('shows errors before warnings, and these before notes, each with what was expected', () => {
    const issue = (severity: string, more: object = {}) => ({
      ...{ severity, id: `a-${severity}`, message: 'It is so.', expected: '1', actual: '2', suggestion: '' },
      ...more,
    });
    const issues = [issue('note', { suggestion: 'do that' }), issue('error'), issue('warning', { allowed: true })];
    expect(renderIssues(issues as never)).toBe(
      [
        'error  A error  (a-error)\n  It is so.\n  expected 1, got 2\n',
        'warning  A warning  (a-warning, allowed)\n  It is so.\n  expected 1, got 2\n',
        'note  A note  (a-note)\n  It is so.\n  expected 1, got 2; do that\n',
      ].join(''),
    );
  });
});

describe('advice about estimated data', () => {
  const advice = advise({ writeMBps: 400, capacityTB: 2, ratio: 2, headroom: 0 });
  const estimate = (change: object) =>
    ({
      ...{ files: 1000, mode: 'sample', ratio: 2.5, logicalBytes: 4e12, uncompressedBytes: 5e12, savings: 0.2 },
      ...{ interval: { low: 2, high: 3 }, codec: 'zstd:3' },
      ...change,
    }) as unknown as Estimate;
  const linesOf = (change: object) => renderAdvice(advice, estimate(change)).split('\n');

  test.each([
    [{}, 'data: 1,000 files, sampled: 2.50:1, between 2.00 and 3.00'],
    [{ mode: 'full', files: 1 }, 'data: 1 file, read in full: 2.50:1, between 2.00 and 3.00'],
    // The same two digits are no range.
    [{ interval: { low: 2.501, high: 2.504 } }, 'data: 1,000 files, sampled: 2.50:1'],
    [{ interval: { low: 2.494, high: 2.506 } }, 'data: 1,000 files, sampled: 2.50:1, between 2.49 and 2.51'],
    [{ interval: { low: null, high: 3 } }, 'data: 1,000 files, sampled: 2.50:1'],
    [{ interval: { low: 2, high: null } }, 'data: 1,000 files, sampled: 2.50:1'],
    // Small files take more than their bytes.
    [{ ratio: 0.8 }, 'data: 1,000 files, sampled: 4 TB take 5 TB; LZ4 saves 20 % of that'],
    [{ ratio: 0.8, savings: 0.004 }, 'data: 1,000 files, sampled: 4 TB take 5 TB; LZ4 saves <1 % of that'],
    [{ ratio: 0.8, savings: 0 }, 'data: 1,000 files, sampled: 4 TB take 5 TB; LZ4 saves 0 % of that'],
  ])('%j is said as %s', (change, words) => {
    expect(decimalBytes(4e12)).toBe('4 TB');
    expect(linesOf(change)).toContain(words);
  });

  test('lists the cheapest of each kind, under its number among all options', () => {
    const offers = advise({ readMBps: 2000, capacityTB: 20 });
    const listed = renderAdvice(offers, null)
      .match(/^(\d+) {2}(?=\S)/gm)
      ?.map(Number);
    const kindOf = ({ configuration }: (typeof offers.options)[number]) =>
      ['kind', 'deploymentType', 'storageType'].map((name) => configuration[name as 'kind']).join(' ');
    const kinds = offers.options.filter(({ monthlyUsd }) => monthlyUsd !== null).map(kindOf);
    expect(listed?.length).toBeGreaterThan(1);
    expect([...new Set(kinds)].map((kind) => kinds.indexOf(kind) + 1)).toEqual(expect.arrayContaining(listed ?? []));
    expect(kinds.lastIndexOf(kinds[0] ?? '')).toBeGreaterThan(0);
  });

  test('on Btrfs has the codec and its own ratio', () => {
    const text = renderAdvice(advice, null, [estimate({ ratio: 3 })]).replaceAll(/\n +/g, ' ');
    expect(text).toContain(
      'on Btrfs with compress-force=zstd:3: 3.00:1, between 2.00 and 3.00; volumes of that fraction',
    );
  });
});
