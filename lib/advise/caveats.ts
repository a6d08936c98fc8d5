import { type AnyConfiguration, storageOf, withKind } from '../storage/lookup';
import type { Breach } from '../storage/storage';

/** Warnings that speak against buying a file system. */
export function caveatsOf(configuration: AnyConfiguration): readonly Breach[] {
  return storageOf(configuration).candidates?.caveats?.(withKind(configuration)) ?? [];
}
