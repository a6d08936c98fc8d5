import { compareRuns } from '../../../lib/analysis/compare/compare';
import { trendsOf } from '../../../lib/analysis/compare/trends';
import { figuresOf, type RunFigures, summariseRun } from '../../../lib/report';
import { changeWords, percent } from '../../../lib/report/list/labels';
import type { RunRecord } from '../../../lib/store/record';
import { modelledRun } from '../modelledRun';
import { BASELINE_MBPS } from '../syntheticRun';
import { faster, figuresAt, runAt } from './runs';

const at = (runs: readonly RunFigures[], operation: string, compressibility: number, arm = 'lz4') =>
  (
    trendsOf(runs).find((trend) => trend.operation === operation && trend.compressibility === compressibility)
      ?.points ?? []
  ).filter((point) => point.arm === arm);
const quiet = { variation: 0.004 };

describe('a change', () => {
  test('is found when it is there, against the run before, and only on the arm that changed', () => {
    const runs = [figuresAt(9, quiet), figuresAt(10, quiet, faster(1.2)), figuresAt(11, quiet, faster(1.2))];
    const [first, second, third] = at(runs, 'write', 2.6);
    expect(first).toMatchObject({ change: null, changeReason: 'no earlier run under the same conditions' });
    expect(second?.change).toMatchObject({ against: first?.run, real: true });
    expect(second?.change?.ratio).toBeCloseTo(1.2, 1);
    expect(third?.change).toMatchObject({ against: second?.run, real: false });
    expect(at(runs, 'write', 2.6, 'none').map(({ change }) => change?.real)).toEqual([undefined, false, false]);
  });

  test('of a single repeat is given without a judgement', () => {
    const once = { ...quiet, repeats: 1 };
    const [, second] = at([figuresAt(9, once), figuresAt(10, once, faster(1.2))], 'write', 2.6);
    expect(second?.change).toMatchObject({ interval: null, real: null });
  });

  test('is not made of the repeats that are left where nothing moved in others', () => {
    const still = (record: RunRecord): RunRecord => ({
      ...record,
      samples: record.samples.map((sample) =>
        sample.arm === 'lz4' && sample.step === 'r1-c2.6-write' && sample.metric === 'throughput'
          ? { ...sample, value: 0 }
          : sample,
      ),
    });
    const [, second, third] = at(
      [figuresAt(9, quiet), figuresAt(10, quiet, still), figuresAt(11, quiet)],
      'write',
      2.6,
    );
    const none = { change: null, changeReason: 'one of the two has a repeat of zero' };
    expect([second, third]).toMatchObject([none, none]);
  });

  test('is never against an INVALID run, nor of one', () => {
    const failing = ['r1-c1-write', 'r2-c1-write', 'r3-c1-write'];
    const runs = [figuresAt(9, quiet), figuresAt(10, { ...quiet, failing }), figuresAt(11, quiet)];
    const [first, second, third] = at(runs, 'write', 2.6);
    expect(second).toMatchObject({ validity: 'INVALID', change: null, changeReason: 'the run is INVALID' });
    expect(third?.change?.against).toBe(first?.run);
    expect(at(runs, 'write', 1)[1]).toMatchObject({ value: null, reason: 'write failed: no space left on device' });
  });
});

test('a change of scale models is real only beyond the 5 % to which they are alike', () => {
  const onModel = (factor: number) => (record: RunRecord) => {
    const { manifest } = modelledRun(BASELINE_MBPS * 20);
    // The clients of the run whose parts these are.
    const samples = record.samples.map((sample) => ({ ...sample, ranks: null, plannedRanks: null }));
    return faster(factor)({ ...record, manifest, samples });
  };
  const options = { ...quiet, lab: true, compressibilities: [1] };
  const changes = (factor: number) =>
    at([figuresAt(9, options, onModel(1)), figuresAt(10, options, onModel(factor))], 'write', 1).flatMap(
      ({ change }) => change ?? [],
    );
  const [small] = changes(1.03);
  expect(small?.interval?.low).toBeGreaterThan(1);
  expect(small?.real).toBe(false);
  expect(small && changeWords(small, { metric: 'throughput', unit: 'MB/s' })).toMatch(
    /^\+\d\.\d %, perhaps the model \(/,
  );
  expect(changes(0.9)).toMatchObject([{ real: true }]);
});

test('changes of rates are those of compare', () => {
  const [a, b] = [runAt(9, quiet), runAt(10, quiet, faster(1.04))];
  const { cells } = compareRuns(summariseRun(a), summariseRun(b));
  const points = trendsOf([figuresOf(summariseRun(a)), figuresOf(summariseRun(b))]).flatMap(
    ({ operation, compressibility, points: own }) =>
      own.flatMap(({ arm, change }) =>
        change && operation !== 'space' ? [{ operation, compressibility, arm, change }] : [],
      ),
  );
  expect(points).toHaveLength(16);
  for (const { operation, compressibility, arm, change } of points) {
    const cell = cells.find(
      (one) => one.operation === operation && one.compressibility === compressibility && one.arm === arm,
    );
    expect(change.ratio).toBeCloseTo(cell?.ratio ?? 0, 12);
    expect(change.interval).toEqual(cell?.interval);
    expect(change.means).toEqual([cell?.meanA, cell?.meanB]);
  }
  expect(new Set(points.map(({ change }) => change.real))).toEqual(new Set([true, false]));
});

describe('conditions', () => {
  const withParameter = (name: string, value: number) => (record: Parameters<ReturnType<typeof faster>>[0]) => ({
    ...record,
    plan: record.plan && { ...record.plan, parameters: { ...record.plan.parameters, [name]: value } },
  });

  test('that differ are named, and keep runs from being compared', () => {
    const runs = [figuresAt(9), figuresAt(10, {}, withParameter('seconds', 60)), figuresAt(11)];
    const trend = trendsOf(runs).find(
      ({ operation, compressibility }) => operation === 'write' && compressibility === 1,
    );
    expect(trend?.conditions).toEqual([
      { id: 'A', differs: [] },
      { id: 'B', differs: ['seconds: 300 → 60'] },
    ]);
    const [first, second, third] = at(runs, 'write', 1);
    expect([first, second, third].map((point) => point?.conditions)).toEqual(['A', 'B', 'A']);
    expect(second?.change).toBeNull();
    expect(third?.change?.against).toBe(first?.run);
  });

  test('are not how often something was measured, or what else was', () => {
    const runs = [figuresAt(9), figuresAt(10, { repeats: 5, compressibilities: [1, 2.6] })];
    expect(at(runs, 'write', 2.6).map(({ conditions }) => conditions)).toEqual(['A', 'A']);
  });

  test.each([
    ['lab', { lab: true }],
    ['AWS us-east-1', {}],
  ] as const)('of another platform or scale are another trend: %s', (platform, options) => {
    const trends = trendsOf([figuresAt(9), figuresAt(10, { lab: true })]);
    const own = trends.filter(({ setting }) => setting.platform === platform);
    expect(own).toHaveLength(12);
    expect(own[0]?.setting.scale).toBe('lab' in options ? 'lab' : 'published');
    expect(own.every(({ points }) => new Set(points.map(({ run }) => run)).size === 1)).toBe(true);
  });

  test('include the tool that was used, for the figures that it made', () => {
    const other = (record: Parameters<ReturnType<typeof faster>>[0]) => ({
      ...record,
      samples: record.samples.map((sample) => (sample.tool === 'ior' ? { ...sample, toolVersion: '4.0.0' } : sample)),
    });
    const trends = trendsOf([figuresAt(9), figuresAt(10, {}, other)]);
    const differs = (compressibility: number) =>
      trends.find((trend) => trend.operation === 'write' && trend.compressibility === compressibility)?.conditions[1]
        ?.differs;
    expect(differs(1)).toEqual(['tool used: ior 3.3.0 (ior-incompressible) → ior 4.0.0 (ior-incompressible)']);
    expect(differs(2.6)).toBeUndefined();
  });
});

test('operations keep their order, compressibilities ascend, and space comes last', () => {
  const trends = trendsOf([figuresAt(9, { compressibilities: [2.6] }), figuresAt(10, { compressibilities: [1, 2.6] })]);
  expect(trends.map(({ operation, compressibility }) => `${operation} ${compressibility}`)).toEqual(
    ['write', 'read', 'space'].flatMap((operation) => [`${operation} 1`, `${operation} 2.6`]),
  );
});

test.each([
  [1.021, '+2.1 %'],
  [0.8, '−20.0 %'],
  [1.0001, '±0.0 %'],
  [0.9999, '±0.0 %'],
])('a quotient of %d is written as %s', (quotient, words) => {
  expect(percent(quotient)).toBe(words);
});
