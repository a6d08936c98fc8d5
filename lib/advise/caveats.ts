import { type AnyConfiguration, storageOf, withKind } from '../storage/lookup';
import type { Warning } from '../storage/slices/configuration';

/** Warnings that speak against buying a file system. */
export function caveatsOf(configuration: AnyConfiguration): readonly Warning[] {
  return storageOf(configuration).price.candidates?.caveats?.(withKind(configuration)) ?? [];
}
