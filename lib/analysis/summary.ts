import { keyOf } from '../common/collections';
import { validityOf } from '../schema/issue';
import { type Plan, precisionIn, type WorkloadAction } from '../schema/plan';
import { timesOf } from '../store/readRun';
import type { RunRecord } from '../store/record';
import { operationOrNone, workloadOrNone } from '../workload/lookup';
import { verdicts } from './claims';
import { convergedIn } from './converged';
import { armCosts } from './figures/cost';
import { type CellKey, operationLabel } from './figures/operationKind';
import { findIssues } from './issues/issues';
import { compressionScaling } from './limits/known';
import { operationLimits } from './limits/limitedBy';
import { predictedAgainstMeasured } from './limits/predicted';
import { programLimits } from './limits/program';
import { runOf } from './run';
import { type Subject, subjectOf } from './subject';
import { bytesMoved } from './task';
import { checkRun } from './validity';

/** Lists the work that a plan measures, each once, by the same keys as the cells of its figures. */
function plannedIn({ steps }: Pick<Plan, 'steps'>): CellKey[] {
  const planned = steps.flatMap(({ phase, tasks, compressibility, fileBytes, threads, plannedNodes: nodes }) =>
    tasks.flatMap(({ arm, action }): CellKey[] =>
      phase !== 'measure' || action.kind !== 'workload'
        ? []
        : operationIds(action as WorkloadAction).map((id) => ({
            arm,
            operation: operationLabel({ id, fileBytes, threads, nodes }),
            compressibility,
          })),
    ),
  );
  return [...new Map(planned.map((key) => [keyOf(key.arm, key.operation, key.compressibility), key])).values()];
}

function operationIds(action: WorkloadAction): string[] {
  if (action.operation !== 'all') return [operationOrNone(action)?.id ?? []].flat();
  const { operations } = workloadOrNone(action.tool) ?? { operations: [] };
  const { items = 'files' } = action;
  return operations.filter(({ on }) => on === items || items === 'both').map(({ id }) => id);
}

/** All that the report says about a run. */
export interface RunSummary extends ReturnType<typeof summarise> {
  /** Other runs that a report was asked for together with this one. @default - none */
  readonly beside?: readonly RunSummary[];
}

/** Derives the summary from the record of a run and from nothing else. Pure: the same record gives the same summary. */
export function summarise(record: RunRecord) {
  const run = runOf(record);
  const subject = subjectOf(run);
  const analysis = analyse(subject);
  const { issues } = analysis;
  const { plan, manifest, status, sessions, arms, counted } = run;
  const { compressibilities, cells, comparisons, space, metadata, steps, cost } = subject;
  const { worked: seconds, between: interruptedSeconds } = timesOf(sessions);
  return {
    /** The run that everything here is derived from. */
    record: run,
    run: run.run,
    benchmark: run.benchmark,
    plan: plan?.plan ?? null,
    scale: plan?.scale ?? null,
    /** After defaults; `null` without a plan. */
    parameters: plan?.parameters ?? null,
    /** Work that the plan measures, done or not; `null` without a plan. */
    planned: plan === null ? null : plannedIn(plan),
    lab: run.lab,
    place: run.place,
    region: manifest?.region ?? null,
    notices: manifest?.notices ?? [],
    state: status?.state ?? null,
    startedAt: sessions[0]?.startedAt ?? null,
    endedAt: sessions.at(-1)?.endedAt ?? null,
    /** Seconds that drivers worked on it, in all sessions. */
    seconds,
    sessions,
    /** Seconds between the sessions; 0 for a run of one. */
    interruptedSeconds,
    validity: validityOf(issues),
    issues,
    arms,
    compressibilities,
    cells,
    comparisons,
    space,
    moved: bytesMoved(run),
    metadata,
    steps,
    // Work that got fewer repeats than planned, since it was settled.
    ...(precisionIn(plan) === null ? {} : { converged: convergedIn(counted) }),
    cost,
    analysis,
  };
}

/** Seconds from one moment to another; `null` if either is not a date or time would run backwards. */
export function secondsBetween(from: string | null, to: string | null): number | null {
  const seconds = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** The meaning of a run: its validity, its bottlenecks, whether the published figures reproduce, and its cost. */
export function analyse(subject: Subject) {
  const { limits, levels, stragglers, comparisons, place } = subject;
  const checks = checkRun(subject);
  const issues = findIssues(subject, checks);
  const operations = operationLimits(subject);
  const predicted = predictedAgainstMeasured(subject);
  return {
    checks,
    issues,
    levels,
    stragglers,
    limits,
    // Only of a plan that varies the nodes.
    ...(operations.length === 0 ? {} : { operations }),
    programs: programLimits(subject),
    predicted,
    ...(place === 'model' && { scalingModel: compressionScaling(limits, predicted, comparisons) }),
    verdicts: verdicts(subject, validityOf(issues)),
    costs: armCosts(subject),
  };
}
