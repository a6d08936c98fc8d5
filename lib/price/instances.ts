import type { PricedFleet } from '../fleet/fleet';
import type { CostLine, Prices } from '../schema/cost';
import { countedLines } from './cost';
import { costLine, noPrice } from './line';
import { PUBLISHED } from './prices';

/** Metrics that EC2's detailed monitoring bills for each instance, at the price of custom metrics. Source: CloudWatch pricing. */
const DETAILED_METRICS = 7;

/** List price of the clients, their detailed monitoring and their root volumes (gp3 with the included IOPS and throughput). */
export function instanceLines(fleet: PricedFleet, region: string, book: Prices = PUBLISHED): readonly CostLine[] {
  const { instanceType, clients, rootVolumeGiB = 0, purchase = 'on-demand' } = fleet;
  const price = book.instancePriceOf(instanceType, region);
  const item = `EC2 ${instanceType}, ${purchase}`;
  const spot = `the price of Spot changes with demand${price === null ? '' : `; on demand it is ${price.price} per hour`}`;
  // A capacity reservation costs the same as the instances in it, used or not.
  const instances =
    purchase === 'spot'
      ? costLine(item, clients, null, { reason: spot })
      : costLine(item, clients, price, noPrice(instanceType, region));
  const [monitoring] = countedLines({ 'cloudwatch/metric': clients * DETAILED_METRICS }, region, book) as [CostLine];
  if (rootVolumeGiB === 0) return [instances, monitoring];
  const volumes = clients * rootVolumeGiB;
  const gp3 = costLine('EBS gp3 root volumes', volumes, book.priceOf('ebs/gp3', region), {
    ...noPrice('ebs/gp3', region),
    unit: 'GB-month',
  });
  return [instances, monitoring, gp3];
}

/**
 * Lifetime of a deployment's builder, in hours: packages and Open MPI take some ten minutes on an instance of the studies' size,
 * half as long as on a small one. If the builds are cached it is two minutes.
 */
const BUILDER_HOURS = 0.25;

/** Cost of the builder of Open MPI and IOR: once per deployment, nothing per hour. Always on demand. */
export function builderLine(instanceType: string, region: string, book: Prices = PUBLISHED): CostLine {
  const price = book.instancePriceOf(instanceType, region);
  const item = `builder (EC2 ${instanceType}, on-demand), once per deployment`;
  const line = costLine(item, BUILDER_HOURS, price, noPrice(instanceType, region));
  // Without a price for the instance type there is none for the fleet either.
  return { ...line, hourly: price === null ? null : 0, onceUsd: price === null ? null : BUILDER_HOURS * price.price };
}
