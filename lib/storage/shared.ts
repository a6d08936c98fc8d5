import type { StorageConfiguration } from '../schema/deployment';
import { storageOf } from './lookup';

/** One arm for each set of servers, prices and addresses: of arms that share them, the first. */
export function onePerServerSet<A extends { readonly storage: StorageConfiguration }>(
  arms: readonly A[],
): readonly A[] {
  const seen = new Set<string>();
  return arms.filter(({ storage }) => {
    const { kind, price } = storageOf(storage);
    if (price.shared === undefined) return true;
    const key = `${kind} ${price.shared(storage)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
