import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../common/aws/launch';
import type { Field } from '../common/field';
import type { PricedFleet } from '../price/instances';
import type { CostLine, Prices } from '../schema/cost';
import type { Deployment, StorageConfiguration } from '../schema/deployment';
import type { Manifest } from '../schema/run';
import type { ResourceSearch } from '../storage/search';
import type { Launcher } from './launcher';
import { isArm } from './offerings';

/** Tuning of the Lustre client: AWS's advice for the size of the machine, or the settings of the metadata study in addition. */
export const TUNINGS = ['advised', 'published-metadata'] as const;
export type Tuning = (typeof TUNINGS)[number];

/**
 * Placement of the clients: all close together, wherever there is room, or in partitions of which no two share a rack (EC2 user guide,
 * placement-strategies).
 */
export const PLACEMENTS = ['cluster', 'none', 'partition'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** The clients of a benchmark. */
export interface FleetDefinition {
  /** Kind of fleet (lib/fleet/registry.ts). @default - the first of them */
  readonly kind?: string;
  readonly instanceType: string;
  /** All clients together; a multiple of the arms where these are driven at once, each by an equal part of the fleet. */
  readonly clients: number;
  readonly ranksPerClient: number;
  /** Queues of a cluster next to that of the clients, each as `c5.9xlarge:200`. @default - none */
  readonly moreQueues?: readonly string[];
}

export type Purchase =
  | { readonly kind: 'on-demand' }
  | { readonly kind: 'spot' }
  | {
      readonly kind: 'capacity-reservation';
      readonly id: string;
      /** Name of the reservation's placement group, if it has one: other reservations cannot be used in a group (EC2 docs). */
      readonly placementGroup: string | undefined;
    };

/** Ways to install IOR on the clients. */
export const INSTALLS = ['source', 'spack'] as const;

/** Release of Open MPI whose checksum is pinned on the clients (assets/client/tools.tsv). */
export const OPENMPI_VERSION = '4.1.8';

export interface Builds {
  readonly iorVersion: string;
  readonly openMpiVersion: string;
  /** @default source */
  readonly install?: (typeof INSTALLS)[number];
  /** Open MPI is built with AWS's libfabric, without which it takes TCP. @default false */
  readonly mpiEfa?: boolean;
}

/** A fleet with all defaults filled in. */
export interface FleetConfiguration extends FleetDefinition, Builds {
  readonly purchase: Purchase;
  readonly placement: Placement;
  /** `undefined`: the newest Amazon Linux 2023 with that kernel. */
  readonly image: string | undefined;
  readonly kernel: '6.1' | '6.12' | '6.18';
  readonly rootVolumeGiB: number;
  readonly bootTimeoutMinutes: number;
  readonly tuning: Tuning;
  /** True if the clients reach the file systems over EFA. @default false: over TCP */
  readonly efa?: boolean;
}

/** All settings of the user, without defaults, and the storages that the clients of a fleet mount. */
export type FleetEnvironment = {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly storages: readonly StorageConfiguration[];
};

export interface OfflineCheck {
  readonly name: string;
  readonly found: string;
  /** Next step; `null` where all is well. */
  readonly advice: string | null;
}

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
  /** Checks the deployment with the kind's own tools. @param root the project's folder. @default - it has none */
  readonly checkOffline?: (root: string) => OfflineCheck;
  readonly launcher: Launcher;
  /** The clients as they are now, and what starts the driver. @throws Error saying what to wait for, if some are missing */
  find(deployment: Deployment): Promise<FoundFleet>;
  /** Costs that recur as long as the fleet is deployed. */
  cost(fleet: PricedFleet, region: string, book?: Prices): readonly CostLine[];
  /** Finds its resources, in addition to instances, volumes and dashboards that carry a stack's tag or name. @default - nothing */
  readonly search?: ResourceSearch;
  /** Costs that arise once, until the fleet is ready. @default - nothing */
  costOnce?(fleet: PricedFleet, region: string, book?: Prices): readonly CostLine[];
}

/** A kind of machines that users already have: fsxbench starts processes on them, and deploys nothing. */
export interface StandingFleet {
  /** The option of `run --on` that asks for it: `nodes`. */
  readonly option: string;
  readonly launcher: Launcher;
  /** Machines that the words ask for, without asking them, or for them. @throws Error naming the value and what is allowed */
  count(wanted: string): number;
  /**
   * Command that reserves nodes for the command that follows it; `null` if they are already allocated.
   *
   * @param wanted the option's value
   * @param words options of the command, as the user gave them
   * @throws Error naming the value and the allowed ones
   */
  reserve(wanted: string, words: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] | null;
  /**
   * Command that queues the command that follows it, prints the job's id, and survives a logout. @default - there is no queue
   *
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
   *
   * @throws Error naming the value, what is allowed and the next step
   */
  machines(
    wanted: string,
    environment: NodeJS.ProcessEnv,
  ): Promise<{ readonly names: readonly string[]; readonly unset?: readonly string[] }>;
  /** Why the launcher cannot start MPI jobs here, with the next step; `null` if it can. @default - it can */
  noMpi?(environment: NodeJS.ProcessEnv): Promise<string | null>;
}

export const DEFAULT_KERNEL = '6.1';

export const architectureOf = (instanceType: string): string => (isArm(instanceType) ? 'arm64' : 'x86_64');

/** The public parameter with the id of the newest Amazon Linux 2023 for a type. Source: https://docs.aws.amazon.com/linux/al2023/ug/ec2.html */
export const imageParameter = (kernel: string, instanceType: string): string =>
  `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-${kernel}-${architectureOf(instanceType)}`;

/** The image of a fleet's clients, unless a service has its own. */
export const clientImage = ({ image, kernel, instanceType }: FleetConfiguration): LaunchImage =>
  image === undefined ? { parameter: imageParameter(kernel, instanceType) } : { id: image };

/** The instance that builds the clients' tools: of their type, on demand. It outlives its signal by a minute, so it counts in addition to them. */
export const builderLaunch = (fleet: FleetConfiguration): InstanceLaunch => ({
  name: 'builder',
  instanceType: fleet.instanceType,
  settings: { instanceType: 'instanceType', image: 'image' },
  count: 1,
  purchase: ON_DEMAND,
  image: clientImage(fleet),
  volumesGiB: [fleet.rootVolumeGiB],
  passing: true,
});
