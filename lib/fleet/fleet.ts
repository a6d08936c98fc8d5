import type { InstanceLaunch } from '../common/aws/launch';
import type { Field } from '../common/field';
import type { PricedFleet } from '../price/cost';
import type { PriceBook } from '../price/prices';
import type { CostLine } from '../schema/cost';
import type { Deployment } from '../schema/deployment';
import type { Manifest } from '../schema/run';
import type { ResourceSearch } from '../storage/search';
import type { FleetConfiguration, FleetEnvironment } from './configuration';
import type { Launcher } from './launcher';

/** Machines of a deployed fleet at present. */
export type FoundFleet = Pick<Manifest['fleet'], 'image' | 'clients' | 'leader'>;

/** A kind of fleet: its part of every stage, without CDK (see lib/constructs/fleet/construct.ts). All kinds run on EC2 instances. */
export interface FleetKind {
  /** Name in definitions: `ec2`. */
  readonly kind: string;
  /** Its own context keys. @default - none */
  readonly settings?: Readonly<Record<string, Field>>;
  /** The fleet with its own settings. @default - as it is @throws ConfigurationError where a setting, or a storage, is impossible on it */
  configure?(fleet: FleetConfiguration, beside: FleetEnvironment): FleetConfiguration;
  /** Every instance that it starts, at its deployment or for a run. */
  launches(fleet: FleetConfiguration): readonly InstanceLaunch[];
  readonly launcher: Launcher;
  /** The clients as they are now, and what starts the driver. @throws Error saying what to wait for, if some are missing */
  find(deployment: Deployment): Promise<FoundFleet>;
  /** Costs that recur as long as the fleet is deployed. */
  cost(fleet: PricedFleet, region: string, book?: PriceBook): readonly CostLine[];
  /** Finds its resources, in addition to instances, volumes and dashboards that carry a stack's tag or name. @default - nothing */
  readonly search?: ResourceSearch;
}

/** A kind of machines that users already have: fsxbench starts processes on them, and deploys nothing. */
export interface StandingFleet {
  /** The option of `run --on` that asks for it: `nodes`. */
  readonly option: string;
  readonly launcher: Launcher;
  /** Machines that the words ask for, without asking them, or for them. @throws Error naming the value and what is allowed */
  count(wanted: string): number;
  /**
   * Command that reserves nodes for the command that follows it; `null` if they are already allocated. @param wanted the option's value
   * @param words options of the command, as the user gave them @throws Error naming the value and the allowed ones
   */
  reserve(wanted: string, words: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] | null;
  /**
   * Command that queues the command that follows it, prints the job's id, and survives a logout. @default - there is no queue
   * @param job file for its output, and folder of the clients' scripts
   */
  submit?(
    wanted: string,
    words: readonly string[],
    job: { readonly log: string; readonly scripts: string },
    environment: NodeJS.ProcessEnv,
  ): readonly string[];
  /** Next step for someone whom `reserve` or `submit` refused. @default - their own words say enough */
  readonly ifRefused?: string;
  /**
   * The names by which the launcher reaches the machines, and variables of this process that processes there must not inherit.
   * @throws Error naming the value, what is allowed and the next step
   */
  machines(
    wanted: string,
    environment: NodeJS.ProcessEnv,
  ): Promise<{ readonly names: readonly string[]; readonly unset?: readonly string[] }>;
  /** Why the launcher cannot start MPI jobs here, with the next step; `null` if it can. @default - it can */
  noMpi?(environment: NodeJS.ProcessEnv): Promise<string | null>;
}
