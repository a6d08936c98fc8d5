import type { NodeEnvironment } from '../schema/environment';
import type { ClientMetricsFile, MetricsFile } from '../schema/metrics';
import { checkedName } from '../schema/names';
import { type Plan, planSchema } from '../schema/plan';
import type { Manifest, RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';
import { checkConfigurations } from '../storage/lookup';
import { executableOf } from '../workload/lookup';
import { PLAN_FILE, RESTORE, required } from './documents';

/** A file of the run folder that is missing, or wholly or partly unreadable. */
export interface ReadProblem {
  readonly file: string;
  readonly message: string;
}

/** A file of `raw/`, by its path relative to the run folder, with `/` as separator. */
export interface RawFile {
  readonly path: string;
  readonly bytes: number;
}

/** The content of a run folder. Missing files are `null` or empty, and named in `problems`. */
export interface RunRecord {
  readonly run: string;
  readonly plan: Plan | null;
  readonly manifest: Manifest | null;
  readonly status: RunStatus | null;
  /** In file order: every attempt, including superseded ones. */
  readonly samples: readonly Sample[];
  readonly metrics: readonly MetricsFile[];
  /** EC2's metrics of the clients. @default - not collected, or the clients are no EC2 instances */
  readonly clientMetrics?: ClientMetricsFile;
  /** Description of each node, `environment/<node>.json`, by node. */
  readonly environment: readonly { readonly node: string; readonly facts: NodeEnvironment }[];
  readonly raw: readonly RawFile[];
  readonly problems: readonly ReadProblem[];
}

export interface RunReference {
  readonly benchmark: string;
  readonly run: string;
}

/** Prefix of a run's files in the bucket. @throws unless both are names */
export const prefixOf = ({ benchmark, run }: RunReference): string =>
  `runs/${checkedName('benchmark', benchmark)}/${checkedName('run', run)}`;

/** An executable plan: each command must start with its task's tool, to keep other programs from running in its name. */
const runnablePlanSchema = planSchema.superRefine(checkConfigurations).superRefine((plan: Plan, context) => {
  for (const [step, { tasks }] of plan.steps.entries())
    for (const [task, { action }] of tasks.entries()) {
      if (action.kind !== 'workload' || action.command[0] === executableOf(action.tool)) continue;
      const path = ['steps', step, 'tasks', task, 'action'];
      context.addIssue({ code: 'custom', path, message: 'a command must start with its tool' });
    }
});

export const PLAN = { name: 'plan', file: PLAN_FILE, schema: runnablePlanSchema, next: RESTORE };

/** @throws if it is missing or cannot be read */
export const readPlan = (folder: string): Plan => required(folder, PLAN);
