import { smallestDifferenceIn } from '../schema/plan';
import { systematicErrorOf } from '../store/place';
import { timesOf } from '../store/sessions';
import { type Comparison, compareArms } from './compare/comparisons';
import { type Cell, cellsOf } from './figures/cells';
import { costOf, type RunCost } from './figures/cost';
import { type SpaceCell, spaceCells } from './figures/space';
import { type StepSummary, summariseSteps } from './figures/steps';
import { type Level, levelsOf } from './limits/levels';
import { type LimitResult, limitResults } from './limits/limitedBy';
import { metadataResults } from './metadata';
import type { MetadataResults } from './metadata/results';
import type { Run } from './run';
import { confidenceIn } from './settled';
import { type Stragglers, stragglersOf } from './stragglers';
import { type MeasuredTask, tasksOf } from './task';

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
