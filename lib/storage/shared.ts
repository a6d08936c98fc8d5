import type { StorageConfiguration } from '../schema/deployment';
import { storageOf } from './lookup';

/** One arm for each set of servers, prices and addresses: of arms that share them, the first. */
export function onePerServerSet<A extends { readonly storage: StorageConfiguration }>(
  arms: readonly A[],
): readonly A[] {
  const sets = Map.groupBy(arms, (arm) => {
    const { kind, price } = storageOf(arm.storage);
    return price.shared === undefined ? arm : `${kind} ${price.shared(arm.storage)}`;
  });
  return [...sets.values()].map(([first]) => first as A);
}
