import { counted } from '../../common/format/units';
import { type Plan, SETTLED, type Step, type Task } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import type { RunAtClients } from '../clients/launch';
import type { TaskResult } from '../task/outcome';
import { type Clocks, stopwatch } from './clock';
import { samplesOf } from './record';
import { type RunProgress, TASK_OPERATION } from './resume';

export interface ConvergedTask {
  readonly step: string;
  readonly arm: string;
}

/** Returns the tasks of later repeats that are settled, from the samples of a run and the number of its last repeat: see lib/analysis/converged.ts. */
export type ConvergedBy = (plan: Plan, samples: readonly Sample[], repeat: number) => readonly ConvergedTask[];

export interface InterimOptions extends Pick<RunAtClients, 'run' | 'plan' | 'clients' | 'folder'> {
  /** Tasks of later repeats that are not needed any more, asked after each repeat. @default - every task is needed */
  readonly converged?: ConvergedBy;
}

const NOTHING_DONE: TaskResult = { measured: [], failure: null, raw: null, plannedRanks: null, clients: 0 };

/** The tasks that a driver leaves out, since what they would measure is settled: an interim analysis after each repeat decides. */
export class InterimAnalyses {
  private readonly tasks = new Map<string, Set<string>>();
  /** The repeat before which the last analysis was made. */
  private analysedBefore = 0;

  constructor(
    private readonly options: InterimOptions,
    private readonly progress: RunProgress,
    private readonly clocks: Clocks,
  ) {}

  needed(step: Step, arms: ReadonlySet<string> | undefined): Task[] {
    return step.tasks.filter(({ arm }) => arms?.has(arm) && !this.tasks.get(step.id)?.has(arm));
  }

  /** Analyses the repeats so far, before another; samples record what is left out, for a resumed run, too. @returns that in words, or `null` */
  before({ repeat }: Step): string | null {
    if (repeat <= this.analysedBefore) return null;
    this.analysedBefore = repeat;
    const { plan, folder, run, converged } = this.options;
    const found = converged?.(plan, folder.samples(run), repeat - 1) ?? [];
    const open = found.filter(({ step, arm }) => !this.progress.succeeded(step, arm));
    if (open.length === 0) return null;
    const records = open.flatMap(({ step, arm }) => this.record(step, arm));
    folder.append(records);
    for (const sample of records) this.progress.note(sample);
    for (const { step, arm } of open) this.tasks.set(step, (this.tasks.get(step) ?? new Set()).add(arm));
    const arms = [...new Set(open.map(({ arm }) => arm))].join(', ');
    return `settled after ${repeat - 1} repeats: ${counted(open.length, 'task')} of later ones left out (${arms})`;
  }

  private record(id: string, arm: string): Sample[] {
    const { plan, run, clients } = this.options;
    const step = plan.steps.find((each) => each.id === id);
    const task = step?.tasks.find((each) => each.arm === arm);
    if (step === undefined || task === undefined) return [];
    const attempt = this.progress.nextAttempt(id, arm);
    const time = stopwatch(this.clocks);
    const samples = samplesOf({ run, clients, step, task, attempt, result: NOTHING_DONE, time, doubts: [SETTLED] });
    return samples.filter(({ operation }) => operation === TASK_OPERATION);
  }
}
