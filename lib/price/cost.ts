import { counted } from '../common/format/units';
import type { CostLine } from '../schema/cost';
import { costLine, instanceLine, itemLine } from './line';
import { CURRENCY, HOURS_PER_MONTH, type PriceBook, PUBLISHED } from './prices';

/** Output of `fsxbench cost --json`. */
export interface CostDocument {
  readonly schema: 'fsxbench.cost/1';
  readonly currency: string;
  readonly region: string;
  /** Date of the newest known price; each line has its own date. */
  readonly pricesAsOf: string;
  readonly basis: PriceBasis;
  readonly hoursPerMonth: number;
  /** `null` where one of the lines is. */
  readonly hourly: number | null;
  readonly reason?: string;
  readonly lines: readonly CostLine[];
}

/** List price of countable items: gateways, endpoints, addresses, dashboards, alarms. Traffic through them costs extra. */
export const countedLines = (
  counts: Readonly<Record<string, number>>,
  region: string,
  book: PriceBook = PUBLISHED,
): readonly CostLine[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([item, count]) =>
      itemLine(TITLES[item] ?? item, count, item, { region, book }, item.startsWith('vpc/') ? 'hour' : 'month'),
    );

/** The total of the lines, or the reason why it is not known. */
export function sumOf(lines: readonly CostLine[]): { readonly hourlyUsd: number | null; readonly reason?: string } {
  const unknown = lines.filter(({ hourly }) => hourly === null);
  if (unknown.length > 0)
    return { hourlyUsd: null, reason: unknown.map(({ item, reason }) => `${item}: ${reason}`).join('; ') };
  return { hourlyUsd: knownUsd(lines) };
}

/** The known part of a sum, which is all of it unless a line is unknown. */
export const knownUsd = (lines: readonly CostLine[]): number =>
  lines.reduce((sum, { hourly }) => sum + (hourly ?? 0), 0);

/** The known part of a sum at the lower ends of prices that are ranges. */
export const lowUsd = (lines: readonly CostLine[]): number =>
  lines.reduce((sum, { hourly, hourlyLow }) => sum + (hourlyLow ?? hourly ?? 0), 0);

export function costDocument(region: string, lines: readonly CostLine[], book: PriceBook = PUBLISHED): CostDocument {
  const { hourlyUsd: hourly, reason } = sumOf(lines);
  return {
    schema: 'fsxbench.cost/1',
    currency: CURRENCY,
    region,
    pricesAsOf: book.asOf,
    basis: basisOf(lines, region),
    hoursPerMonth: HOURS_PER_MONTH,
    hourly,
    ...(reason === undefined ? {} : { reason }),
    lines,
  };
}

const TITLES: Readonly<Record<string, string>> = {
  'vpc/nat-gateway': 'NAT gateway',
  'vpc/public-ipv4': 'public IPv4 address',
  'vpc/interface-endpoint': 'interface endpoint',
  'cloudwatch/metric': 'metrics of detailed monitoring',
  'cloudwatch/dashboard': 'CloudWatch dashboard',
  'cloudwatch/alarm-metric': 'metrics that alarms watch',
  'cloudwatch/composite-alarm': 'composite alarms',
  'route53/hosted-zone': 'hosted zone',
};

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

export type PriceBasis = ReturnType<typeof basisOf>;

export function basisOf(lines: readonly CostLine[], region: string) {
  const priced = lines.filter(({ unitPrice }) => unitPrice !== null);
  const dates = priced.flatMap(({ asOf }) => asOf ?? []).sort();
  const count = (holds: (line: CostLine) => boolean): number => priced.filter(holds).length;
  return {
    region,
    /** Day, month or year; `null` if no price is dated. */
    oldest: dates[0] ?? null,
    newest: dates.at(-1) ?? null,
    /** Lines with a price, and how many of these are not from AWS's own pages and lists, or lack a date. */
    priced: priced.length,
    thirdParty: count(({ confidence }) => confidence === 'third-party'),
    assumed: count(({ confidence }) => confidence === 'assumed'),
    /** Ranges from other Regions. */
    estimated: count(({ confidence }) => confidence === 'estimated'),
    undated: count(({ asOf }) => asOf === null),
  };
}

/** Words for a basis: `list prices of us-east-1, 2020 to 2026-10-09; of 9 prices 5 are third-party, 2 assumed, 1 without a date`. */
export function describeBasis(basis: PriceBasis): string {
  const { region, oldest, newest, priced, thirdParty, assumed, estimated, undated } = basis;
  const dates = oldest === null ? 'without a date' : oldest === newest ? oldest : `${oldest} to ${newest}`;
  const doubts = (
    [
      [thirdParty, 'third-party'],
      [assumed, 'assumed'],
      [estimated, 'estimated from other Regions'],
      [oldest === null ? 0 : undated, 'without a date'],
    ] as const
  ).filter(([count]) => count > 0);
  return `${estimated < priced ? 'list ' : ''}prices of ${region}, ${dates}; ${describeDoubt(doubts, priced)}`;
}

function describeDoubt(doubts: readonly (readonly [count: number, words: string])[], priced: number): string {
  const [[count, words] = []] = doubts;
  if (count === undefined) return "all AWS's own";
  if (count === priced && doubts.length === 1) return `${priced > 1 ? 'all ' : ''}${words}`;
  return `of ${counted(priced, 'price')} ${doubts.map((doubt) => doubt.join(' ')).join(', ')}`;
}

/** Unknown prices and the next step; `null` if all are known. */
export function missingPrices(lines: readonly CostLine[], region: string): string | null {
  const items = [...new Set(lines.flatMap(({ missingPrice }) => missingPrice ?? []))];
  return items.length === 0 ? null : `the price of ${items.join(', ')} in ${region} is unknown. ${refreshStep(region)}`;
}

const refreshStep = (region: string): string =>
  `Fetch AWS's price lists, if they can be reached: npx fsxbench cost --refresh --region ${region}; or write prices.json yourself (docs/cost.md)`;
