import { smallestDifferenceIn } from '../schema/plan';
import type { Sample } from '../schema/sample';
import { systematicErrorOf } from '../store/platform';
import { timesOf } from '../store/readRun';
import { type Comparison, compareArms } from './compare/comparisons';
import { confidenceIn } from './converged';
import { type Cell, cellsOf } from './figures/cells';
import { costOf, type RunCost } from './figures/cost';
import { type SpaceCell, spaceCells } from './figures/space';
import { type Level, levelsOf } from './limits/levels';
import { type LimitResult, limitResults } from './limits/limitedBy';
import { metadataResults } from './metadata';
import type { MetadataResults } from './metadata/results';
import type { Run } from './run';
import { type Stragglers, stragglersOf } from './stragglers';
import { type MeasuredTask, tasksOf } from './task';

/** Outcome of one step of the plan. */
interface StepSummary {
  readonly id: string;
  readonly phase: string;
  readonly repeat: number;
  readonly compressibility: number | null;
  readonly state: 'done' | 'failed' | 'not reached';
  /** 0 where the step left no sample, as steps that only prepare do. */
  readonly attempts: number;
  readonly expectedSeconds: number | null;
  /** Start of the first and end of the last of its samples. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Failure reasons, without duplicates. */
  readonly reasons: readonly string[];
}

/** The plan's steps with their outcome; the steps of the samples if the plan cannot be read. */
function summariseSteps({ plan, status, counted }: Run): StepSummary[] {
  const bySample = [...new Map(counted.map((sample) => [sample.step, sample])).values()].map(
    ({ step, phase, repeat, compressibility }) => ({ id: step, phase, repeat, compressibility, expectedSeconds: null }),
  );
  const steps = plan?.steps ?? bySample;
  const byStep = Map.groupBy(counted, ({ step }) => step);
  const lastSampled = steps.findLastIndex(({ id }) => byStep.has(id));
  return steps.map(({ id, phase, repeat, compressibility, expectedSeconds }, index): StepSummary => {
    const samples = byStep.get(id) ?? [];
    const failed = samples.filter(({ value }) => value === null);
    const listed = status?.failedSteps.includes(id) ?? false;
    const passed = index <= lastSampled || index < (status?.stepsDone ?? 0) || status?.state === 'done';
    return {
      id,
      phase,
      repeat,
      compressibility,
      state: listed || failed.length > 0 ? 'failed' : samples.length > 0 || passed ? 'done' : 'not reached',
      attempts: samples.reduce((max, { attempt }) => Math.max(max, attempt), 0),
      expectedSeconds,
      startedAt: extreme(samples, 'startedAt', -1),
      endedAt: extreme(samples, 'endedAt', 1),
      reasons: [...new Set(failed.map(({ arm, reason }) => `${arm}: ${reason ?? 'no reason was given'}`))],
    };
  });
}

/** Returns the first (-1) or last (1) of the samples' times; ISO 8601 in UTC sorts as text. */
const extreme = (samples: readonly Sample[], field: 'startedAt' | 'endedAt', sign: 1 | -1): string | null =>
  samples.reduce<string | null>((best, sample) => {
    const value = sample[field];
    return best === null || (sign === 1 ? value > best : value < best) ? value : best;
  }, null);

/** A run with its figures, from which its limits follow. */
export interface SubjectFigures extends Run {
  readonly compressibilities: readonly (number | null)[];
  readonly cells: readonly Cell[];
  readonly comparisons: readonly Comparison[];
  readonly space: readonly SpaceCell[];
  readonly steps: readonly StepSummary[];
  /** Operations on files; `null` for a run about data. */
  readonly metadata: MetadataResults | null;
  readonly cost: RunCost;
  /** Every attempt of every phase. */
  readonly tasks: readonly MeasuredTask[];
  /** Tasks that count: without warm-up and superseded attempts. */
  readonly measured: readonly MeasuredTask[];
  /** Lasting changes of throughput that were found. */
  readonly levels: readonly Level[];
  /** Time between the first and the last process to finish. */
  readonly stragglers: readonly Stragglers[];
}

/** A run with its figures and limits, before it is judged: what validity rules and claims read. */
export interface Subject extends SubjectFigures {
  /** Bottleneck of each arm for each operation on data and each target. */
  readonly limits: readonly LimitResult[];
}

export function subjectOf(run: Run): Subject {
  const figures = figuresOf(run);
  return { ...figures, limits: limitResults(figures) };
}

function figuresOf(run: Run): SubjectFigures {
  const { plan, samples, counted, sessions } = run;
  const arms = run.arms.map(({ name }) => name);
  const compressibilities = compressibilitiesOf(run);
  const cells = cellsOf(counted, arms, compressibilities);
  const tasks = tasksOf(samples, counted);
  const measured = tasks.filter(({ phase, superseded }) => phase === 'measure' && !superseded);
  return {
    ...run,
    compressibilities,
    cells,
    comparisons: compareArms(cells, counted, arms, compressibilities, {
      smallest: smallestDifferenceIn(plan),
      systematic: systematicErrorOf(run),
      confidence: confidenceIn(plan),
    }),
    space: spaceCells(run, compressibilities),
    steps: summariseSteps(run),
    metadata: metadataResults(run),
    cost: costOf(run, timesOf(sessions)),
    tasks,
    measured,
    levels: levelsOf(run.arms, measured, counted),
    stragglers: stragglersOf(plan, measured, counted),
  };
}

/** Targets of plan and samples, ascending; `null` (no target) comes last. */
function compressibilitiesOf({ plan, samples }: Run): (number | null)[] {
  const measured = (plan?.steps ?? []).filter(({ phase }) => phase === 'measure');
  const all = new Set(
    [...measured, ...samples.filter(({ phase }) => phase === 'measure')].map(({ compressibility }) => compressibility),
  );
  return [...all].sort((a, b) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY));
}
