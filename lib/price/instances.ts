import type { CostLine } from '../schema/cost';
import { countedLines } from './cost';
import { costLine, instanceLine, itemLine } from './line';
import { type PriceBook, PUBLISHED } from './prices';

export interface PricedFleet {
  readonly instanceType: string;
  readonly clients: number;
  /** @default 0: without volumes */
  readonly rootVolumeGiB?: number;
  /** @default on-demand */
  readonly purchase?: 'on-demand' | 'spot' | 'capacity-reservation';
}

/** Metrics that EC2's detailed monitoring bills for each instance, at the price of custom metrics. Source: CloudWatch pricing. */
const DETAILED_METRICS = 7;

/** List price of the clients, their detailed monitoring and their root volumes (gp3 with the included IOPS and throughput). */
export function instanceLines(fleet: PricedFleet, region: string, book: PriceBook = PUBLISHED): readonly CostLine[] {
  const { instanceType, clients, rootVolumeGiB = 0, purchase = 'on-demand' } = fleet;
  const price = book.instancePriceOf(instanceType, region);
  const item = `EC2 ${instanceType}, ${purchase}`;
  const spot = `the price of Spot changes with demand${price === null ? '' : `; on demand it is ${price.price} per hour`}`;
  // A capacity reservation costs the same as the instances in it, used or not.
  const instances =
    purchase === 'spot'
      ? costLine(item, clients, null, { reason: spot })
      : instanceLine(item, clients, instanceType, { region, book });
  const [monitoring] = countedLines({ 'cloudwatch/metric': clients * DETAILED_METRICS }, region, book) as [CostLine];
  if (rootVolumeGiB === 0) return [instances, monitoring];
  const volumes = clients * rootVolumeGiB;
  const gp3 = itemLine('EBS gp3 root volumes', volumes, 'ebs/gp3', { region, book }, 'GB-month');
  return [instances, monitoring, gp3];
}

/** Hours of a deployment's builder: about 10 minutes for packages and Open MPI at the studies' size, 20 on a small one, 2 with cached builds. */
const BUILDER_HOURS = 0.25;

/** Cost of the builder for Open MPI and IOR: once per deployment, nothing per hour. Always on demand. */
export function builderLine(instanceType: string, region: string, book: PriceBook = PUBLISHED): CostLine {
  const item = `builder (EC2 ${instanceType}, on-demand), once per deployment`;
  const line = instanceLine(item, BUILDER_HOURS, instanceType, { region, book });
  // Without a price for the instance type there is none for the fleet either.
  const { unitPrice } = line;
  return unitPrice === null ? { ...line, onceUsd: null } : { ...line, hourly: 0, onceUsd: BUILDER_HOURS * unitPrice };
}
