import type { InstanceLaunch } from '../common/aws/launch';
import type { Field } from '../common/field';
import type { PricedFleet } from '../price/instances';
import type { CostLine, Prices } from '../schema/cost';
import type { Deployment } from '../schema/deployment';
import type { Manifest } from '../schema/run';
import type { StorageConfiguration } from '../schema/storage';
import type { ResourceSearch } from '../storage/search';
import type { Launcher } from './launcher';

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

/** Purchase option of the fleet's instances. */
export type Purchase =
  | { readonly kind: 'on-demand' }
  | { readonly kind: 'spot' }
  | {
      readonly kind: 'capacity-reservation';
      readonly id: string;
      /**
       * Name of the reservation's placement group. A reservation made outside a group cannot be used
       * in a group (EC2 docs): then the clients are in none.
       */
      readonly placementGroup: string | undefined;
    };

/** Ways to install IOR on the clients. */
export const INSTALLS = ['source', 'spack'] as const;

/** Release of Open MPI whose checksum is pinned on the clients (assets/client/tools.tsv). */
export const OPENMPI_VERSION = '4.1.8';

/** Software that the clients build. */
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

/** Settings and storages beside which a fleet is configured. */
export interface FleetSurroundings {
  /** All settings of the user, without defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Storages that its clients mount. */
  readonly storages: readonly StorageConfiguration[];
}

/** Result of checking a kind's configurations without AWS. */
export interface OfflineCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** Next step, if any. */
  readonly advice: string | null;
}

/** Machines of a deployed fleet at present. */
export type FoundFleet = Pick<Manifest['fleet'], 'image' | 'clients' | 'leader'>;

/**
 * A kind of fleet: its slice of every stage that needs no CDK. All kinds run on EC2 instances, whose types, zones and quotas stand beside
 * this file. The CDK half is lib/constructs/fleet/construct.ts.
 */
export interface FleetKind {
  /** Name in definitions: `ec2`. */
  readonly kind: string;
  /** Its own context keys. @default - none */
  readonly settings?: Readonly<Record<string, Field>>;
  /**
   * The fleet with its own settings. @default - as it is
   *
   * @throws ConfigurationError where a setting, or a storage, is impossible on it
   */
  configure?(fleet: FleetConfiguration, beside: FleetSurroundings): FleetConfiguration;
  /** Every instance that it starts, at its deployment or for a run. */
  launches(fleet: FleetConfiguration): readonly InstanceLaunch[];
  /** Checks the deployment with the kind's own tools. @param root the project's folder. @default - it has none */
  readonly checkOffline?: (root: string) => OfflineCheck;
  /** Launcher of processes on its clients. */
  readonly launcher: Launcher;
  /** The clients as they are now, and what starts the driver. @throws Error saying what to wait for, if some are missing */
  find(deployment: Deployment): Promise<FoundFleet>;
  /** Costs that recur as long as the fleet is deployed. */
  cost(fleet: PricedFleet, region: string, book?: Prices): readonly CostLine[];
  /** Finds what it makes, beside instances, volumes and dashboards that carry a stack's tag or name. @default - nothing */
  readonly search?: ResourceSearch;
  /** Costs that arise once, until the fleet is ready. @default - nothing */
  costOnce?(fleet: PricedFleet, region: string, book?: Prices): readonly CostLine[];
}
