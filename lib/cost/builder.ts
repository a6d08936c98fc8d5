import type { CostLine } from '../schema/cost';
import { costLine, noPrice } from './line';
import { type PriceBook, PUBLISHED } from './prices';

/**
 * How long the builder of a deployment lives, in hours: packages and Open MPI take some ten minutes on an instance of the studies' size,
 * half of what a small one needs. Where the builds are there already it is two.
 */
const BUILDER_HOURS = 0.25;

/** What the builder of Open MPI and IOR costs: once a deployment, nothing by the hour. Always on demand. */
export function builderLine(instanceType: string, region: string, book: PriceBook = PUBLISHED): CostLine {
  const price = book.instancePriceOf(instanceType, region);
  const item = `builder (EC2 ${instanceType}, on-demand), once a deployment`;
  const line = costLine(item, BUILDER_HOURS, price, noPrice(instanceType, region));
  // Without a price of the instance type there is none of the fleet either.
  return { ...line, hourly: price === null ? null : 0, onceUsd: price === null ? null : BUILDER_HOURS * price.price };
}
