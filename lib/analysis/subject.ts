import type { Sample } from '../schema/sample';
import { type Place, placeOf } from '../store/place';
import type { RunRecord } from '../store/record';
import { type AnalysedArm, type AnalysedClients, armsOf, clientsOf } from './arm';
import type { Comparison } from './compare/comparisons';
import type { Cell } from './figures/cells';
import type { SpaceCell } from './figures/space';
import { type Level, levelsOf } from './limits/burst';
import { type Stragglers, stragglersOf } from './stragglers';
import { type MeasuredTask, tasksOf } from './task';

/** A run as the validity rules and the other analyses read it. */
export interface Subject {
  readonly record: RunRecord;
  /** True where the arms are no file systems of FSx that the run knows: in the lab, and on directories that the user named. */
  readonly lab: boolean;
  readonly place: Place;
  readonly arms: readonly AnalysedArm[];
  readonly clients: AnalysedClients;
  readonly cells: readonly Cell[];
  readonly comparisons: readonly Comparison[];
  readonly space: readonly SpaceCell[];
  /** Every attempt of every phase. */
  readonly tasks: readonly MeasuredTask[];
  /** Tasks that count: without warm-up and superseded attempts. */
  readonly measured: readonly MeasuredTask[];
  /** Lasting changes of throughput that were found. */
  readonly levels: readonly Level[];
  /** Time between the first and the last process to finish. */
  readonly stragglers: readonly Stragglers[];
}

/** Results that the summary has already derived. */
export interface Derived {
  readonly counted: readonly Sample[];
  readonly cells: readonly Cell[];
  readonly comparisons: readonly Comparison[];
  readonly space: readonly SpaceCell[];
}

export function subjectOf(record: RunRecord, { counted, cells, comparisons, space }: Derived): Subject {
  const arms = armsOf(record);
  const tasks = tasksOf(record.samples, counted);
  const measured = tasks.filter(({ phase, superseded }) => phase === 'measure' && !superseded);
  const place = placeOf(record);
  return {
    record,
    lab: place !== 'aws',
    place,
    arms,
    clients: clientsOf(record),
    cells,
    comparisons,
    space,
    tasks,
    measured,
    levels: levelsOf(record, arms, measured, counted),
    stragglers: stragglersOf(record.plan, measured, counted),
  };
}
