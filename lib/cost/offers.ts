import { KINDS } from '../storage/lustre/documented';
import { EVERY_REGION } from './prices';

/** A row of a price list by the names of its columns, in small letters without blanks: AWS writes both `usageType` and `Usage Type`. */
export type OfferRow = Readonly<Record<string, string>>;

/** The price in a row of AWS's lists. */
export interface Offered {
  /** `fsx/SCRATCH_2` …, or the type of an instance. */
  readonly item: string;
  readonly unit: string;
  readonly instance?: true;
  /** @default - that of the list */
  readonly region?: typeof EVERY_REGION;
}

type Selector = (row: OfferRow, usage: string) => Offered | null;

/**
 * How to interpret rows of AWS's public price lists, by service code. Columns and usage types as AWS's lists have them: of FSx
 * `USW2-Storage` is SCRATCH_2, `USW2-Storage.SSD.50` a tier (https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonFSx/current/us-west-2/index.json
 * of 2026-07-14, as others recorded it). What is not listed here, such as storage of Intelligent-Tiering, is not taken.
 */
const OFFERS: Readonly<Record<string, Selector>> = {
  AmazonFSx: (row, usage) => {
    if (row.filesystemtype !== 'Lustre') return null;
    const { productfamily, storagetype, unit } = row;
    const tiering = /intelligent|\bINT\b/i.test(`${storagetype} ${usage}`);
    if (productfamily === 'Provisioned Throughput' && /^Mi?Bps-Mo$/i.test(unit ?? ''))
      return { item: 'fsx/PERSISTENT_2_INTELLIGENT_TIERING/throughput', unit: 'MBps-month' };
    if (productfamily === 'Provisioned IOPS' && unit === 'IOPS-Mo') {
      const item = tiering ? 'fsx/PERSISTENT_2_INTELLIGENT_TIERING/metadata-iops' : 'fsx/metadata-iops';
      return { item, unit: 'IOPS-month' };
    }
    if (unit !== 'GB-Mo' || tiering) return null;
    const item = usage.endsWith('BackupUsage') ? 'fsx/backup' : storageItem(row, usage);
    return item === null ? null : { item, unit: 'GB-month' };
  },
  AmazonEC2: (row, usage) => {
    if (usage === 'EBS:VolumeUsage.gp3' && row.unit === 'GB-Mo') return { item: 'ebs/gp3', unit: 'GB-month' };
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
  awskms: (_, usage) => (usage === 'KMS-Keys' ? { item: 'kms/key', unit: 'month' } : null),
};

/** The services whose lists are read. */
export const OFFER_CODES = Object.keys(OFFERS);

/** Columns without which a row cannot be interpreted. */
export const NEEDED_COLUMNS = ['termtype', 'unit', 'priceperunit', 'currency', 'productfamily', 'usagetype'] as const;

/** The name of a column as rows have it. */
export const columnName = (text: string): string =>
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
  const found = OFFERS[code]?.(row, usagetype.replace(REGION_PREFIX, '')) ?? null;
  return found === null ? null : { ...found, price };
}

/** Storage by type, throughput and cache. */
function storageItem({ storagetype, throughputcapacity, pricedescription }: OfferRow, usage: string): string | null {
  if (storagetype === 'HDD') {
    const known = KINDS.PERSISTENT_1_HDD.perUnit.some((tier) => String(tier) === throughputcapacity);
    const cache = /cache/i.test(`${usage} ${pricedescription}`) ? 'READ' : 'NONE';
    return known ? `fsx/PERSISTENT_1_HDD/${throughputcapacity}/${cache}` : null;
  }
  if (storagetype !== 'SSD') return null;
  if (usage === 'Storage') return 'fsx/SCRATCH_2';
  const kind = (['PERSISTENT_1_SSD', 'PERSISTENT_2_SSD'] as const).find((each) =>
    KINDS[each].perUnit.some((tier) => usage === `Storage.SSD.${tier}`),
  );
  return kind === undefined ? null : `fsx/${kind}/${usage.split('.').at(-1)}`;
}
