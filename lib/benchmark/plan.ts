import type * as z from 'zod';
import type { Issue } from '../schema/issue';
import type { Plan, PlanArm, Step } from '../schema/plan';
import type { Workload } from '../workload/workload';

/** Where a plan is going to run, as far as its sizes depend on it. */
export const PLAN_SCALES = ['published', 'smoke', 'lab'] as const;
export type PlanScale = (typeof PLAN_SCALES)[number];

/** What is known of the machines before a run. Unknown things are absent, and the checks that need them say nothing. */
export interface Surroundings {
  /** Memory of one client, bytes. */
  readonly clientMemoryBytes?: number;
  /** Cache of one arm's servers, bytes. */
  readonly serverMemoryBytes?: number;
  /** Usable capacity of one arm, bytes. */
  readonly capacityBytes?: number;
  /** Sustained throughput that the documentation promises one arm, bytes/s; its disk's for incompressible data. */
  readonly documentedBytesPerSecond?: number;
  /** CPUs of one client. */
  readonly clientCpus?: number;
  /** When the run would start; absent in a plan for no particular day. */
  readonly startsAt?: Date;
  /** True when an emulator and local file systems stand in for AWS. */
  readonly lab?: boolean;
}

/** What the checks look at. */
export interface Checked {
  readonly plan: string;
  /** As its plan says it. @default false */
  readonly asStudied?: boolean;
  readonly scale: string;
  readonly arms: readonly PlanArm[];
  readonly fleet: Plan['fleet'];
  readonly steps: readonly Step[];
  readonly parameters: Plan['parameters'];
  readonly surroundings: Surroundings;
}

/** One thing that may be wrong or unwise about a plan. */
export type Check = (checked: Checked) => Issue | null;

/** What the steps of a plan are made from, besides its parameters. */
export interface PlanContext {
  readonly arms: readonly PlanArm[];
  readonly fleet: Plan['fleet'];
  /** The user's own program with its arguments; empty unless the plan runs one. */
  readonly program: readonly string[];
}

/** What runs a plan where not every machine has every tool. */
export interface PlanTools {
  /** What the plan takes where it is there. */
  readonly preferred: Workload;
  /** What can do all that the plan asks for by itself; in the order of preference. */
  readonly substitutes: readonly Workload[];
  /** Parameters that a substitute needs besides `tool`. @default - none */
  settings?(substitute: Workload): readonly string[];
}

/** A way to go about a question: its parameters, its steps, and what is looked at before it is run. */
export interface PlanDefinition<S extends z.ZodObject = z.ZodObject> {
  /** As `--plan` takes it. */
  readonly name: string;
  readonly parameters: S;
  defaults(scale: PlanScale, fleet: Plan['fleet']): z.input<S>;
  /** @throws Error for parameters that exclude each other, naming what is allowed */
  steps(parameters: z.output<S>, context: PlanContext): Step[];
  readonly checks: readonly Check[];
  /**
   * `key=value` texts over the defaults on a scale model, where the highest rate is known before.
   * @default - a scale model changes nothing
   */
  onModel?(fastestMBps: number): readonly string[];
  /** True for a plan that does as its study did: its clients run the study's processes, and what is unwise about it is a note. @default false */
  readonly asStudied?: boolean;
  /** False where repeats of the arms are no pairs. @default true */
  readonly paired?: boolean;
  /** True where it runs a program of the user's. @default false */
  readonly takesProgram?: boolean;
  /** @default - it runs no tools, or its tools come with fsxbench */
  readonly tools?: PlanTools;
}

/**
 * What of a benchmark can be gone through on one file system: twice, it makes a plan around a change of that file system. The plan itself
 * belongs to whoever makes the change.
 */
export interface AroundChange<S extends z.ZodObject = z.ZodObject>
  extends Pick<PlanDefinition<S>, 'parameters' | 'defaults' | 'checks' | 'tools'> {
  /** What the change must be of: `metadata`. */
  readonly of: string;
  /** Every repeat on one arm. */
  steps(parameters: z.output<S>, arm: PlanArm, fleet: Plan['fleet']): Step[];
}
