import type { StorageConfiguration } from '../schema/storage';
import type { AccountSlice } from './slices/account';
import type { ClientSlice } from './slices/client';
import type { ConfigurationSlice } from './slices/configuration';
import type { DocumentedSlice } from './slices/documented';
import type { LabSlice } from './slices/lab';
import type { PriceSlice } from './slices/price';

export type { StorageConfiguration } from '../schema/storage';

/**
 * A kind of file system, in six slices that need no CDK: each is named by the stage that asks for it. A capability that only some kinds have
 * is optional; engines ask for it, never for the kind. The CDK half is lib/storage/construct.ts.
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
