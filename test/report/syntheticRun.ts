import type { RunStatus } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { MIB, START, syntheticFacts, syntheticManifest, syntheticMetrics, syntheticPlan } from './syntheticParts';

/**
 * Runs with a known truth, the same for the same seed. `none` writes 3,500 MB/s on any data; `lz4` writes min(ratio, 3.4) × 0.97 times
 * that, so each test can say what the report has to find.
 */
export interface SyntheticOptions {
  readonly seed?: number;
  readonly lab?: boolean;
  readonly repeats?: number;
  readonly compressibilities?: readonly number[];
  /** Stop after so many steps, as a killed driver does. */
  readonly stopAfter?: number;
  /** Fail the named steps on `lz4`. */
  readonly failing?: readonly string[];
  /** Fail these steps in a first attempt and do them again. */
  readonly retried?: readonly string[];
  readonly armNames?: readonly [string, string];
  readonly withMetrics?: boolean;
  readonly hostile?: string;
  /** Spread of rates, from the lowest to the highest. @default 0.06 */
  readonly variation?: number;
}

export const BASELINE_MBPS = 3500;

/** Ratio that LZ4 reaches for a compressibility in these runs: a little less than asked for. */
export const achieved = (compressibility: number): number => (compressibility === 1 ? 1 : compressibility * 0.96);
/** Speed of `lz4` as a multiple, before noise. */
export const speedup = (compressibility: number): number => Math.min(achieved(compressibility), 3.4) * 0.97;

/** mulberry32: small, seeded, good enough for noise. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function syntheticRun(options: SyntheticOptions = {}): RunRecord {
  const {
    seed = 1,
    lab = false,
    repeats = 3,
    compressibilities = [1, 1.65, 2.6, 3.5],
    stopAfter = Number.POSITIVE_INFINITY,
    failing = [],
    retried = [],
    armNames = ['none', 'lz4'],
    withMetrics = true,
    hostile = '',
    variation = 0.06,
  } = options;
  const noise = random(seed);
  const run = `20261121T090000Z-${lab ? 'lab' : 'aws'}${hostile}`;
  const plan = syntheticPlan(armNames, compressibilities, repeats, lab, hostile);
  const samples: Sample[] = [];
  let clock = START;
  const iso = (at: number): string => new Date(at).toISOString();

  plan.steps.slice(0, stopAfter).forEach((step) => {
    const seconds = step.phase === 'measure' || step.phase === 'warm-up' ? step.expectedSeconds : 2;
    const attempts = retried.includes(step.id) ? 2 : 1;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      step.tasks.forEach((task, index) => {
        const fails = (failing.includes(step.id) && index === 1) || attempt < attempts;
        const base = {
          schema: 'fsxbench.sample/1',
          run,
          arm: task.arm,
          step: step.id,
          phase: step.phase,
          repeat: step.repeat,
          attempt,
          compressibility: step.compressibility,
          iteration: null,
          group: task.group,
          clients: lab ? 1 : 4,
          startedAt: iso(clock),
          endedAt: iso(clock + seconds * 1000),
          problems: fails ? ['no_space'] : [],
          cautions: [],
          ...(fails ? { reason: `write failed: no space left on device${hostile}` } : {}),
        } as const;
        const { action } = task;
        if (action.kind === 'workload') {
          const factor = index === 0 ? 1 : speedup(step.compressibility ?? 1);
          const rate =
            BASELINE_MBPS * factor * (action.operation === 'read' ? 1.1 : 1) * (1 + variation * (noise() - 0.5));
          const shared = {
            ...base,
            operation: action.operation,
            source: 'client',
            tool: action.tool,
            toolVersion: action.tool === 'ior' ? '3.3.0' : '3.33',
            pattern: action.pattern,
            ranks: 144,
            plannedRanks: 144,
            nodes: null,
            raw: `raw/${task.arm}/${step.phase}/${step.repeat}-${step.id}`,
          } as const;
          samples.push({ ...shared, metric: 'throughput', value: fails ? null : (rate * 1e6) / MIB, unit: 'MiB/s' });
          samples.push({
            ...shared,
            metric: 'bytes',
            value: fails ? null : Math.round(rate * 1e6 * seconds),
            unit: 'B',
          });
        } else if (action.kind === 'measure-ratio') {
          const apparent = 400 * 2 ** 30;
          const ratio = index === 0 ? 1 : achieved(step.compressibility ?? 1);
          const shared = {
            ...base,
            operation: 'space',
            source: lab ? 'compsize' : 'du',
            tool: null,
            toolVersion: null,
            pattern: null,
            ranks: null,
            plannedRanks: null,
            nodes: null,
            raw: null,
          } as const;
          const allocated = Math.round(apparent / ratio);
          samples.push({ ...shared, metric: 'apparent_bytes', value: fails ? null : apparent, unit: 'B' });
          samples.push({ ...shared, metric: 'allocated_bytes', value: fails ? null : allocated, unit: 'B' });
          samples.push({
            ...shared,
            metric: 'compression_ratio',
            value: fails ? null : apparent / allocated,
            unit: '1',
          });
        }
      });
      clock += seconds * 1000;
    }
  });

  const stopped = plan.steps.length > stopAfter;
  const status: RunStatus = {
    schema: 'fsxbench.status/1',
    run,
    benchmark: plan.benchmark,
    state: stopped ? 'interrupted' : failing.length > 0 ? 'failed' : 'done',
    step: stopped ? (plan.steps[stopAfter]?.id ?? null) : null,
    phase: null,
    stepsDone: Math.min(plan.steps.length, stopAfter),
    stepsTotal: plan.steps.length,
    failedSteps: failing,
    startedAt: iso(START),
    updatedAt: iso(clock),
    endedAt: stopped ? null : iso(clock),
    sessions: [{ startedAt: iso(START), endedAt: stopped ? null : iso(clock) }],
    etaSeconds: null,
    message: stopped ? 'the driver was ended by SIGTERM' : 'done',
    driver: { host: 'leader', pid: 4242 },
  };
  return {
    run,
    plan,
    manifest: syntheticManifest(run, plan, lab, hostile),
    status,
    samples,
    metrics: withMetrics ? syntheticMetrics(run, samples, armNames, clock, noise) : [],
    environment: [{ node: `i-0leader${hostile}`, facts: syntheticFacts(hostile) }],
    raw: [...new Set(samples.flatMap(({ raw }) => raw ?? []))].flatMap((stem) =>
      ['cmd', 'json', 'out'].map((ending) => ({ path: `${stem}.${ending}`, bytes: 2048 })),
    ),
    problems: [],
  };
}
