import type { Field } from '../kit/field';
import type { MetricRole } from '../storage/role';
import type { ArmDefinition, FleetDefinition, Placement, Scale, Tuning } from './definition';
import type { AroundChange, PlanDefinition } from './plan';

/** One benchmark: a question, and its slice of every stage that answers it. Engines ask it; they know none by name. */
export interface Benchmark {
  /** Name of the stack and of the commands' argument. */
  readonly name: string;
  /** The question that it answers, in one sentence. */
  readonly question: string;
  /** The published study that it reproduces; claims about it name it. */
  readonly study: string;
  /**
   * Roles of the metrics that it is about, the most important first: the dashboard begins with their graphs, the alarms watch them, and a
   * run that moves none of them has stalled.
   */
  readonly about: readonly MetricRole[];
  /** What is measured: the dashboard begins with it, and the alarms watch it. @default data */
  readonly subject?: 'data' | 'metadata';
  /** Warnings about its arms that it causes on purpose. @default - none */
  readonly acknowledged?: readonly { readonly id: string; readonly reason: string }[];
  /** Its own context keys. @default - none */
  readonly settings?: Readonly<Record<string, Field>>;
  /** Settings of its storages that choose arms instead of changing all alike. @default - none */
  readonly chosenBy?: readonly string[];
  /** True where its plans drive all arms in the same minutes, so that each needs an equal part of the fleet. @default false */
  readonly dividesFleet?: boolean;
  /** Targets that a file is spread over: -1 all, 0 the file system's own layout. @default -1 */
  readonly stripeCount?: number;
  /** @default advised */
  readonly tuning?: Tuning;
  /** What clients need of one another: near ones reach more between themselves, many near ones are hard to get. @default cluster */
  readonly placement?: Placement;
  /**
   * @param settings of the user; none, for the arms of the study
   * @throws ConfigurationError where they contradict one another
   */
  arms(scale: Scale, settings?: Readonly<Record<string, unknown>>): readonly ArmDefinition[];
  fleet(scale: Scale): FleetDefinition;
  /** The ways to go about the question, the default first. Besides them every benchmark has the plan for a program of the user's. */
  readonly plans: readonly PlanDefinition[];
  /** @default - nothing of it can be measured around a change */
  readonly aroundChange?: AroundChange;
}
