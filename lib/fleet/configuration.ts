import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../common/aws/launch';
import type { StorageConfiguration } from '../schema/deployment';
import { isArm } from './offerings';

/** Tuning of the Lustre client: AWS's advice for the size of the machine, or the settings of the metadata study in addition. */
export const TUNINGS = ['advised', 'published-metadata'] as const;
export type Tuning = (typeof TUNINGS)[number];

/** Placement of the clients: close together, wherever there is room, or in partitions of which no two share a rack (EC2 user guide, placement-strategies). */
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
