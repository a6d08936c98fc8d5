import { compareRuns, placeOf } from '../../../lib/analysis/compare/compare';
import { ratioInterval } from '../../../lib/analysis/compare/comparedCell';
import { type RunSummary, summarise } from '../../../lib/analysis/summary';
import { renderComparison } from '../../../lib/cli/results/compare';
import type { Side } from '../../../lib/schema/summary';
import type { RunRecord } from '../../../lib/store/record';
import { synthetic } from '../../common/statistics/synthetic';
import { modelledRun } from '../../report/modelledRun';
import { BASELINE_MBPS } from '../../report/syntheticRun';
import { soundRun, withSamples } from '../runs';

const scaled = (record: RunRecord, factor: number, arm = 'lz4', operation = 'write'): RunRecord =>
  withSamples(record, (sample) =>
    sample.arm === arm && sample.operation === operation && sample.source === 'client' && sample.value !== null
      ? { ...sample, value: sample.value * factor }
      : sample,
  );

let a: RunSummary;
beforeAll(() => {
  a = summarise(soundRun({ seed: 1, repeats: 5 }));
});
const other = soundRun({ seed: 2, repeats: 5 });

describe('compare', () => {
  test('passes a second run of the same thing, and has an interval for every cell', () => {
    const document = compareRuns(a, summarise(other));
    expect(document).toMatchObject({ schema: 'fsxbench.compare/1', pass: true, failures: [], cautions: [] });
    expect(Object.keys(document.a)).toEqual([
      ...['run', 'benchmark', 'plan', 'scale', 'lab', 'validity', 'arms', 'inconclusive'],
    ]);
    expect(document.a.inconclusive.map(({ id }) => id)).toContain('burst-credits');
    expect(document.cells).toHaveLength(8);
    for (const { interval, ratio, verdict } of document.cells) {
      expect(interval?.low).toBeLessThan(ratio ?? 0);
      expect(interval?.high).toBeGreaterThan(ratio ?? 0);
      expect(verdict).toBe('same');
    }
    expect(document.suggestedTolerance).toBeGreaterThan(0);
    expect(document.suggestedTolerance).toBeLessThan(0.03);
  });

  test('fails a run that is slower than the tolerance allows, and names where', () => {
    // The service's count was not scaled: that is not what is looked at here.
    const b = { ...summarise(scaled(other, 0.9)), validity: 'VALID' } as const;
    const document = compareRuns(a, b, { tolerance: 0.05 });
    expect(document.pass).toBe(false);
    expect(document.cells.filter(({ verdict }) => verdict === 'regression').map(placeOf)).toEqual([
      'write at 1:1 on lz4',
      'write at 2.6:1 on lz4',
    ]);
    expect(document.failures[0]).toBe('write at 1:1 on lz4 is slower than the tolerance allows');
    expect(compareRuns(a, b, { tolerance: 0.15 }).pass).toBe(true);
  });

  test('calls more speed an improvement, and does not fail it', () => {
    const document = compareRuns(a, { ...summarise(scaled(other, 1.2)), validity: 'VALID' });
    expect(document.pass).toBe(true);
    expect(document.cells.filter(({ verdict }) => verdict === 'improvement')).toHaveLength(2);
  });

  /** The first cell alone, with repeats that vary by a share around a value, up and down in turns. */
  const varying = (value: number, share: number, repeats: number) => {
    const ascending = Array.from({ length: repeats }, (_, index) => index - (repeats - 1) / 2);
    const raw = ascending.map((_, index) => ascending.at(index % 2 === 0 ? index / 2 : -(index + 1) / 2) as number);
    const deviation = Math.sqrt(raw.reduce((sum, one) => sum + one ** 2, 0) / (repeats - 1)) || 1;
    const samples = raw.map((one, index) => ({
      repeat: index + 1,
      value: value * Math.exp((share * one) / deviation),
      reason: null,
    }));
    return { ...a, cells: a.cells.slice(0, 1).map((cell) => ({ ...cell, samples })) } as unknown as Side;
  };
  test.each([
    [1, 5],
    [5, 1],
  ])(
    'of two cells, one has %i repeats in A and %i in B: the interval of the other is as if it were alone',
    (inA, inB) => {
      const both = (repeats: number): Side => {
        const [cell] = varying(100, 0.01, 5).cells as [Side['cells'][number]];
        return { ...a, cells: [cell, { ...cell, operation: 'read', samples: cell.samples.slice(0, repeats) }] };
      };
      expect(compareRuns(both(inA), both(inB)).cells[0]?.interval?.confidence).toBe(0.95);
    },
  );

  const verdictOf = (value: number, share: number, repeats: number, tolerance = 0.05) =>
    compareRuns(varying(100, share, repeats), varying(value, share, repeats), { tolerance });

  test('is inconclusive where a slowdown is neither shown nor ruled out, whichever way the ratio points', () => {
    for (const value of [90, 99, 115]) {
      const document = verdictOf(value, 0.3, 3);
      expect(document).toMatchObject({ verdict: 'inconclusive', pass: false, failures: [] });
      expect(document.cells).toMatchObject([{ verdict: 'inconclusive' }]);
      expect(document.cells[0]?.interval?.low).toBeLessThan(0.95);
    }
  });

  test.each([
    [100, 0.05, 'no-regression'],
    [104, 0.2, 'no-regression'],
    [85, 0.1, 'regression'],
  ])('says how many repeats settle a value of %d that varies by %d: %s', (value, share, verdict) => {
    const { repeatsNeeded } = verdictOf(value, share, 3);
    expect(repeatsNeeded).toBeGreaterThan(3);
    expect(verdictOf(value, share, repeatsNeeded ?? 0)).toMatchObject({ verdict, repeatsNeeded: null });
    expect(verdictOf(value, share, Math.floor((repeatsNeeded ?? 0) / 5))).toMatchObject({ verdict: 'inconclusive' });
  });

  test('advises no number of repeats that nobody runs', () => {
    const text = (share: number) => renderComparison(verdictOf(100, share, 3));
    expect(text(0.05)).toMatch(/--set repeats=\d\d\.$/m);
    expect(text(0.2)).toMatch(/cannot be shown this way: .* \d{3} repeats of each run\. Give a larger --tolerance/);
    expect(text(0.2)).not.toContain('--set repeats');
  });

  test('says why no number of repeats is known', () => {
    expect(verdictOf(95.01, 0.3, 3).repeatsNeededReason).toBe('a cell so near the tolerance needs more than 1,000');
    expect(verdictOf(100, 0.3, 1).repeatsNeededReason).toMatch(/^the variance is unknown/);
    expect(compareRuns(a, a, { tolerance: 0 })).toMatchObject({ verdict: 'inconclusive', repeatsNeeded: null });
  });

  test('fails a regression that is shown, even if other cells are inconclusive', () => {
    const b = summarise(scaled(other, 0.8, 'lz4', 'write'));
    const document = compareRuns(a, { ...b, validity: 'VALID' }, { tolerance: 0.0001 });
    expect(document.cells.map(({ verdict }) => verdict)).toEqual(
      expect.arrayContaining(['regression', 'inconclusive']),
    );
    expect(document.verdict).toBe('regression');
  });

  test('fails a value that is not there any more, and a run that is INVALID', () => {
    const failing = ['r1-c1-write', 'r2-c1-write', 'r3-c1-write', 'r4-c1-write', 'r5-c1-write'];
    const document = compareRuns(a, summarise(soundRun({ seed: 2, repeats: 5, failing })));
    expect(document.failures).toEqual([
      expect.stringMatching(/is INVALID$/),
      'write at 1:1 on lz4 no longer has a value above 0',
    ]);
    expect(document.cells.find(({ verdict }) => verdict === 'missing')?.reason).toBe(
      'write failed: no space left on device',
    );
  });

  test('does not fail a compressibility that B never planned, and says which parameters of the plans differ', () => {
    const b = summarise(soundRun({ seed: 2, repeats: 4, compressibilities: [1] }));
    const document = compareRuns(a, { ...b, parameters: { ...b.parameters, precision: 5 } });
    expect(document).toMatchObject({ verdict: 'no-regression', pass: true, failures: [] });
    expect(document.cautions).toEqual([
      'the plans differ: repeats=5 in A, 4 in B; compressibilities=1,2.6 in A, 1 in B; precision=unset in A, 5 in B',
    ]);
    expect(document.cells.filter(({ compressibility }) => compressibility === 2.6)).toMatchObject(
      Array.from({ length: 4 }, () => ({ verdict: 'only in A', reason: 'the plan of B does not contain it' })),
    );
    expect(renderComparison(document)).toContain('No regression.');
  });

  test('fails a compressibility that B planned and did not reach', () => {
    const reached = { ...other, samples: other.samples.filter(({ compressibility }) => compressibility !== 2.6) };
    const { verdict, failures } = compareRuns(a, { ...summarise(reached), validity: 'WARN' });
    expect(verdict).toBe('regression');
    expect(failures).toContain('write at 2.6:1 on none no longer has a value above 0');
  });

  describe('does not pass what is left of a run whose repeats fail', () => {
    const failing = ['r1-c1-write', 'r4-c1-write'];
    const idle = withSamples(other, (sample) =>
      sample.arm === 'lz4' && failing.includes(sample.step) && sample.metric === 'throughput'
        ? { ...sample, value: 0 }
        : sample,
    );
    test.each([
      ['failed', soundRun({ seed: 2, repeats: 5, failing }), 'write failed: no space left on device'],
      ['moved nothing', idle, 'nothing moved'],
    ])('where they %s', (_, record, why) => {
      const b = { ...summarise(record), validity: 'WARN' } as const;
      const reason = `2 of 5 repeats of B have no value above 0: ${why}`;
      const document = compareRuns(a, b);
      expect(document).toMatchObject({ verdict: 'inconclusive', pass: false, repeatsNeededReason: reason });
      expect(document.cautions).toContain(`write at 1:1 on lz4: ${reason}`);
      expect(document.cells.filter(({ verdict }) => verdict !== 'same')).toMatchObject([
        { operation: 'write', compressibility: 1, arm: 'lz4', verdict: 'inconclusive', negligible: false, reason },
      ]);
      expect(compareRuns(b, a)).toMatchObject({ verdict: 'no-regression' });
      expect(compareRuns(b, a).cautions).toContain(`write at 1:1 on lz4: ${reason.replace('B', 'A')}`);
    });
  });

  test('holds the shares of lost repeats against one another, not their numbers', () => {
    const lost = (repeats: number, failing: readonly number[]) => {
      const steps = failing.map((repeat) => `r${repeat}-c1-write`);
      return {
        ...summarise(soundRun({ seed: 2, repeats, compressibilities: [1], failing: steps })),
        validity: 'WARN',
      } as const;
    };
    const [three, two] = [lost(8, [1, 3, 6]), lost(5, [1, 4])];
    const ofWrites = (from: RunSummary, to: RunSummary) =>
      compareRuns(from, to).cells.find(({ arm, operation }) => arm === 'lz4' && operation === 'write');
    expect(ofWrites(two, three)).toMatchObject({ verdict: 'same', reason: null });
    expect(ofWrites(three, two)).toMatchObject({
      ...{ verdict: 'inconclusive', negligible: false, repeatsNeeded: null },
      reason: '2 of 5 repeats of B have no value above 0: write failed: no space left on device',
    });
  });

  test('does not say of rates of zero that there are none', () => {
    const document = compareRuns(a, summarise(scaled(other, 0)));
    expect(document.failures).toContain('write at 1:1 on lz4 no longer has a value above 0');
    expect(document.cells.find(({ verdict }) => verdict === 'missing')?.reason).toBe('B has values of 0 alone');
  });

  test('says to within which difference scale models are alike', () => {
    const caution = 'scale models are alike to within 5 %: a smaller difference may be that of the models';
    const model = () => summarise(modelledRun(BASELINE_MBPS * 20));
    expect(compareRuns(model(), model()).cautions).toContain(caution);
    // One side on a model, the other on AWS.
    expect(compareRuns(model(), a).cautions).toContain(caution);
    expect(compareRuns(a, model()).cautions).toContain(caution);
    expect(compareRuns(a, a).cautions).not.toContain(caution);
  });

  test('prints the tolerance that it took', () => {
    const text = (tolerance: number) => renderComparison(compareRuns(a, a, { tolerance }));
    expect(text(0.05)).toContain('Tolerance 5.0 %.');
    expect(text(0.0125)).toContain('Tolerance 1.25 %.');
    expect(text(0.0004)).toContain('a slowdown of more than 0.04 % is neither shown nor ruled out');
  });

  test('counts the cells without a meaningful difference, of all', () => {
    const document = compareRuns(a, a, { tolerance: 0.3 });
    const cells = [true, false, null, true].map((negligible) => ({ ...document.cells[0], negligible }));
    const text = (some: typeof cells) => renderComparison({ ...document, cells: some as typeof document.cells });
    expect(text(cells)).toContain('\n2 cells of 4: no meaningful difference, by the tolerance.\n');
    expect(text(cells.slice(0, 2))).toContain('\n1 cell of 2: no meaningful difference');
    expect(text(cells.slice(1, 3))).not.toContain('no meaningful difference');
  });

  test('says what would settle it, and what a tolerance may be', () => {
    const text = (change: object) => renderComparison({ ...compareRuns(a, a, { tolerance: 0.0004 }), ...change });
    expect(text({ repeatsNeeded: 60 })).toContain(
      'If they vary as much, 60 repeats of each run would settle it four times in five: --set repeats=60.',
    );
    expect(text({ repeatsNeeded: 61 })).toContain('it would take 61 repeats of each run. Give a larger --tolerance');
    expect(text({ repeatsNeeded: null, repeatsNeededReason: 'too few' })).toContain(
      'How many repeats would settle it is unknown: too few.',
    );
    expect(text({ suggestedTolerance: null, suggestionReason: 'no pair' })).toContain(
      'No tolerance can be suggested: no pair.',
    );
    expect(text({ suggestedTolerance: 0.0312, pass: true, failures: ['f'], cautions: ['c'] })).toMatch(
      /\ncaution: c\n[\s\S]*Tolerance 0\.04 %\. At the variance of these runs, a tolerance below 3\.12 % would[\s\S]*\nFAIL: f\n[\s\S]*\nNo regression\.\n$/,
    );
  });

  test('decides a regression by the ratio alone where a side has one repeat, and gives no interval', () => {
    const one = (factor: number) => summarise(scaled(soundRun({ repeats: 1 }), factor));
    const document = compareRuns(one(1), one(0.8));
    expect(document.cells.every(({ interval, reason }) => interval === null && reason !== null)).toBe(true);
    expect(document.pass).toBe(false);
    expect(document).toMatchObject({ suggestedTolerance: null, suggestionReason: expect.stringContaining('repeats') });
  });

  test('cautions where conditions differ', () => {
    const b = summarise(soundRun({ seed: 2, repeats: 5, lab: true }));
    const cells = b.cells.map((cell) => ({ ...cell, tools: ['other 1.0'] }));
    const text = compareRuns(a, { ...b, cells, scale: 'lab' }).cautions.join('\n');
    expect(text).toMatch(/^the scale differs: published in A, lab in B\n[\s\S]*one is a lab run, the other is not$/m);
    expect(text.match(/^the tool differs in .* and 1 more: .* in A, other 1.0 in B$/gm)).toHaveLength(2);
  });

  test.each([-0.1, 1, Number.NaN])('refuses a tolerance of %d', (tolerance) => {
    expect(() => compareRuns(a, a, { tolerance })).toThrow(`'tolerance' must be from 0 to below 1, got ${tolerance}`);
  });

  test('refuses runs that have nothing in common', () => {
    const cells = a.cells.map((cell) => ({ ...cell, arm: `other-${cell.arm}` }));
    expect(() => compareRuns(a, { ...a, run: 'other', cells })).toThrow(
      'have no arm, operation and compressibility in common',
    );
  });
});

describe('the interval of a ratio', () => {
  test('agrees with a worked example of Welch’s test', () => {
    // Logarithms 1, 2, 3 and 2, 4, 6: means 2 and 4, variances of the means 1/3 and 4/3, 2.94 degrees of freedom, t = 3.2181.
    const exp = (values: number[]) => values.map(Math.exp);
    const found = ratioInterval(exp([1, 2, 3]), exp([2, 4, 6]));
    expect(Math.log(found?.high ?? 0) - 2).toBeCloseTo(3.218 * Math.sqrt(5 / 3), 1);
    expect(Math.log(found?.low ?? 0)).toBeCloseTo(4 - Math.log(found?.high ?? 0), 9);
  });

  test('covers the truth as often as it says, also where the sides vary differently', () => {
    let [state, covered] = [1, 0];
    const uniform = (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform());
    const draw = (count: number, centre: number, spread: number) =>
      Array.from({ length: count }, () => centre * Math.exp(spread * normal()));
    const runs = 2000;
    for (let run = 0; run < runs; run += 1) {
      const interval = ratioInterval(draw(4, 100, 0.02), draw(7, 130, 0.08));
      if (interval !== null && interval.low <= 1.3 && interval.high >= 1.3) covered += 1;
    }
    expect(covered / runs).toBeGreaterThan(0.935);
    expect(covered / runs).toBeLessThan(0.97);
  });

  test('is none for one value', () => expect(ratioInterval([1], [1, 2])).toBeNull());
});

test('two file systems are compared by their only arms, and the names, configurations and numbers of clients that differ are told', () => {
  const side = (name: string, description: string, clients: number): Side => ({
    run: name,
    benchmark: 'MountBench',
    plan: 'mount',
    scale: 'lab',
    lab: false,
    validity: 'VALID',
    arms: [{ name, description }],
    analysis: { checks: [] },
    cells: [
      {
        arm: name,
        compressibility: 1,
        operation: 'write',
        metric: 'throughput',
        unit: 'MB/s',
        tools: ['fio 3.33'],
        samples: [1, clients, 2].map((own, at) => ({ repeat: at + 1, value: 1001 + at, reason: null, clients: own })),
      },
    ],
  });
  const { cells, verdict, cautions, b } = compareRuns(side('fsx', '12 TiB', 16), side('scratch', '24 TiB', 8));
  expect(cells.map(({ arm, verdict: own }) => [arm, own])).toEqual([['fsx', 'same']]);
  expect(verdict).toBe('no-regression');
  expect(b.arms).toEqual([{ name: 'scratch', description: '24 TiB' }]);
  expect(cautions).toEqual([
    'the number of clients differs: 16 in A, 8 in B',
    'the configuration of fsx differs: 12 TiB in A, 24 TiB in B',
  ]);
});

const base: RunSummary = summarise(soundRun({ compressibilities: [1] }));

/** A run of one cell: times of a user's program, for which less is better, or rates. */
function repeats(better: 'lower' | 'higher', values: readonly number[]): Side {
  const [operation, metric, unit] =
    better === 'lower' ? (['run', 'seconds', 's'] as const) : (['write', 'throughput', 'MB/s'] as const);
  return {
    ...base,
    cells: base.cells
      .slice(0, 1)
      .map((cell) => ({
        ...cell,
        operation,
        kind: { id: operation },
        metric,
        unit,
        samples: values.map((value, index) => ({ repeat: index + 1, iteration: null, value, reason: null, raw: null })),
      })),
  };
}

/** Values around a middle, as many to either side, whose logarithms vary by a share. */
const around = (middle: number, share: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => middle * Math.exp((index % 2 === 0 ? 1 : -1) * share));

describe.each(['lower', 'higher'] as const)('where %s is better', (better) => {
  test('the repeats that are proposed for an inconclusive cell decide it, and a fifth of them do not', () => {
    const compared = (count: number) =>
      compareRuns(repeats(better, around(100, 0.08, count)), repeats(better, around(100, 0.08, count)), {
        tolerance: 0.1,
      });
    const { verdict, repeatsNeeded } = compared(3);
    expect(verdict).toBe('inconclusive');
    expect(compared(repeatsNeeded ?? 0).verdict).toBe('no-regression');
    expect(compared(Math.floor((repeatsNeeded ?? 0) / 5)).verdict).toBe('inconclusive');
  });

  test('the tolerance that is proposed reaches as far as the interval does on the worse side', () => {
    const document = compareRuns(repeats(better, around(100, 0.2, 3)), repeats(better, around(100, 0.2, 3)));
    const [{ ratio, interval } = {}] = document.cells;
    if (!ratio || !interval) throw new Error('no interval');
    const half = better === 'lower' ? interval.high / ratio - 1 : 1 - interval.low / ratio;
    expect(document.suggestedTolerance).toBeCloseTo(Math.min(0.99, Math.ceil(half * 200) / 200), 9);
  });
});

test('of twenty cells that are the same, all intervals hold together in 95 of 100 runs, and one alone does not widen', () => {
  const noise = synthetic(7);
  const some = (): number[] => Array.from({ length: 5 }, () => Math.exp(0.1 * noise.normal()));
  const runs = Array.from({ length: 300 }, () => Array.from({ length: 20 }, () => [some(), some()] as const));
  const holds = (comparisons: number): number =>
    runs.filter((cells) =>
      cells.every(([a, b]) => {
        const { low, high } = ratioInterval(a, b, { comparisons }) ?? { low: 1, high: 1 };
        return low <= 1 && high >= 1;
      }),
    ).length / runs.length;
  expect(holds(20)).toBeGreaterThan(0.93);
  expect(holds(1)).toBeLessThan(0.6);
});

describe('arms that take turns, one of which was measured again', () => {
  /** A second attempt of lz4's own step replaces the first. */
  function again(record: RunRecord, together: boolean): RunRecord {
    return withSamples(record, (sample) => {
      if (sample.phase !== 'measure') return sample;
      const step = together ? sample.step : `${sample.step}-${sample.arm}`;
      return { ...sample, step, attempt: sample.arm === 'lz4' ? 2 : 1 };
    });
  }
  const pairsOf = (together: boolean) =>
    summarise(again(soundRun({ compressibilities: [1] }), together)).comparisons.flatMap(({ pairs }) => pairs);

  test('keep their pairs: they never ran at the same time', () => {
    expect(pairsOf(false).every(({ ratio }) => ratio !== null)).toBe(true);
  });

  test('lose them where both run in one step, at the same time', () => {
    expect(pairsOf(true).every(({ reason }) => /did not run at the same time$/.test(reason ?? ''))).toBe(true);
  });
});

test.each(['none', 'lz4'])(
  'an operation that %s alone lacks is compared all the same, with the reason and no ratio',
  (arm) => {
    const record = soundRun({ compressibilities: [1, 2.6] });
    const samples = record.samples.filter(
      (sample) => !(sample.arm === arm && sample.operation === 'write' && sample.compressibility === 2.6),
    );
    const ofWrites = summarise({ ...record, samples }).comparisons.filter(({ operation }) => operation === 'write');
    expect(ofWrites.map(({ compressibility, interval }) => [compressibility, interval !== null])).toEqual([
      [1, true],
      [2.6, false],
    ]);
    expect(new Set(ofWrites[1]?.pairs.map(({ ratio, reason }) => `${ratio} ${reason}`))).toEqual(
      new Set([`null ${arm}: no sample`]),
    );
  },
);

test('a baseline that names no kinds of operations is compared by their names', () => {
  const saved = repeats('lower', [1, 1.01, 0.99]);
  const older = { ...saved, cells: saved.cells.map(({ kind: _, ...cell }) => cell) };
  expect(compareRuns(older, repeats('lower', [2, 2.02, 1.98])).cells).toMatchObject([
    { better: 'lower', verdict: 'regression' },
  ]);
});
