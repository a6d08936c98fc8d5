import type { Field } from '../common/field';
import type { FleetConfiguration, FleetDefinition } from '../fleet/configuration';
import type { StorageConfiguration } from '../schema/deployment';
import type { MetricRole } from '../storage/storage';
import type { ProofNeed } from './common/clients';
import type { PlanDefinition } from './plan';

/** The sizes at which every benchmark can be deployed. */
export const SCALES = ['published', 'smoke'] as const;
export type Scale = (typeof SCALES)[number];

/** One storage configuration under test. */
export interface ArmDefinition {
  /** Short, lower case: it becomes a directory, a label and a construct id. */
  readonly name: string;
  readonly storage: StorageConfiguration;
}

/** One benchmark: a question, and its slice of every stage that answers it. Engines ask it; they know none by name. */
export interface Benchmark {
  /** Name of the stack and of the commands' argument. */
  readonly name: string;
  readonly question: string;
  /** The published study that it reproduces; claims about it name it. */
  readonly study: string;
  /** Roles of its main metrics, the most important first: for the dashboard's graphs and the alarms. A run that moves none of them is stalled. */
  readonly about: readonly MetricRole[];
  /** Warnings about its arms that it causes on purpose. @default - none */
  readonly acknowledged?: readonly { readonly id: string; readonly reason: string }[];
  /** Its own context keys. @default - none */
  readonly settings?: Readonly<Record<string, Field>>;
  /** Settings of its storages that choose arms instead of changing all alike. @default - none */
  readonly chosenBy?: readonly string[];
  /**
   * @param settings the user's settings; without them, the arms of the study. With `arms`, also arms that are deployed only by name
   * @throws ConfigurationError for settings that contradict one another
   */
  arms(scale: Scale, settings?: Readonly<Record<string, unknown>>): readonly ArmDefinition[];
  fleet(scale: Scale): BenchmarkFleet;
  /** Plans for the question, the default first. Every benchmark also has the plan for the user's own program. */
  readonly plans: readonly PlanDefinition[];
  /** Settings of a deployment that would show that a file system meets a need; `null` if this benchmark cannot show it. @default null */
  proof?(need: ProofNeed): ProofSettings | null;
  readonly lab: BenchmarkLab;
}

/** A question about one existing file system: a benchmark without arms, fleet and stack. */
export type Standing = Pick<Benchmark, 'name' | 'question' | 'plans'>;

/** Its clients: close ones have more bandwidth between them, but many close ones are hard to get. @default close together, with the advised tuning */
export type BenchmarkFleet = FleetDefinition & Partial<Pick<FleetConfiguration, 'placement' | 'tuning'>>;

/** At least `clients`; `arms` with commas between them, if not all are needed. */
export type ProofSettings = Readonly<Record<string, string | number | boolean>>;

/** The part of a benchmark that the lab runs. */
export interface BenchmarkLab {
  /** Settings of the stacks, unless arms are chosen that these do not make. @default - none */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The arms that get a storage unless others are chosen. @default the first two */
  readonly arms?: readonly string[];
  /**
   * Nodes of the lab's Slurm that are its clients, with a process each. Their links are throttled to those of the smallest deployment, and the quick start
   * puts the driver's job back into the queue halfway, to show that nothing is lost. @default - this computer is the client, with two processes
   */
  readonly slurmNodes?: number;
  /** The divisor of the model that a small machine carries: 500 holds everything at 1:500. @default 100 */
  readonly scale?: number;
  /** Disk rate of the model's servers, if none is documented. @default - as documented */
  readonly disk?: { readonly MBps: number; readonly source: string };
  /** Plans that the quick start runs after the first. The report shows their results next to it if a section can. @default - none */
  readonly followedBy?: readonly { readonly plan: string; readonly set: readonly string[] }[];
}
