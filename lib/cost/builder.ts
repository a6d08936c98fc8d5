import type { CostLine } from './cost';
import { instancePriceOf } from './prices';

/**
 * How long the builder of a deployment lives, in hours: packages and Open MPI take some ten minutes on an instance of the studies' size,
 * half of what a small one needs. Where the builds are there already it is two.
 */
const BUILDER_HOURS = 0.25;

/** What the builder of Open MPI and IOR costs: once a deployment, nothing by the hour. Always on demand. */
export function builderLine(instanceType: string, region: string): CostLine {
  const price = instancePriceOf(instanceType, region);
  return {
    item: `builder (EC2 ${instanceType}, on-demand), once a deployment`,
    quantity: BUILDER_HOURS,
    unit: 'hour',
    unitPrice: price?.price ?? null,
    // Without a price of the instance type there is none of the fleet either.
    hourly: price === null ? null : 0,
    onceUsd: price === null ? null : BUILDER_HOURS * price.price,
    source: price?.source ?? 'none',
    ...(price === null ? { reason: `no price of ${instanceType} in ${region} is known` } : {}),
  };
}
