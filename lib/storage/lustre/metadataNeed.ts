import type { MetadataCapability } from '../slices/documented';
import { nextMetadataIops } from './documented';
import { metadataRatesAt } from './limits';
import { METADATA_IOPS } from './types';

/** Documented operations per second for one metadata IOPS; `null` if no rate is published. */
export function operationsPerIops(operation: string): number | null {
  const rates: Readonly<Record<string, number>> = metadataRatesAt(1);
  // "File create, open and close" have one rate. `predict` does not have it, since clients answer opens from their caches as well.
  return rates[operation === 'file_open' ? 'file_create' : operation] ?? null;
}

/** The metadata IOPS that so many operations per second need, as AWS provisions them. */
export function neededIops(operation: string, perSecond: number): ReturnType<MetadataCapability['needed']> {
  const factor = operationsPerIops(operation);
  if (factor === null) return { value: null, reason: `AWS publishes no rate for ${operation}` };
  const iops = perSecond / factor;
  if (iops > METADATA_IOPS.max)
    return {
      value: null,
      reason: `it needs ${Math.round(iops)} metadata IOPS, and AWS provisions at most ${METADATA_IOPS.max}`,
    };
  return { value: nextMetadataIops(iops), reason: null };
}
