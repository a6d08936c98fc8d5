import { storageOf } from './lookup';
import type { StorageConfiguration } from './storage';

/** Arms of which each brings servers, prices and addresses of its own: of those that share them, the first. */
export function withoutSharers<A extends { readonly storage: StorageConfiguration }>(arms: readonly A[]): readonly A[] {
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
