import type * as z from 'zod';
import type { Issue } from '../schema/issue';
import type { ScaleModel } from '../schema/model';
import type { Plan, PlanArm, Step } from '../schema/plan';
import type { RecordedWork } from '../workload/common/measured';
import type { Workload } from '../workload/workload';

/** The environment of a plan, as far as its sizes depend on it. */
export const PLAN_SCALES = ['published', 'smoke', 'lab'] as const;
export type PlanScale = (typeof PLAN_SCALES)[number];

/** Known data of the machines before a run. Checks that need missing data are skipped. */
export interface PlanEnvironment {
  readonly clientMemoryBytes?: number;
  readonly serverMemoryBytes?: number;
  readonly capacityBytes?: number;
  /** Sustained throughput that the documentation promises one arm, bytes/s; its disk's for incompressible data. */
  readonly documentedBytesPerSecond?: number;
  readonly clientCpus?: number;
  readonly startsAt?: Date;
  /** Coefficient of variation of an arm's repeats, if known before. */
  readonly variation?: number;
  /** Largest systematic error of a ratio between two arms, as a share. @default 0 */
  readonly systematic?: number;
  /** True if an emulator and local file systems replace AWS. */
  readonly lab?: boolean;
  /** True if no service of the run counts what is done on its arms. @default false */
  readonly uncounted?: boolean;
}

export interface Checked {
  /** True if the plan is the study's own. @default false */
  readonly asStudied?: boolean;
  readonly arms: readonly PlanArm[];
  readonly fleet: Plan['fleet'];
  readonly steps: readonly Step[];
  readonly parameters: Plan['parameters'];
  readonly environment: PlanEnvironment;
  /** Ids of findings in commands that the user allows. @default - none */
  readonly allow?: readonly string[];
  /** Reservations of the plan itself. @default - none */
  readonly reservations?: readonly string[];
}

export type Check = (checked: Checked) => Issue | null;

/** Inputs of a plan's steps, besides its parameters. */
export interface PlanContext {
  readonly arms: readonly PlanArm[];
  readonly fleet: Plan['fleet'];
  /** The user's own program with its arguments; empty unless the plan runs one. */
  readonly program: readonly string[];
}

/** Tools of a plan, with substitutes for machines that lack the preferred one. */
export interface PlanTools {
  readonly preferred: Workload;
  readonly substitutes: readonly Workload[];
  /** Parameters that a substitute needs besides `tool`. @default - none */
  settings?(substitute: Workload): readonly string[];
}

/** A plan definition: its parameters, steps and checks. */
export interface PlanDefinition<S extends z.ZodObject = z.ZodObject> {
  /** Name for `--plan`. */
  readonly name: string;
  readonly parameters: S;
  defaults(scale: PlanScale, fleet: Plan['fleet']): z.input<S>;
  /** @throws Error for parameters that exclude each other, naming what is allowed */
  steps(parameters: z.output<S>, context: PlanContext): Step[];
  readonly checks: readonly Check[];
  /** `key=value` texts over the defaults on a scale model, whose rates are known. @param models of the arms, at least one @default - no changes */
  onModel?(models: readonly ScaleModel[]): readonly string[];
  /** True for a plan that reproduces its study: clients run the study's processes, and lint findings are notes. @default false */
  readonly asStudied?: boolean;
  /** Errors in its commands that are only reservations about its figures, since it does what it was asked to do. @default - none */
  readonly reservations?: readonly string[];
  /** False if repeats of the arms are not paired. @default true */
  readonly paired?: boolean;
  /** Parameters that keep what each client writes within so many MiB. @default - it writes nothing itself */
  readonly within?: (MiBPerClient: number) => readonly string[];
  /** Parameters that repeat a recorded program on clients, with `ranks` processes each, or as it had. @default - unsupported @throws Error naming the gap */
  readonly like?: (work: RecordedWork, clients: number, ranks: number | undefined) => readonly string[];
  /** True if it runs the user's own program. @default false */
  readonly takesProgram?: boolean;
  /** @default - it runs no tools, or its tools come with fsxbench */
  readonly tools?: PlanTools;
}
