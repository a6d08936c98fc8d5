import type { CostLine } from '../schema/cost';
import { costLine, noPrice } from './line';
import { type PriceBook, PUBLISHED } from './prices';

/**
 * Lifetime of a deployment's builder, in hours: packages and Open MPI take some ten minutes on an instance of the studies' size,
 * half as long as on a small one. If the builds are cached it is two minutes.
 */
const BUILDER_HOURS = 0.25;

/** Cost of the builder of Open MPI and IOR: once per deployment, nothing per hour. Always on demand. */
export function builderLine(instanceType: string, region: string, book: PriceBook = PUBLISHED): CostLine {
  const price = book.instancePriceOf(instanceType, region);
  const item = `builder (EC2 ${instanceType}, on-demand), once per deployment`;
  const line = costLine(item, BUILDER_HOURS, price, noPrice(instanceType, region));
  // Without a price for the instance type there is none for the fleet either.
  return { ...line, hourly: price === null ? null : 0, onceUsd: price === null ? null : BUILDER_HOURS * price.price };
}
