import type { AnyConfiguration } from '../schema/storage';
import { storageOf, withKind } from '../storage/lookup';
import type { Warning } from '../storage/slices/configuration';

/** Warnings that speak against buying a file system. */
export const caveatsOf = (configuration: AnyConfiguration): readonly Warning[] =>
  storageOf(configuration).price.candidates?.caveats?.(withKind(configuration)) ?? [];
