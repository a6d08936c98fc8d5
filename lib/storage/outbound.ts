import { CLIENT_SERVICES } from '../common/aws/services';
import type { StorageConfiguration } from '../schema/storage';
import { storageOf } from './lookup';

/** The AWS services that the machines of a deployment with these storages call, by the construct id of their interface endpoint. */
export const servicesFor = (storages: readonly StorageConfiguration[]): Readonly<Record<string, string>> =>
  Object.assign({ ...CLIENT_SERVICES }, ...storages.map((one) => storageOf(one).account.outbound?.services));

/** One sentence part for each arm that needs internet access: `with arm moosefs, whose servers …`. */
export const internetNeeds = (
  arms: readonly { readonly name: string; readonly storage: StorageConfiguration }[],
): readonly string[] =>
  arms.flatMap(({ name, storage }) => {
    const why = storageOf(storage).account.outbound?.internet;
    return why === undefined ? [] : [`with arm ${name}, ${why}`];
  });
