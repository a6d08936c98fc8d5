import type { FileRules } from '../schema/fileRules';
import type { StorageConfiguration } from '../schema/storage';
import type { Filesystem } from './filesystem';
import type { MetricRole } from './role';
import type { AccountSlice } from './slices/account';
import type { ConfigurationSlice } from './slices/configuration';
import type { DocumentedSlice } from './slices/documented';
import type { PriceSlice } from './slices/price';
import type { StandIn } from './standIn';

/** A storage in the lab. */
interface LabSlice<C extends StorageConfiguration = StorageConfiguration> {
  /**
   * Stand-ins of the lab for a configuration, the best first; it takes the first that the machine can have, and leaves the
   * arm out where it can have none.
   *
   * @param about roles of the metrics that the benchmark is about
   */
  standIns(configuration: C, about: readonly MetricRole[]): readonly StandIn[];
}

/** A storage as its clients have it: who can mount it, and how they work on it. */
interface ClientSlice<C extends StorageConfiguration = StorageConfiguration> {
  /** Types of file systems that are worked on in its way; the first one is that which its clients mount. */
  readonly filesystems: readonly [Filesystem, ...Filesystem[]];
  /** Clients that can mount it at the same time. @default - as many as there are */
  mostClients?(configuration: C): number;
  /** Requirement that a client's type misses, to complete "'instanceType' must be"; `null` for one that will do. @default - any will */
  clientProblem?(configuration: C, instanceType: string): string | null;
  /** @default - programs find all that POSIX has */
  files?(configuration: C): FileRules;
  /** True where hardware of its servers is to compress: their program `offloaded` counts it (docs/extending.md). @default - processors do */
  offloads?(configuration: C): boolean;
}

/**
 * A kind of file system, in six slices that need no CDK: each is named by the stage that asks for it. A capability that only some kinds have
 * is optional; engines ask for it, never for the kind. The CDK half is lib/constructs/storage/construct.ts.
 */
export interface Storage<C extends StorageConfiguration = StorageConfiguration> {
  /** Name in configurations: `lustre`. */
  readonly kind: string;
  /** For people: `FSx for Lustre`. */
  readonly label: string;
  /** True where the file system is there already and nothing of it is deployed. @default false */
  readonly local?: boolean;
  readonly configuration: ConfigurationSlice<C>;
  readonly documented: DocumentedSlice<C>;
  readonly price: PriceSlice<C>;
  readonly account: AccountSlice<C>;
  readonly client: ClientSlice<C>;
  readonly lab: LabSlice<C>;
}
