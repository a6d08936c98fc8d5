import { levelsOf } from '../../lib/analysis/limits/levels';
import { runOf } from '../../lib/analysis/run';
import type { Subject } from '../../lib/analysis/subject';
import { summarise } from '../../lib/analysis/summary';
import type { MeasuredTask } from '../../lib/analysis/task';
import { burstCredits, throughputDrift } from '../../lib/analysis/validity/repeats';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { synthetic } from '../common/statistics/synthetic';
import { achieved, speedup, syntheticRun } from '../report/syntheticRun';
import { isMeasured, states, withLoad } from './faultyRuns';
import { soundRun, withSamples } from './runs';

/** Shape of a run: repeats of each compressibility on two arms, written and read, or the minutes of one phase. */
interface Shape {
  readonly repeats: number;
  readonly compressibilities: number;
  readonly minutes?: number;
  /** Standard deviation of the logarithm of a rate. */
  readonly noise: number;
  /** Lag-1 autocorrelation from minute to minute. */
  readonly memory?: number;
  /** Runs with one level, and runs of each fall. */
  readonly sound: number;
  readonly fallen: number;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'the default plan': { repeats: 5, compressibilities: 4, noise: 0.02, sound: 500, fallen: 40 },
  'a noisy default plan': { repeats: 5, compressibilities: 4, noise: 0.08, sound: 200, fallen: 40 },
  'three repeats of one compressibility': { repeats: 3, compressibilities: 1, noise: 0.03, sound: 100, fallen: 40 },
  'six repeats of two compressibilities': { repeats: 6, compressibilities: 2, noise: 0.03, sound: 100, fallen: 40 },
  'an hour of minutes': { repeats: 1, compressibilities: 1, minutes: 60, noise: 0.03, sound: 25, fallen: 5 },
  'minutes that are like the one before': {
    repeats: 1,
    compressibilities: 1,
    minutes: 60,
    noise: 0.03,
    memory: 0.5,
    sound: 25,
    fallen: 5,
  },
  // Each phase is long enough for a separate level, which may last while the next phase is slower.
  'ten repeats of half an hour': { repeats: 10, compressibilities: 1, minutes: 30, noise: 0.02, sound: 25, fallen: 5 },
  'three repeats of half an hour': { repeats: 3, compressibilities: 1, minutes: 30, noise: 0.02, sound: 25, fallen: 5 },
};

const run = runOf({ ...soundRun({ lab: true }), metrics: [] });
const ARMS = ['none', 'lz4'];

/** Answers of the two rules to a run whose rates are multiplied by `truth` at each share of its time. */
function answers(shape: Shape, truth: (share: number) => number, seed: number) {
  const { normal: draw } = synthetic(seed);
  const { repeats, compressibilities, minutes, noise, memory = 0 } = shape;
  const tasks: MeasuredTask[] = [];
  const counted: Sample[] = [];
  for (const arm of ARMS)
    for (const operation of ['write', 'read']) {
      let slow = draw();
      const rateAt = (share: number): number => {
        slow = memory * slow + Math.sqrt(1 - memory ** 2) * draw();
        return 3000 * truth(share) * Math.exp(noise * slow);
      };
      for (let at = 0; at < repeats * compressibilities; at += 1) {
        const step = `r${Math.floor(at / compressibilities) + 1}-t${at % compressibilities}-${operation}`;
        const from = at * 300_000;
        const common = {
          arm,
          operation,
          step,
          phase: 'measure' as const,
          compressibility: 1 + (at % compressibilities),
        };
        const rateMBps = rateAt((at + 0.5) / (repeats * compressibilities)) * (1 + (at % compressibilities));
        tasks.push({ ...common, name: operation, from, to: from + 300_000, rateMBps } as MeasuredTask);
        for (let iteration = 0; iteration < (minutes ?? 0); iteration += 1) {
          const value = rateAt((at + (iteration + 0.5) / (minutes ?? 1)) / (repeats * compressibilities));
          counted.push({ ...common, iteration, metric: 'throughput', value, unit: 'MB/s' } as Sample);
          counted.push({ ...common, iteration, metric: 'total_time', value: 60, unit: 's' } as Sample);
        }
      }
    }
  const levels = levelsOf(run.arms, tasks, counted);
  const subject = { ...run, levels, measured: [], limits: [] } as unknown as Subject;
  return [burstCredits.check(subject), throughputDrift.check(subject)];
}

const step =
  (to: number, when: number) =>
  (share: number): number =>
    share < when ? 1 : to;
const TRUTHS = {
  'a fall to 80 % halfway': step(0.8, 0.5),
  'a fall to 50 % halfway': step(0.5, 0.5),
  'a fall to 50 % after three quarters': step(0.5, 0.75),
  'a fall to 50 %, a little with each value': (share: number): number => 1 - 0.5 * share,
};

type Outcome = 'found' | 'passed' | 'inconclusive';

/** Simulated runs by what the rules say of them. */
function outcomes(shape: Shape, truth: (share: number) => number, runs: number): Record<Outcome, number> {
  const counts = { found: 0, passed: 0, inconclusive: 0 };
  for (let seed = 1; seed <= runs; seed += 1) {
    const both = answers(shape, truth, seed * 7919);
    const found = both.some((one) => one.state === 'judged' && one.findings.length > 0);
    const passed = both.some((one) => one.state === 'judged' && one.findings.length === 0);
    counts[found ? 'found' : passed ? 'passed' : 'inconclusive'] += 1;
  }
  return counts;
}

describe.each(Object.entries(SHAPES))('throughput in %s', (name, shape) => {
  test.each(Object.entries(TRUTHS))('with %s is found out or cannot be told, and never passes', (_, truth) => {
    const counts = outcomes(shape, truth, shape.fallen);
    expect(counts.passed).toBe(0);
    if (name === 'the default plan') expect(counts.found).toBe(shape.fallen);
  });
});

test('of 1,000 runs that kept their level at most one in twenty is suspected, and half of the quiet default plans pass', () => {
  const counts = Object.entries(SHAPES).map(([name, shape]) => ({ name, ...outcomes(shape, () => 1, shape.sound) }));
  const sum = (of: Outcome): number => counts.reduce((total, one) => total + one[of], 0);
  expect(sum('found') + sum('passed') + sum('inconclusive')).toBe(1000);
  expect(sum('found')).toBeLessThanOrEqual(50);
  expect(counts[0]?.passed).toBeGreaterThan(200);
});

const half = (sample: Sample): boolean => isMeasured(sample) && sample.repeat > 2;
/** The tools' time next to each rate, and commands with the amount that they should move. */
function timed(run: RunRecord): RunRecord {
  const command = ['any', '-b', '8t', '-D', '300', '--size=8t', '--runtime=300'];
  const steps = (run.plan?.steps ?? []).map((one) => ({
    ...one,
    tasks: one.tasks.map((task) =>
      task.action.kind === 'workload' ? { ...task, action: { ...task.action, command } } : task,
    ),
  }));
  return {
    ...run,
    plan: run.plan && { ...run.plan, steps },
    samples: run.samples.flatMap((sample): Sample[] =>
      isMeasured(sample) && sample.metric === 'bytes'
        ? [sample, { ...sample, metric: 'total_time', value: 300, unit: 's' }]
        : [sample],
    ),
  };
}

/** Answers that a rule which never passes these runs must give to the sound one, and to each of them. */
const LOSSES: readonly (readonly [string, string, (sample: Sample) => Sample])[] = [
  ['half of the ranks that print nothing', 'missing-ranks', (sample) => ({ ...sample, ranks: null })],
  ['half of the ranks missing', 'missing-ranks', (sample) => ({ ...sample, ranks: 72 })],
  [
    'half of the bytes by the tool’s own count',
    'missing-bytes',
    (sample) => (sample.metric === 'bytes' && sample.value !== null ? { ...sample, value: sample.value / 2 } : sample),
  ],
  [
    'bytes and times that nobody printed',
    'missing-bytes',
    (sample) => (/^(bytes|total_time)$/.test(sample.metric) ? { ...sample, metric: 'latency' } : sample),
  ],
];

test.each(LOSSES)('%s in half of the repeats never pass %s', (_, rule, change) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const run = timed(soundRun({ seed }));
    const lost = withSamples(run, (sample) => (half(sample) ? change(sample) : sample));
    expect(['found', 'inconclusive']).toContain(states(lost)[rule]);
  }
});

test('three tenths of the bytes missing in one of four repeats are found by the tools’ own count', () => {
  const run = timed(soundRun());
  const lost = withSamples(run, (sample) =>
    isMeasured(sample) && sample.repeat === 2 && sample.metric === 'bytes' && sample.value !== null
      ? { ...sample, value: sample.value * 0.7 }
      : sample,
  );
  expect(states(lost)['missing-bytes']).toBe('found');
});

test.each([0.2, 0.5, 0.8, 1])(
  'reads of which memory answered %p never pass, whatever the arm compresses to',
  (cached) => {
    const run = withLoad({}, ({ operation, value, arm, compressibility }) => {
      const ratio = arm === 'lz4' ? achieved(compressibility ?? 1) : 1;
      const stored = (value ?? 0) / ratio;
      return operation === 'write' ? { read: 0, written: stored } : { read: stored * (1 - cached), written: 0 };
    });
    expect(states(run)['read-from-cache']).toBe('found');
    const unread = { ...run, samples: run.samples.filter(({ operation }) => operation !== 'space') };
    expect(['found', 'inconclusive']).toContain(states(withoutArms(unread))['read-from-cache']);
  },
);

test.each([
  [1, 'passed'],
  [2.6, 'inconclusive'],
])('reads from a directory of data made for %p:1, of which no space was read back: %s', (made, state) => {
  const run = withLoad({}, ({ operation, value }) =>
    operation === 'write' ? { read: 0, written: value ?? 0 } : { read: value ?? 0, written: 0 },
  );
  const samples = run.samples.filter(
    ({ operation, compressibility }) => operation !== 'space' && compressibility === made,
  );
  expect(states(withoutArms({ ...run, samples }))['read-from-cache']).toBe(state);
});

/** Nobody knows what the arms are. */
function withoutArms(run: RunRecord): RunRecord {
  const { manifest } = run;
  const arms = (manifest?.arms ?? []).map((arm) => ({ ...arm, describe: null }));
  const plan = run.plan && { ...run.plan, arms: run.plan.arms.map(({ name, description }) => ({ name, description })) };
  return { ...run, plan, manifest: manifest && { ...manifest, arms } };
}

test('a sound run passes both', () => {
  expect(states(timed(soundRun()))).toMatchObject({ 'missing-ranks': 'passed', 'missing-bytes': 'passed' });
});

describe('differences', () => {
  test('lie in the intervals of a run as often as these say', () => {
    let [held, all] = [0, 0];
    for (let seed = 1; seed <= 150; seed += 1) {
      const record = syntheticRun({ seed: seed * 7919, repeats: 5, compressibilities: [1, 2.6], withMetrics: false });
      for (const { compressibility, interval } of summarise(record).comparisons) {
        const truth = speedup(compressibility ?? 1);
        all += 1;
        if (interval !== null && interval.low <= truth && truth <= interval.high) held += 1;
      }
    }
    expect(all).toBe(600);
    expect(held / all).toBeGreaterThanOrEqual(0.95 - 3 * Math.sqrt((0.05 * 0.95) / all));
  });

  test('of runs without any are seldom called real: one run in twenty, all of its comparisons together', () => {
    let called = 0;
    const runs = 200;
    for (let seed = 1; seed <= runs; seed += 1) {
      const record = syntheticRun({ seed: seed * 7919, repeats: 4, compressibilities: [1, 2.6], withMetrics: false });
      // Both arms the same: lz4 gets what none would have got, with its own noise.
      const level = (compressibility: number | null): number => (compressibility === 1 ? 0.97 : 2.6 * 0.96 * 0.97);
      const same = withSamples(record, (sample) =>
        sample.arm === 'lz4' && sample.unit === 'MiB/s' && sample.value !== null
          ? { ...sample, value: sample.value / level(sample.compressibility) }
          : sample,
      );
      if (summarise(same).comparisons.some(({ different }) => different)) called += 1;
    }
    expect(called / runs).toBeLessThan(0.09);
  });
});

// A client that is too busy to answer is the one that matters.
test.each([
  [4, 'passed'],
  [3, 'inconclusive'],
])('of four free clients %i answered: busy-client %s', (answered, state) => {
  const run = withSamples(withLoad({}), (sample) =>
    sample.load === undefined
      ? sample
      : { ...sample, load: Array.from({ length: answered }, () => sample.load?.[0] as never) },
  );
  expect(states(run)['busy-client']).toBe(state);
});
