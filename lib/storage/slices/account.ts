import type { AccountQuota } from '../../common/aws/account';
import type { InstanceLaunch } from '../../common/aws/launch';
import type { Mount } from '../../common/mounts';
import type { StorageConfiguration } from '../../schema/deployment';
import type { Described } from '../../schema/run';
import type { ResourceSearch } from '../search';

/** Share of a quota that one configuration uses; that of its instances and their volumes is known from its launches. */
export type Quota<C extends StorageConfiguration = StorageConfiguration> = AccountQuota & {
  of(configuration: C): number;
};

/** A storage in an AWS account: its resources, and the quotas that a deployment uses. */
export interface AccountSlice<C extends StorageConfiguration = StorageConfiguration> {
  /** Reads a configuration from the service's description; `null` where that is not of this kind. @param planned has what the service leaves out */
  fromDescription(described: Described | null, planned?: C | null): C | null;
  /** Asks the service what it knows of its file systems; what it does not know is left out. @default - there is nobody to ask */
  describeAll?(ids: readonly string[]): Promise<ReadonlyMap<string, Described>>;
  /** The id of the mounted file system, from its device or the service; `null` for another kind. @default - the mount does not contain it */
  identify?(mount: Mount): Promise<string | null>;
  /** Why CloudFormation can neither update a deployed one to another nor replace it by that; `null` if it can do either. @default - it can */
  refusesUpdate?(deployed: C, planned: C): string | null;
  /** Imports of the names in a bucket that FSx makes after the deployment: a run waits for them. @default - it imports nothing */
  imports?(configuration: C): number;
  /** Finds what of it costs money in an account. @default - it is made of instances and volumes, which others find */
  readonly search?: ResourceSearch;
  /** @default - none */
  readonly quotas?: readonly Quota<C>[];
  /** The instances that it consists of. @default - the service's own */
  launches?(configuration: C): readonly InstanceLaunch[];
  /** Addresses in the subnet of the clients that its service takes; each instance takes one more. @default - none */
  addresses?(configuration: C): number;
  /**
   * Endpoints that its machines call next to those of every client: AWS services by the construct id of their interface endpoint, and the
   * reason why there must be internet access, to complete "with arm moosefs, ". @default - none
   */
  readonly outbound?: { readonly services?: Readonly<Record<string, string>>; readonly internet?: string };
}
