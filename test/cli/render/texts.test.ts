import { type Advice, advise } from '../../../lib/advise';
import { describePrice, describeRequirement, describeVerdict, whyRanked } from '../../../lib/advise/wording';
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

describe('advice, by what it is told of', () => {
  const advice = advise({ readMBps: 2000, capacityTB: 20 });
  const [best, second] = advice.options;
  if (best === undefined || second === undefined) throw new Error('there are many options');
  const shown = (change: object, all = false) =>
    renderAdvice({ ...advice, notes: [], nearest: [], changes: [], rejected: [], ...change } as Advice, null, [], all);
  const one = (change: object) => shown({ options: [{ ...best, cheaper: [], warnings: [], ...change }] });
  const usual = [shown({}), shown({}, true), one({})].flatMap((text) => text.split('\n'));
  const flow = { demand: 'write', MBps: 1, headroom: 0.5, throughputMBps: { baseline: 900, burst: 900 } };
  const experiment = { benchmark: 'B', clients: 2, instanceType: 'c6in', hourlyUsd: 12.3 };
  const cdkJson = { context: { B: { a: 1, clients: 4 } } };
  const close = {
    ...best,
    monthlyUsd: 9,
    lowUsd: 9,
    knownUsd: 9,
    unmet: [{ demand: 'burst', met: null, reason: 'it is new (https://x.y)' }],
    checks: [1, 2],
  };
  const late = { ...close, monthlyUsd: 8, lowUsd: 8 };

  test.each<[string, string]>([
    ['head-room above 1000 %', one({ headroom: 20, fill: null, flows: [flow] })],
    [
      'a burst, and few data',
      one({ headroom: 0.5, fill: 0.004, throughputMBps: { baseline: 900, burst: 1800 }, flows: [flow] }),
    ],
    ['no data', one({ headroom: 0.5, fill: 0, flows: [flow] })],
    ['no head-room', one({ headroom: null, fill: 0.5 })],
    ['a price that is not known', one({ monthlyUsd: null, knownUsd: 5, unpriced: ['disks'], reason: 'no price' })],
    ['an estimated price', one({ basis: { ...best.basis, estimated: 1 } })],
    [
      'a warning, and cheaper ones that miss something',
      one({
        warnings: [{ message: 'w' }],
        cheaper: [
          { ...best, knownUsd: 0, misses: ['a', 'b'] },
          { ...best, monthlyUsd: 3, knownUsd: 3, lowUsd: 2, misses: ['c'] },
        ],
      }),
    ],
    ['no benchmark', one({ proof: { experiments: [] } })],
    [
      'experiments, and a cheaper proof',
      one({
        cdkJson,
        proof: {
          experiments: [experiment, { ...experiment, hourlyUsd: null }],
          cheaper: {
            ...experiment,
            hourlyUsd: 3.456,
            cdkJson: { context: { B: { a: 1, clients: 2 } } },
            shows: 's',
            cannotShow: 'n',
          },
        },
      }),
    ],
    [
      'others that may cost less',
      shown({ nearest: [close, late, { ...late, unmet: [{ ...close.unmet[0], demand: 'read' }] }] }),
    ],
    [
      'another that may cost less, without a proof',
      shown({ nearest: [{ ...close, proof: { experiments: [], cheaper: undefined } }] }),
    ],
    [
      'none that meets it, and changes that help',
      shown({
        options: [],
        nearest: [close, late],
        changes: [
          { words: 'wait', configuration: best.configuration, monthlyUsd: 7 },
          { words: 'go', configuration: best.configuration, monthlyUsd: null },
        ],
      }),
    ],
    ['none that meets it, nor one near', shown({ options: [], nearest: [] })],
    [
      'all, with those rejected',
      shown(
        {
          rejected: [
            { configuration: best.configuration, monthlyUsd: null, reason: 'r' },
            { configuration: best.configuration, monthlyUsd: 7, reason: 'r' },
          ],
        },
        true,
      ),
    ],
    [
      'some rejected, and a note',
      shown({
        rejected: [{ configuration: best.configuration, monthlyUsd: null, reason: 'r' }],
        notes: [{ message: 'm' }],
      }),
    ],
    ['a budget alone', shown({ requirement: { maxMonthlyUsd: 5000, ratio: 1, hoursPerMonth: 243.3 } })],
  ])('%s', (_, text) => {
    const lines = text.split('\n').filter((line) => !usual.includes(line));
    // Prices are newer with each release.
    expect(lines.join('\n').replace(/of us-east-1, [-\d]+/, 'of X')).toMatchSnapshot();
  });

  test.each<[object, string]>([
    [{ readMBps: 1500 }, '1.5 GB/s of reads'],
    [
      { writeMBps: 1500, readMBps: 1, together: true },
      '0.001 GB/s of reads, 1.5 GB/s of writes, both at the same time',
    ],
    [
      { writeMBps: 1500, readMBps: 1, scanMBps: 10, capacityTB: 1 },
      '0.001 GB/s of reads, 1.5 GB/s of writes, at different times, a scan of all data at 0.01 GB/s, 1 TB of data, at most 80 % full',
    ],
    [
      {
        capacityTB: 2,
        files: 1,
        ratio: 2.0004,
        taken: { uncompressed: 1.5, compressed: 1 },
        estimated: { like: '/a', min: null },
      },
      '2 TB of data in about 1 file, as in /a, which take 3 TB on Lustre, 2 TB with LZ4, at most 80 % full, data that LZ4 compresses 2:1',
    ],
    [
      { capacityTB: 2, files: 5_000_000, headroom: 1, maxFill: 0.9 },
      '2 TB of data in 5,000,000 files, which take 2.706 TB on Lustre, at most 90 % full',
    ],
    [
      {
        burst: { terabytes: 2, seconds: 60, everySeconds: 3600 },
        createsPerSecond: 1500,
        workingSetGiB: 1.4,
        ratio: 2.34567,
      },
      'bursts of 2 TB in 1 min every 1 h, 2 TB of data, at most 80 % full, 1,500 file creates per second, 1 GiB read repeatedly, data that LZ4 compresses 2.346:1',
    ],
    [
      { clients: { count: 4, instanceType: 'c6in.32xlarge', efa: true }, processes: 1, loadHours: 1.5, capacityTB: 1 },
      '1 TB of data, at most 80 % full, 4 × c6in.32xlarge over EFA with 1 process each, loaded within 1 h 30 min',
    ],
    [
      {
        clients: { count: 4, instanceType: 'c5n.9xlarge', efa: false },
        ratio: 1,
        maxMonthlyUsd: 5,
        hoursPerMonth: 243.3,
      },
      '4 × c5n.9xlarge, at most 5 USD per month, 243 h per month',
    ],
  ])('required: %j', (requirement, words) => expect(describeRequirement(requirement as never)).toBe(words));

  test.each<[object, string]>([
    [{ monthlyUsd: 0, knownUsd: 0, lowUsd: 0 }, '0 USD per month without data (--capacity adds them)'],
    [{ monthlyUsd: 99.999, lowUsd: 99.999 }, '100.00 USD per month'],
    [{ monthlyUsd: 1234.5, lowUsd: 12.345 }, '12.35–1,235 USD per month'],
    [{ monthlyUsd: null, knownUsd: 0, unpriced: ['a'] }, 'price unknown'],
    [
      { monthlyUsd: null, knownUsd: 100, lowUsd: 50, unpriced: ['a', 'b'] },
      '50.00–100 USD per month plus a and b (price unknown)',
    ],
  ])('the price %j', (price, words) => expect(describePrice(price as never)).toBe(words));

  const check = (assumes?: string) => ({ assumes });
  const miss = (met: boolean | null, reason: string) => ({ met, reason });
  test.each<[object[], object[], string]>([
    [[check()], [], 'meets the requirement'],
    [[check(), check('it rains')], [], 'meets both requirements, if it rains'],
    [[check(), check(), check()], [], 'meets all 3 requirements'],
    [[check()], [miss(false, 'too slow (https://a.b/c)')], 'too slow'],
    [
      [check(), check(), check()],
      [miss(null, 'new'), miss(false, 'slow'), miss(null, 'odd')],
      'meets 0 of 3 requirements; slow; unknown: new; odd',
    ],
  ])('the verdict on %j without %j', (checks, unmet, words) =>
    expect(describeVerdict({ checks, unmet } as never)).toBe(words),
  );

  const at = (usd: number | null, low = usd, baseline = 1000) => ({
    ...best,
    monthlyUsd: usd,
    lowUsd: low ?? 0,
    throughputMBps: { baseline, burst: baseline },
  });
  test.each<[ReturnType<typeof at>[], string, boolean?]>([
    [[at(100)], 'the cheapest'],
    [[at(100), at(120, 90)], 'the cheapest, at the upper ends of price ranges'],
    [[at(100), at(null, 90)], 'the cheapest of known price'],
    [[at(100)], 'the fastest that the budget buys', true],
    [[at(100), at(50)], 'the cheapest without a caveat'],
  ])('the first of %#', (options, words, budgetOnly = false) => {
    expect(whyRanked(options[0] as never, options, { budgetOnly } as never)).toBe(words);
  });
  test.each<[ReturnType<typeof at>, ReturnType<typeof at>, string]>([
    [at(100), at(null), 'its price is not fully known'],
    [at(100), at(100, 100, 1005), 'same price as option 1, equally fast'],
    [at(100), at(150, 150, 2500), '50 % dearer than option 1, 2.5 × as fast'],
    [at(0), at(150), 'dearer than option 1, equally fast'],
    [at(100), at(99.8), 'less than 1 % cheaper than option 1, equally fast'],
    [at(100), at(100.4, 100.4, 1010), 'less than 1 % dearer than option 1, 1 × as fast'],
    [at(100), at(100.6, 100.6, 991), '1 % dearer than option 1, equally fast'],
    [at(100), at(9.95, 4), '96 to 90 % cheaper than option 1, equally fast'],
    [at(200, 100), at(150), '25 % cheaper to 50 % dearer than option 1, equally fast'],
    [at(100), at(200, 150), '50 to 100 % dearer than option 1, equally fast'],
    [at(100), at(200, 50), '50 % cheaper to 100 % dearer than option 1, equally fast'],
    [at(100, 50), at(200, 50, 500), '100 % dearer than option 1, 0.5 × as fast'],
    [at(100, 50), at(200), '100 to 300 % dearer than option 1, equally fast'],
  ])('another of %#', (first, other, words) => {
    expect(whyRanked(other as never, [first, other] as never, { budgetOnly: false } as never)).toBe(words);
  });
});
