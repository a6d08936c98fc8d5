import { smallestDifferenceIn } from '../schema/plan';
import { systematicErrorOf } from '../store/platform';
import { timesOf } from '../store/readRun';
import { compareArms } from './compare/comparisons';
import { confidenceIn } from './converged';
import { cellsOf } from './figures/cells';
import { costOf } from './figures/cost';
import { spaceCells } from './figures/space';
import { levelsOf } from './limits/levels';
import { type LimitResult, limitResults } from './limits/limitedBy';
import { metadataResults } from './metadata';
import type { Run } from './run';
import { stragglersOf } from './stragglers';
import { tasksOf } from './task';

/** The plan's steps with their outcome; the steps of the samples if the plan cannot be read. */
function summariseSteps({ plan, status, counted }: Run) {
  const bySample = [...new Map(counted.map((sample) => [sample.step, sample])).values()].map(
    ({ step, phase, repeat, compressibility }) => ({ id: step, phase, repeat, compressibility, expectedSeconds: null }),
  );
  const steps = plan?.steps ?? bySample;
  const byStep = Map.groupBy(counted, ({ step }) => step);
  const lastSampled = steps.findLastIndex(({ id }) => byStep.has(id));
  return steps.map(({ id, phase, repeat, compressibility, expectedSeconds }, index) => {
    const samples = byStep.get(id) ?? [];
    const failed = samples.filter(({ value }) => value === null);
    const [starts, ends] = [samples.map(({ startedAt }) => startedAt), samples.map(({ endedAt }) => endedAt)];
    const listed = status?.failedSteps.includes(id) ?? false;
    const passed = index <= lastSampled || index < (status?.stepsDone ?? 0) || status?.state === 'done';
    const done = samples.length > 0 || passed ? ('done' as const) : ('not reached' as const);
    return {
      id,
      phase,
      repeat,
      compressibility,
      state: listed || failed.length > 0 ? ('failed' as const) : done,
      /** 0 where the step left no sample, as steps that only prepare do. */
      attempts: samples.reduce((max, { attempt }) => Math.max(max, attempt), 0),
      expectedSeconds,
      startedAt: starts.sort()[0] ?? null,
      endedAt: ends.sort().at(-1) ?? null,
      reasons: [...new Set(failed.map(({ arm, reason }) => `${arm}: ${reason ?? 'no reason was given'}`))],
    };
  });
}

/** A run with its figures, from which its limits follow. */
export type SubjectFigures = ReturnType<typeof figuresOf>;

export interface Subject extends SubjectFigures {
  readonly limits: readonly LimitResult[];
}

export function subjectOf(run: Run): Subject {
  const figures = figuresOf(run);
  return { ...figures, limits: limitResults(figures) };
}

function figuresOf(run: Run) {
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
