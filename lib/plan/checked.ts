import type { Issue } from '../schema/issue';
import type { Plan, PlanArm, Step } from '../schema/plan';

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
  readonly scale: string;
  readonly arms: readonly PlanArm[];
  readonly fleet: Plan['fleet'];
  readonly steps: readonly Step[];
  readonly parameters: Plan['parameters'];
  readonly surroundings: Surroundings;
}

export type Check = (checked: Checked) => Issue | null;
