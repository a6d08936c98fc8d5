import type { z } from 'zod';
import type { InstanceLaunch } from '../kit/aws/launch';
import type { AccountQuota } from '../kit/aws/quota';
import type { Field } from '../kit/field';
import type { Mount } from '../kit/mounts';
import type { CostLine, OfferSelector, Prices } from '../schema/cost';
import type { FileRules } from '../schema/fileRules';
import type { Described } from '../schema/run';
import type { StorageConfiguration } from '../schema/storage';
import type { CandidatesCapability } from './candidates';
import type { Filesystem } from './filesystem';
import type { MetricsCapability } from './metrics';
import type { PerformanceCapability } from './performance';
import type { MetricRole } from './role';
import type { ResourceSearch } from './search';
import type { StandIn } from './standIn';

export type { StorageConfiguration } from '../schema/storage';

/** A rule that a configuration breaks, or an advice that it does not follow. */
export interface Breach {
  /** Stable: tests, users and acknowledgements refer to it. */
  readonly id: string;
  readonly message: string;
}

/** Findings on a configuration: `errors` make it impossible, `warnings` unwise. */
export interface StorageCheck {
  readonly errors: readonly Breach[];
  readonly warnings: readonly Breach[];
}

/** A configuration in a word, for people to type. */
export interface Shorthand<C extends StorageConfiguration = StorageConfiguration> {
  /** Allowed form, for error messages: `a type with its MB/s per TiB and a capacity, such as …`. */
  readonly form: string;
  /**
   * A configuration with what the text says, and the same as context settings of the stacks.
   *
   * @throws Error that begins with `must be`, for what could not be made
   */
  read(text: string, configuration: C): { configuration: C; settings: Readonly<Record<string, string | number>> };
  /** The text that reads as a configuration, as far as such a text says it; `null` for one that has none. */
  write(configuration: C): string | null;
}

/** Options of a storage's price. */
export interface CostOptions {
  readonly region: string;
  /** Prefix of the lines: `arm lz4`. @default the storage's own label */
  readonly label?: string;
  /** GiB stored, where that is billed. @default - not known: such lines have no sum */
  readonly storedGiB?: number;
  /** @default those that come with fsxbench */
  readonly book?: Prices;
}

/** Share of a quota that one configuration uses; that of its instances and their volumes is known from its launches. */
export interface Quota<C extends StorageConfiguration = StorageConfiguration> extends AccountQuota {
  of(configuration: C): number;
}

/** A documented ceiling in MB/s (10^6 bytes), of all clients and all servers together. */
export interface Limit {
  /** `client_nic`, `server_network`, `disk` … */
  readonly name: string;
  readonly baselineMBps: number;
  /** The same as the baseline where no burst is promised. */
  readonly burstMBps: number;
  readonly source: string;
}

/** A limit for people. */
export interface LimitName {
  /** In a sentence: `the disks`. */
  readonly words: string;
  /** At the head of a column: `disk`. */
  readonly short: string;
}

export interface LimitOptions {
  /** Direction of the data: some disks read faster than they write. @default write */
  readonly mode?: 'write' | 'read';
  /** Bytes before compression ÷ bytes after it; counts where the storage compresses. @default - no limit of compressed data */
  readonly ratio?: number;
  /** @default - no limits of the clients */
  readonly clients?: {
    readonly count: number;
    readonly networkBaselineMbps: number;
    readonly networkBurstMbps?: number;
    /** MB/s of each of them to EBS. @default - not known */
    readonly ebsBaselineMBps?: number | undefined;
    readonly ebsBurstMBps?: number | undefined;
    /** The clients reach the file system over EFA, which must have been made with it. @default false */
    readonly efa?: boolean;
  };
  /** Some Regions have less network burst. @default - a Region with full burst */
  readonly region?: string;
}

/** Metadata performance that is provisioned. */
export interface MetadataCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** Metadata IOPS; `null` where none are provisioned. */
  iops(configuration: C): number | null;
  /** All that can be provisioned, in words that complete "'metadataIops' must be …". */
  readonly allowed: string;
  /** True for so many metadata IOPS that can be provisioned, of whichever configuration. */
  provisionable(iops: unknown): boolean;
  /** Levels that a configuration can be given, in ascending order. */
  levels(configuration: C): readonly number[];
  /** Metadata IOPS that the service provisions by itself for its capacity. */
  automaticIops(configuration: C): number;
  /** Operations a second that are documented, by operation (`file_create` …); `null` where nothing is published. */
  rates(configuration: C): Readonly<Record<string, number>> | null;
  /** The same for so many metadata IOPS. */
  ratesAt(iops: number): Readonly<Record<string, number>>;
  /** Page that documents the rates. */
  readonly source: string;
  /** The IOPS that so many operations a second take, as the service provisions them; `null` with a reason. */
  needed(operation: string, perSecond: number): { readonly value: number | null; readonly reason: string | null };
  /** Metadata targets, each with a server of its own; `null` where that is not known. */
  targets(configuration: C): number | null;
}

/** A time, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A window in each week in which the service may stop the file system. */
export interface MaintenanceCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** The context key that chooses it. */
  readonly setting: string;
  /** `Sunday 06:00 UTC`; `null` where the service chose it and has not said it. */
  words(configuration: C): string | null;
  /** The first window that a time touches; `null` where there is none, or none is known. */
  within(configuration: C, span: TimeSpan): TimeSpan | null;
  /** Probability that a period of so many seconds, begun at any moment of the week, touches the window. */
  chance(seconds: number): number;
}

/** Figure as a claim states it: its quantity in words, and the conditions under which it holds. */
export interface ClaimedFigure {
  readonly quantity: string;
  readonly conditions: Readonly<Record<string, unknown>>;
}

/** A stack that watches a file system which somebody else made. */
export interface WatchCapability {
  /** Name of the stack, and of its section in the context. */
  readonly stack: string;
  /** Reads the settings of that section, with their problems; `null` where they name no file system. */
  asked(settings: Readonly<Record<string, unknown>>): {
    readonly watched: WatchedFileSystem;
    readonly problems: readonly string[];
  } | null;
}

/** File system that is watched. */
export interface WatchedFileSystem {
  readonly fileSystemId: string;
  /** @default - not known */
  readonly metadataIops?: number;
  /** Gets every alarm once its owner has confirmed. @default - nobody */
  readonly alarmEmail?: string;
  /** ARN of the account's key for the topic. @default - that of AWS */
  readonly operationsKey?: string;
}

/** Endpoints that machines of a storage call beside the services that every client calls (lib/kit/aws/services.ts). */
export interface Outbound {
  /** AWS services, by the construct id of their interface endpoint. @default - none */
  readonly services?: Readonly<Record<string, string>>;
  /** Why there must be internet access, to complete "with arm moosefs, ". @default - there need be none */
  readonly internet?: string;
}

/**
 * A kind of file system: its slice of every stage that needs no CDK. Where what the service documents is a matter of some kinds only, it is
 * an optional capability that engines ask for; they never ask for the kind. The CDK half is lib/storage/construct.ts.
 */
export interface Storage<C extends StorageConfiguration = StorageConfiguration> {
  /** Name in configurations: `lustre`. */
  readonly kind: string;
  /** For people: `FSx for Lustre`. */
  readonly label: string;
  /** True where the file system is there already and nothing of it is deployed. @default false */
  readonly local?: boolean;
  readonly schema: z.ZodType<C>;
  /** The context keys that change a configuration. */
  readonly settings: Readonly<Record<string, Field>>;
  /** The configuration of a benchmark with the user's settings on it. */
  withSettings(configuration: C, settings: Readonly<Record<string, unknown>>): C;
  /** In a line, for people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
  describe(configuration: C): string;
  /** In the names of the settings, since the user reads it. */
  check(configuration: C): StorageCheck;
  /** Problems of all arms of one stack together, in the names of the settings. @default - there are none */
  checkTogether?(configurations: readonly C[]): readonly string[];
  /**
   * Key of what arms share, such as servers: one of it is made, paid for and counted once for all of them.
   * @default - each has its own
   */
  shared?(configuration: C): string;
  /** Clients that can mount it at the same time. @default - as many as there are */
  mostClients?(configuration: C): number;
  /** Requirement that a client's type misses, to complete "'instanceType' must be"; `null` for one that will do. @default - any will */
  clientProblem?(configuration: C, instanceType: string): string | null;
  /** @default - it has none */
  readonly shorthand?: Shorthand<C>;
  cost(configuration: C, options: CostOptions): readonly CostLine[];
  /** Rows of AWS's price lists that price it, by the code of the service. @default - none is read */
  readonly offers?: Readonly<Record<string, OfferSelector>>;
  readonly quotas: readonly Quota<C>[];
  /** The instances that it consists of. @default - the service's own */
  launches?(configuration: C): readonly InstanceLaunch[];
  /** @default - its clients call no more than others, and it has no machines of its own */
  readonly outbound?: Outbound;
  /** Addresses in the subnet of the clients that its service takes; each instance takes one more. */
  addresses(configuration: C): number;
  /**
   * Metrics that the alarms on it read, each of which is billed.
   *
   * @param about roles of the metrics that the benchmark is about
   */
  alarmMetrics(configuration: C, about: readonly MetricRole[]): number;
  /** The ceilings of the file system and, where its clients are given, of the way to it; none for what could not be made. */
  limits(configuration: C, options?: LimitOptions): readonly Limit[];
  /** Its own limits for people, by their names; those that several storages have are known (lib/analysis/limits/limitedBy.ts). @default - it has none */
  readonly limitNames?: Readonly<Record<string, LimitName>>;
  /**
   * Reads a configuration from the service's description; `null` where that is not of this kind.
   *
   * @param planned has what the service leaves out
   */
  fromDescription(described: Described | null, planned?: C | null): C | null;
  /** Asks the service what it knows of its file systems; what it does not know is left out. @default - there is nobody to ask */
  describeAll?(ids: readonly string[]): Promise<ReadonlyMap<string, Described>>;
  /**
   * The id of the file system that is mounted, from its device or from the service; `null` for one that is not of this kind.
   *
   * @default - a mount does not say which it is
   */
  identify?(mount: Mount): Promise<string | null>;
  /** Finds what of it costs money in an account. @default - it is made of instances and volumes, which others find */
  readonly search?: ResourceSearch;
  /** Why CloudFormation can neither update a deployed one to another nor replace it by that; `null` where it can. @default - it can */
  refusesUpdate?(deployed: C, planned: C): string | null;
  /** With what the service chose where nothing was asked for. @default - it chooses nothing that a plan wants to know */
  withChosen?(configuration: C, described: Described | null): C;
  /** @default - it is elastic, or not known */
  capacityBytes?(configuration: C): number | null;
  /** @default - programs find all that POSIX has */
  files?(configuration: C): FileRules;
  /** Memory in which its servers cache data: less data than that measures memory. @default - not documented */
  serverMemoryBytes?(configuration: C): number | null;
  /** Its configuration as conditions of published figures (lib/claims). @default - there is nothing to compare */
  conditions?(configuration: C): Readonly<Record<string, unknown>>;
  /** The same of what plans measure below it, by the baseline's id, where they differ from its own: a disk has no servers. @default - they are its own */
  layers?(configuration: C): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** A figure of a claim that is documented apart from limits; `null` for any other. @default - there is none */
  documentedFigure?(claim: ClaimedFigure): { readonly value: number | null; readonly unit: string } | null;
  /** Compression of the data; `null` for none. @default - it cannot compress */
  compression?(configuration: C): string | null;
  /** True where hardware of its servers is to compress: their program `offloaded` counts it (docs/extending.md). @default - processors do */
  offloads?(configuration: C): boolean;
  /** @default - predictions are made of limits and metadata rates alone */
  readonly performance?: PerformanceCapability<C>;
  /** Why `advise` cannot choose it, to complete "… is not considered:". @default - it has candidates, or nobody could buy it */
  readonly notAdvised?: string;
  /** @default - it is not among what `advise` can choose */
  readonly candidates?: CandidatesCapability<C>;
  /** Types of file systems that are worked on in its way; the first one is that which its clients mount. */
  readonly filesystems: readonly [Filesystem, ...Filesystem[]];
  /** @default - no service counts anything */
  readonly metrics?: MetricsCapability;
  /**
   * Stand-ins of the lab for a configuration, the best first; it takes the first that the machine can have, and leaves the
   * arm out where it can have none.
   *
   * @param about roles of the metrics that the benchmark is about
   */
  standIns(configuration: C, about: readonly MetricRole[]): readonly StandIn[];
  readonly metadata?: MetadataCapability<C>;
  /** @default - it watches only what benchmarks make */
  readonly watch?: WatchCapability;
  /** @default - the service never stops it */
  readonly maintenance?: MaintenanceCapability<C>;
}
