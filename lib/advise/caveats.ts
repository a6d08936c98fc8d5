import { type AnyConfiguration, storageOf, withKind } from '../storage/lookup';
import type { Breach } from '../storage/slices/configuration';

/** Warnings that speak against buying a file system. */
export function caveatsOf(configuration: AnyConfiguration): readonly Breach[] {
  return storageOf(configuration).price.candidates?.caveats?.(withKind(configuration)) ?? [];
}
