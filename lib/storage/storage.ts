import type { DashboardPart, ShownArm } from '../dashboard/graph';
import type { StorageConfiguration } from '../schema/deployment';
import type { FileRules } from '../schema/fileRules';
import type { MetricSeries } from '../schema/metrics';
import type { Described } from '../schema/run';
import type { Filesystem } from './filesystem';
import type { AccountSlice } from './slices/account';
import type { ConfigurationSlice } from './slices/configuration';
import type { DocumentedSlice } from './slices/documented';
import type { PriceSlice } from './slices/price';

/** Metrics, graphs and alarms of a storage in CloudWatch. */
interface MonitoringSlice<C extends StorageConfiguration = StorageConfiguration> {
  /** @default - no service counts anything */
  readonly metrics?: MetricsCapability;
  /** Its part of a benchmark's dashboard. @param about roles whose graphs come first */
  dashboard(arms: readonly ShownArm<C>[], about: readonly MetricRole[]): DashboardPart;
  /** Metrics that the alarms on it read, each of which is billed. @param about roles of the metrics that the benchmark is about */
  alarmMetrics(configuration: C, about: readonly MetricRole[]): number;
}

/** A storage as its clients have it: who can mount it, and how they work on it. */
interface ClientSlice<C extends StorageConfiguration = StorageConfiguration> {
  /** Types of file systems that are worked on in its way; the first one is that which its clients mount. */
  readonly filesystems: readonly [Filesystem, ...Filesystem[]];
  /** Requirement that a client's type misses, to complete "'instanceType' must be"; `null` for one that will do. @default - any will */
  clientProblem?(configuration: C, instanceType: string): string | null;
  /** @default - programs find all that POSIX has */
  files?(configuration: C): FileRules;
  /** True where hardware of its servers is to compress: their program `offloaded` counts it (docs/extending/storage.md). @default - processors do */
  offloads?(configuration: C): boolean;
}

/** A kind of file system, in six slices by stage, without CDK (lib/constructs/storage/construct.ts). Engines ask for capabilities, never the kind. */
export interface Storage<C extends StorageConfiguration = StorageConfiguration> {
  /** Name in configurations: `lustre`. */
  readonly kind: string;
  /** For people: `FSx for Lustre`. */
  readonly label: string;
  readonly configuration: ConfigurationSlice<C>;
  readonly documented: DocumentedSlice<C>;
  readonly price: PriceSlice<C>;
  readonly account: AccountSlice<C>;
  /** @default - the file system already exists, and nothing of it is deployed (`isNeverDeployed`) */
  readonly monitoring?: MonitoringSlice<C>;
  readonly client: ClientSlice<C>;
  /** Substitutes in the lab, best first: the first that the computer supports is used. @param about the benchmark's primary roles */
  substitutes(configuration: C, about: readonly MetricRole[]): readonly Substitute[];
}

/** Meaning of a metric, whatever the service calls it: analysis, dashboards and alarms use roles. A storage has at most one metric of each. */
export type MetricRole =
  // Work of clients.
  | 'bytes_read'
  | 'bytes_written'
  | 'read_operations'
  | 'write_operations'
  | 'metadata_operations'
  | 'client_connections'
  // Metadata operations by their kind.
  | 'file_creates'
  | 'file_opens'
  | 'file_deletes'
  | 'stats'
  | 'renames'
  | 'dir_creates'
  | 'dir_deletes'
  // How busy servers are, in percent of what they can do.
  | 'network_utilisation'
  | 'disk_utilisation'
  | 'disk_iops_utilisation'
  | 'metadata_cpu'
  | 'server_cpu'
  | 'iops_utilisation'
  // Traffic of servers and their disks.
  | 'network_bytes_sent'
  | 'network_bytes_received'
  | 'disk_bytes_read'
  | 'disk_bytes_written'
  | 'disk_read_operations'
  | 'disk_write_operations'
  // Space.
  | 'logical_bytes'
  | 'physical_bytes'
  | 'capacity_free'
  | 'capacity_utilisation'
  | 'capacity_with_grants'
  // Current limits of the service.
  | 'throughput_permitted'
  | 'burst_credits';

/** A metric that the service of a storage publishes. */
export interface StorageMetric {
  readonly name: string;
  /** Meaning that engines ask for; `null` where it means something to this storage alone. */
  readonly role: MetricRole | null;
  /** Unit in CloudWatch's spelling: `Bytes`, `Count`, `Percent` … */
  readonly unit: string;
  /** The statistic that answers the usual question. */
  readonly statistic: string;
  /** A level, not a count: a sum of it is one over servers or targets, not one over time. */
  readonly gauge: boolean;
  /** Restriction on its publication, as a clause: `which it does only where LZ4 is or was on`. @default everywhere */
  readonly only?: string | undefined;
}

/** A metric as CloudWatch has it: the dimensions say which server or target. */
export type PublishedMetric = Pick<MetricSeries, 'metric' | 'dimensions'>;

/** Metrics that the service of a storage publishes in CloudWatch. */
export interface MetricsCapability {
  readonly namespace: string;
  /** Every metric that `collect` asks for, each name once. */
  readonly table: readonly StorageMetric[];
  /** The resources that publish, if a storage consists of several. @default - it is one */
  parts?(resourceId: string): readonly string[];
  /** Dimensions that every metric of one resource has; further ones identify servers or targets. */
  identity(resourceId: string): Readonly<Record<string, string>>;
  /** Names of the further dimensions of a metric. @default - it has none */
  dimensions?(metric: string): readonly string[];
  /** The metadata target that a series is of; `null` for one of something else. @default - all metadata is on one server */
  metadataTarget?(dimensions: Readonly<Record<string, string>>): string | null;
  /** Metrics that such a file system is expected to publish, for a time that CloudWatch no longer lists. */
  assumed(resourceId: string, described: Described | null): readonly PublishedMetric[];
}

/** A real file system of this computer that the lab puts in the place of a configuration. */
export interface Substitute {
  /** `btrfs`: arms whose stand-ins have the same name fall back together, so they stay comparable. */
  readonly name: string;
  /** In notices: `Btrfs on loop devices`. */
  readonly label: string;
  /** Type of file system that the driver treats it as: one that some storage has (lib/storage/filesystem.ts). */
  readonly filesystem: string;
  /** Description for readers of the results: the real file system, and how it differs from what it stands for. */
  readonly actually: string;
  /**
   * Number of copies that its servers store of what is written, and the address of their MooseFS master in the stand-in's network namespace, whose
   * interface `data` is the way of all clients: both count what clients do. @default - no servers are apart from the clients
   */
  readonly servers?: { readonly copies: number; readonly master: string };
  /** `null` for a plain directory, which needs nothing. */
  readonly program: SubstituteProgram | null;
}

/** A program below assets/ that makes a stand-in and takes it away, `lab/loop`, and its own variables, besides those that docs/extending/storage.md gives it. */
export type SubstituteProgram = { readonly path: string; readonly variables: Readonly<Record<string, string>> };
