import { Readable } from 'node:stream';
import * as z from 'zod';
import { proxyFetch } from '../common/aws/connection';
import { CURRENCY, type PriceFile } from '../price/prices';
import { EVERY_REGION, type Offered, type OfferRow, type OfferSelector } from '../schema/cost';
import { STORAGES } from '../storage/registry';

/** Interpretation of rows of AWS's public price lists, by service code; the storages interpret their own. */
const OFFERS: Readonly<Record<string, OfferSelector>> = {
  AmazonEC2: (row, usage) => {
    if (usage === 'EBS:VolumeUsage.gp3' && row.unit === 'GB-Mo') return { item: 'ebs/gp3', unit: 'GB-month' };
    if (usage === 'EBS:VolumeP-IOPS.gp3' && row.unit === 'IOPS-Mo') return { item: 'ebs/gp3-iops', unit: 'IOPS-month' };
    if (usage === 'EBS:VolumeP-Throughput.gp3' && row.unit === 'GiBps-mo')
      return { item: 'ebs/gp3-throughput', unit: 'GiBps-month' };
    if (row.unit !== 'Hrs') return null;
    if (usage === 'NatGateway-Hours') return { item: 'vpc/nat-gateway', unit: 'hour' };
    const linux = row.operatingsystem === 'Linux' && row.preinstalleds_w === 'NA' && row.tenancy === 'Shared';
    if (!linux || row.capacitystatus !== 'Used' || !usage.startsWith('BoxUsage')) return null;
    return { item: row.instancetype ?? '', unit: 'hour', instance: true };
  },
  AmazonVPC: (row, usage) => {
    const item = { 'VpcEndpoint-Hours': 'vpc/interface-endpoint', 'PublicIPv4:InUseAddress': 'vpc/public-ipv4' }[usage];
    return item === undefined || row.unit !== 'Hrs' ? null : { item, unit: 'hour' };
  },
  // Usage types: Athena queries for CloudWatch costs (CloudWatch user guide, CloudWatch billing and cost).
  AmazonCloudWatch: (_, usage) => {
    const item = {
      'CW:MetricMonitorUsage': 'cloudwatch/metric',
      'CW:AlarmMonitorUsage': 'cloudwatch/alarm-metric',
      'CW:CompositeAlarmMonitorUsage': 'cloudwatch/composite-alarm',
    }[usage];
    if (item !== undefined) return { item, unit: 'month' };
    return usage === 'DashboardsUsageHour'
      ? { item: 'cloudwatch/dashboard', unit: 'month', region: EVERY_REGION }
      : null;
  },
};

const selectorsOf = (code: string): OfferSelector[] =>
  [OFFERS, ...STORAGES.map(({ price: { offers = {} } }) => offers)].flatMap((all) => all[code] ?? []);

const OFFER_CODES = [
  ...new Set([...STORAGES.flatMap(({ price: { offers = {} } }) => Object.keys(offers)), ...Object.keys(OFFERS)]),
];

/** Columns without which a row cannot be interpreted. */
const NEEDED_COLUMNS = ['termtype', 'unit', 'priceperunit', 'currency', 'productfamily', 'usagetype'] as const;

const columnName = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\s/g, '')
    .replaceAll(/[^a-z0-9]/g, '_');

/** The first part of a usage type names a Region: `USE2-`, `EU-`, `eu-central-1-`; of us-east-1 it is mostly absent. */
const REGION_PREFIX = /^(?:[A-Z]{2,4}\d?|[a-z]{2}(?:-[a-z]+)+-\d)-/;

/** The item and the price in USD of a row; `null` if it is not needed. */
export function offered(code: string, row: OfferRow): (Offered & { readonly price: number }) | null {
  const { termtype, currency, startingrange = '0', priceperunit, usagetype = '' } = row;
  const price = Number(priceperunit);
  // The first tier of a price that decreases with the quantity.
  if (termtype !== 'OnDemand' || currency !== 'USD' || !(price > 0) || Number(startingrange) !== 0) return null;
  const usage = usagetype.replace(REGION_PREFIX, '');
  const [found = null] = selectorsOf(code).flatMap((select) => select(row, usage) ?? []);
  return found === null ? null : { ...found, price };
}

/** AWS's public price lists. Source: https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/using-ppslong.html */
const PRICE_LISTS = 'https://pricing.us-east-1.amazonaws.com';

/** EC2's list for one Region is hundreds of megabytes. */
const LIST_MS = 30 * 60_000;
const INDEX_MS = 60_000;

/** A CSV list begins with five lines of name and value, then the names of columns. Source: AWS Billing user guide, reading price lists. */
const METADATA_LINES = 5;

const regionIndex = z.looseObject({
  regions: z.record(z.string(), z.looseObject({ currentVersionUrl: z.string().regex(/^\/offers\/[\w./-]+\.json$/) })),
});

interface RefreshOptions {
  /** Base address of the lists. @default AWS */
  readonly from?: string;
  readonly onProgress?: (code: string) => void;
}

/** AWS's list prices for one Region. */
export interface Refreshed {
  readonly file: PriceFile;
  /** Items with several prices, which were skipped. */
  readonly ambiguous: readonly string[];
}

/** Reads AWS's public price lists for a Region: FSx, EC2, VPC, CloudWatch. Lists are streamed and not stored. @throws Error for an unusable list */
export async function refreshPrices(
  region: string,
  { from = PRICE_LISTS, onProgress }: RefreshOptions,
): Promise<Refreshed> {
  proxyFetch();
  const found = new Map<string, Found>();
  let asOf = '';
  for (const code of OFFER_CODES) {
    onProgress?.(code);
    const published = await readList(code, region, from, (one) => {
      const key = `${one.region ?? region} ${one.item}`;
      const known = found.get(key);
      if (known) known.prices.add(one.price);
      else found.set(key, { ...one, code, prices: new Set([one.price]) });
    });
    for (const each of found.values()) if (each.code === code) each.asOf = published;
    if (published > asOf) asOf = published;
  }
  const clear = [...found.values()].filter(({ prices }) => prices.size === 1);
  const ambiguous = [...found.values()].filter(({ prices }) => prices.size > 1);
  const file = priceFileOf(region, asOf, clear);
  if (!file.prices.some(({ item }) => item.startsWith('fsx/')))
    throw new Error(`AWS's price list AmazonFSx for ${region} has no Lustre price in a known format: ${from}`);
  return { file, ambiguous: ambiguous.map(({ item }) => item).sort() };
}

const origin = (code: string, asOf: string) => ({ source: `AWS price list ${code}`, asOf, confidence: 'aws' as const });

function priceFileOf(region: string, asOf: string, found: readonly Found[]): PriceFile {
  const items = found
    .filter(({ instance }) => !instance)
    .map(({ item, unit, price, code, asOf: day = asOf, region: own = region }) => {
      return { item, region: own, unit, price, ...origin(code, day) };
    });
  const instances = found.filter(({ instance }) => instance);
  const prices = Object.fromEntries(instances.map(({ item, price }) => [item, price] as const).sort());
  const own = { region, ...origin('AmazonEC2 (on demand, Linux)', instances[0]?.asOf ?? asOf), prices };
  return {
    ...{ schema: 'fsxbench.prices/1', currency: CURRENCY, asOf },
    prices: items.sort((a, b) => (a.item < b.item ? -1 : 1)),
    instances: instances.length === 0 ? [] : [own],
  };
}

type Found = Offered & { readonly price: number; readonly code: string; readonly prices: Set<number>; asOf?: string };

/** Merges refreshed prices into a file's: those of the Region, and of all Regions, are replaced. */
export function mergedPrices(
  old: PriceFile | null,
  { prices, instances, ...file }: PriceFile,
  region: string,
): PriceFile {
  const fresh = new Set(prices.map((each) => `${each.region} ${each.item}`));
  const kept = (old?.prices ?? []).filter(
    (each) => each.region !== region && !(each.region === EVERY_REGION && fresh.has(`${EVERY_REGION} ${each.item}`)),
  );
  const others = (old?.instances ?? []).filter((each) => each.region !== region);
  const asOf = old !== null && old.asOf > file.asOf ? old.asOf : file.asOf;
  return { ...file, asOf, prices: [...kept, ...prices], instances: [...others, ...instances] };
}

/** One list of one Region. @returns the day on which it was published */
async function readList(
  code: string,
  region: string,
  from: string,
  onRow: (row: Offered & { readonly price: number }) => void,
): Promise<string> {
  const index = await get(`${from}/offers/v1.0/aws/${code}/current/region_index.json`, INDEX_MS);
  const parsed = regionIndex.safeParse(await index.json().catch(() => null));
  if (!parsed.success) throw new Error(`${index.url} is not a price list index`);
  const entry = Object.hasOwn(parsed.data.regions, region) ? parsed.data.regions[region] : undefined;
  if (entry === undefined)
    throw new Error(
      `AWS lists no prices of ${code} in ${region}: ${Object.keys(parsed.data.regions).sort().join(', ')}`,
    );
  const url = `${from}${entry.currentVersionUrl.replace(/\.json$/, '.csv')}`;
  const list = await get(url, LIST_MS);
  const { parse } = await import('csv-parse');
  const body = list.body === null ? Readable.from([]) : Readable.fromWeb(list.body as never);
  const records = body.pipe(parse({ relax_column_count: true, bom: true }));
  body.on('error', (error) => records.destroy(error));
  let line = 0;
  let published = '';
  let columns: string[] = [];
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      line += 1;
      if (line <= METADATA_LINES) {
        if (record[0] === 'Publication Date') published = /^\d{4}-\d\d-\d\d/.exec(record[1] ?? '')?.[0] ?? '';
      } else if (line === METADATA_LINES + 1) columns = columnsOf(record);
      else {
        const row = offered(code, Object.fromEntries(columns.map((name, at) => [name, record[at] ?? ''])));
        if (row !== null) onRow(row);
      }
    }
  } catch (error) {
    throw new Error(`${url} is truncated: ${(error as Error).message}`);
  }
  if (columns.length === 0 || published === '')
    throw new Error(`${url} is not a price list: it lacks a date and columns`);
  return published;
}

function columnsOf(record: readonly string[]): string[] {
  const columns = record.map(columnName);
  const absent = NEEDED_COLUMNS.filter((name) => !columns.includes(name));
  if (absent.length > 0) throw new Error(`it has no column ${absent.join(', ')}`);
  return columns;
}

async function get(url: string, milliseconds: number): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(milliseconds) });
      if (!answer.ok) throw new Error(`AWS's price lists answered ${answer.status} to ${url}`);
      return answer;
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
      if (cause === undefined) throw error;
      if (attempt < ATTEMPTS && DROPPED.includes(cause.code ?? '')) continue;
      throw new Error(`AWS's price lists cannot be reached: ${url}: ${cause.code ?? cause.message ?? message}`);
    }
  }
}

/** Errors of a request on a connection that its server closes at that moment, since it was idle for some seconds. */
const DROPPED: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const ATTEMPTS = 3;
