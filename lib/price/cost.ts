import type { CostLine } from '../schema/cost';
import { basisOf, type PriceBasis } from './basis';
import { itemLine } from './line';
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
