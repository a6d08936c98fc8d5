import { keyOf } from '../common/collections';
import { type Issue, type Validity, validityOf } from '../schema/issue';
import { type Plan, precisionIn, type WorkloadAction } from '../schema/plan';
import { timesOf } from '../store/readRun';
import type { RunRecord } from '../store/record';
import { operationOrNone, workloadOrNone } from '../workload/lookup';
import { type Analysis, analyse } from '.';
import { type ConvergedWork, convergedIn } from './converged';
import { type BytesMoved, bytesMoved } from './figures/bytesMoved';
import { type CellKey, operationLabel } from './figures/operationKind';
import { type Run, runOf } from './run';
import { type Subject, subjectOf } from './subject';

/** Lists the work that a plan measures, each once, by the same keys as the cells of its figures. */
function plannedIn({ steps }: Pick<Plan, 'steps'>): CellKey[] {
  const planned = steps.flatMap(({ phase, tasks, compressibility, fileBytes, threads, plannedNodes: nodes }) =>
    tasks.flatMap(({ arm, action }): CellKey[] =>
      phase !== 'measure' || action.kind !== 'workload'
        ? []
        : operationIds(action as WorkloadAction).map((id) => ({
            arm,
            operation: operationLabel({
              id,
              ...(fileBytes && { fileBytes }),
              ...(threads && { threads }),
              ...(nodes && { nodes }),
            }),
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

/** All that the report says about a run, derived from its record and from nothing else. */
export interface RunSummary
  extends Pick<
    Subject,
    | 'run'
    | 'benchmark'
    | 'lab'
    | 'place'
    | 'sessions'
    | 'arms'
    | 'compressibilities'
    | 'cells'
    | 'comparisons'
    | 'space'
    | 'metadata'
    | 'steps'
    | 'cost'
  > {
  /** The run that everything here is derived from. */
  readonly record: Run;
  readonly plan: string | null;
  readonly scale: string | null;
  /** The plan's parameters after defaults; `null` without a plan. */
  readonly parameters: Plan['parameters'] | null;
  /** Work that the plan measures, done or not; `null` without a plan. */
  readonly planned: readonly CellKey[] | null;
  readonly region: string | null;
  readonly notices: readonly string[];
  readonly state: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Seconds that drivers worked on it, in all sessions, without the time between them. */
  readonly seconds: number | null;
  /** Between sessions; 0 for a run of one. */
  readonly interruptedSeconds: number | null;
  readonly validity: Validity;
  readonly issues: readonly Issue[];
  readonly moved: readonly BytesMoved[];
  /** Work that got fewer repeats than planned, since it was settled. @default - the plan's repeats are fixed */
  readonly converged?: readonly ConvergedWork[];
  /** Validity, bottlenecks, claims and cost. */
  readonly analysis: Analysis;
  /** Other runs that a report was asked for together with this one. @default - none */
  readonly beside?: readonly RunSummary[];
}

/** Derives the summary. Pure: the same record gives the same summary. */
export function summarise(record: RunRecord): RunSummary {
  const run = runOf(record);
  const subject = subjectOf(run);
  const analysis = analyse(subject);
  const { issues } = analysis;
  const { plan, manifest, status, sessions, arms, counted } = run;
  const { compressibilities, cells, comparisons, space, metadata, steps, cost } = subject;
  const { worked: seconds, between: interruptedSeconds } = timesOf(sessions);
  return {
    record: run,
    run: run.run,
    benchmark: run.benchmark,
    plan: plan?.plan ?? null,
    scale: plan?.scale ?? null,
    parameters: plan?.parameters ?? null,
    planned: plan === null ? null : plannedIn(plan),
    lab: run.lab,
    place: run.place,
    region: manifest?.region ?? null,
    notices: manifest?.notices ?? [],
    state: status?.state ?? null,
    startedAt: sessions[0]?.startedAt ?? null,
    endedAt: sessions.at(-1)?.endedAt ?? null,
    seconds,
    sessions,
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
