import type { LustreConfiguration } from '../storage/lustre/configuration';
import { automaticMetadataIops, describeLustre, kindOf } from '../storage/lustre/documented';
import { readCacheGiB } from '../storage/lustre/limits';
import { basisOf, type PriceBasis } from './basis';
import { type Confidence, CURRENCY, HOURS_PER_MONTH, type Price, type PriceBook, PUBLISHED } from './prices';

/** One thing that costs money while it is there, in USD. */
export interface CostLine {
  readonly item: string;
  readonly quantity: number | null;
  readonly unit: string;
  readonly unitPrice: number | null;
  /** quantity × unitPrice, a month taken as 730 hours; `null` with a `reason` where one of them is not known. */
  readonly hourly: number | null;
  /** What it costs once a deployment; its `hourly` is then 0. `null` where the price is not known. @default - nothing */
  readonly onceUsd?: number | null;
  readonly source: string;
  /** Day, month or year of the price; `null` where its source names none, or there is no price. */
  readonly asOf: string | null;
  /** `null` without a price. */
  readonly confidence: Confidence | null;
  readonly reason?: string;
  /** The price that is not known, where that is the reason. */
  readonly missingPrice?: string;
}

/** What `fsxbench cost --json` prints. */
export interface CostDocument {
  readonly schema: 'fsxbench.cost/1';
  readonly currency: string;
  readonly region: string;
  /** The youngest price that is known; what each line is of stands there. */
  readonly pricesAsOf: string;
  readonly basis: PriceBasis;
  readonly hoursPerMonth: number;
  /** `null` where one of the lines is. */
  readonly hourly: number | null;
  readonly reason?: string;
  readonly lines: readonly CostLine[];
}

/** How the clients are paid for. */
export type PurchaseKind = 'on-demand' | 'spot' | 'capacity-reservation';

/** A line from a price; without one, a line that says so. */
export function costLine(
  item: string,
  quantity: number,
  price: Price | null,
  { missing, reason, unit = 'hour' }: { readonly missing?: string; readonly reason: string; readonly unit?: string },
): CostLine {
  if (price === null) {
    const none = { unitPrice: null, hourly: null, source: 'none', asOf: null, confidence: null, reason };
    return { item, quantity, unit, ...none, ...(missing === undefined ? {} : { missingPrice: missing }) };
  }
  const hours = price.unit === 'hour' ? 1 : HOURS_PER_MONTH;
  const date = price.asOf === null ? '' : ` (${price.asOf})`;
  return {
    item,
    quantity,
    unit: price.unit,
    unitPrice: price.price,
    hourly: (quantity * price.price) / hours,
    source: `${price.source}${date}; ${price.confidence}`,
    asOf: price.asOf,
    confidence: price.confidence,
  };
}

/**
 * List price of a file system. Compression changes nothing in it: what is provisioned is what is paid.
 *
 * @param storedGiB what Intelligent-Tiering is billed for; elsewhere it does not matter
 */
export function lustreLines(
  configuration: LustreConfiguration,
  region: string,
  {
    label = 'FSx for Lustre',
    storedGiB,
    book = PUBLISHED,
  }: { readonly label?: string; readonly storedGiB?: number; readonly book?: PriceBook } = {},
): readonly CostLine[] {
  const { storageCapacityGiB = 0, perUnitStorageThroughput, driveCacheType, customerManagedKey } = configuration;
  const kind = kindOf(configuration);
  const priced = (what: string, quantity: number, item: string, unit: string) =>
    costLine(`${label}: ${what}`, quantity, book.priceOf(item, region), { ...noPrice(item, region), unit });
  const lines: CostLine[] = [];
  if (kind === 'PERSISTENT_2_INTELLIGENT_TIERING') {
    const { throughputCapacity = 0 } = configuration;
    lines.push(priced('throughput', throughputCapacity, `fsx/${kind}/throughput`, 'MBps-month'));
    const cache = readCacheGiB(configuration);
    if (cache > 0) lines.push(priced('read cache', cache, `fsx/${kind}/read-cache`, 'GB-month'));
    // Requests are billed, too, by use.
    for (const what of ['storage', 'monitoring'])
      lines.push(
        storedGiB === undefined
          ? unknownQuantity(`${label}: ${what}`, book.priceOf(`fsx/${kind}/${what}`, region))
          : priced(what, storedGiB, `fsx/${kind}/${what}`, 'GB-month'),
      );
    const { metadata } = configuration;
    const iops = metadata?.mode === 'USER_PROVISIONED' ? metadata.iops : 0;
    lines.push(priced('metadata IOPS', iops, `fsx/${kind}/metadata-iops`, 'IOPS-month'));
  } else {
    const tier = [kind ?? 'unknown', perUnitStorageThroughput, driveCacheType].filter((part) => part !== undefined);
    const what = `storage (${describeLustre(configuration)})`;
    lines.push(priced(what, storageCapacityGiB, `fsx/${tier.join('/')}`, 'GB-month'));
    const extra = extraMetadataIops(configuration);
    if (extra > 0)
      lines.push(priced('metadata IOPS above the included ones', extra, 'fsx/metadata-iops', 'IOPS-month'));
  }
  if (customerManagedKey) lines.push(priced('key', 1, 'kms/key', 'month'));
  return lines;
}

/** Metadata IOPS that are paid for: those above what AUTOMATIC would give to the capacity. Source: guide/performance. */
export function extraMetadataIops({ metadata, storageCapacityGiB = 0 }: LustreConfiguration): number {
  if (metadata?.mode !== 'USER_PROVISIONED') return 0;
  return Math.max(0, metadata.iops - automaticMetadataIops(storageCapacityGiB));
}

/** Metrics that EC2's detailed monitoring bills for each instance, at the price of custom metrics. Source: CloudWatch pricing. */
const DETAILED_METRICS = 7;

/** List price of the clients, their detailed monitoring and their root volumes (gp3 with the included IOPS and throughput). */
export function fleetLines(
  fleet: {
    readonly instanceType: string;
    readonly clients: number;
    /** @default 0: without volumes */
    readonly rootVolumeGiB?: number;
    /** @default on-demand */
    readonly purchase?: PurchaseKind;
  },
  region: string,
  book: PriceBook = PUBLISHED,
): readonly CostLine[] {
  const { instanceType, clients, rootVolumeGiB = 0, purchase = 'on-demand' } = fleet;
  const price = book.instancePriceOf(instanceType, region);
  const item = `EC2 ${instanceType}, ${purchase}`;
  const spot = `the price of Spot changes with demand${price === null ? '' : `; on demand it is ${price.price} an hour`}`;
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

/** List price of what is there by number: gateways, endpoints, addresses, dashboards, alarms. What passes through them costs extra. */
export function countedLines(
  counts: Readonly<Record<string, number>>,
  region: string,
  book: PriceBook = PUBLISHED,
): readonly CostLine[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([item, count]) =>
      costLine(TITLES[item] ?? item, count, book.priceOf(item, region), {
        ...noPrice(item, region),
        unit: unitOf(item),
      }),
    );
}

/** The sum of the lines, or why there is none. */
export function sumOf(lines: readonly CostLine[]): { readonly hourlyUsd: number | null; readonly reason?: string } {
  const unknown = lines.filter(({ hourly }) => hourly === null);
  if (unknown.length > 0) {
    return { hourlyUsd: null, reason: unknown.map(({ item, reason }) => `${item}: ${reason}`).join('; ') };
  }
  return { hourlyUsd: lines.reduce((sum, { hourly }) => sum + (hourly ?? 0), 0) };
}

/** Lines as the document that the command prints. */
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
};

function unitOf(item: string): string {
  return item.startsWith('vpc/') ? 'hour' : 'month';
}

/** Why a line has no price. */
export function noPrice(item: string, region: string): { readonly missing: string; readonly reason: string } {
  return { missing: item, reason: `no price of ${item} in ${region} is known` };
}

function unknownQuantity(item: string, price: Price | null): CostLine {
  const { source = 'none', asOf = null, confidence = null, price: unitPrice = null } = price ?? {};
  const reason = 'storage is elastic: what is stored is billed';
  return { item, quantity: null, unit: 'GB-month', unitPrice, hourly: null, source, asOf, confidence, reason };
}
