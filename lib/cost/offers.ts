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
  awskms: (_, usage) => (usage === 'KMS-Keys' ? { item: 'kms/key', unit: 'month' } : null),
};

const selectorsOf = (code: string): OfferSelector[] =>
  [OFFERS, ...STORAGES.map(({ price: { offers = {} } }) => offers)].flatMap((all) => all[code] ?? []);

/** The services whose lists are read. */
export const OFFER_CODES = [
  ...new Set([...STORAGES.flatMap(({ price: { offers = {} } }) => Object.keys(offers)), ...Object.keys(OFFERS)]),
];

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
  const usage = usagetype.replace(REGION_PREFIX, '');
  const [found = null] = selectorsOf(code).flatMap((select) => select(row, usage) ?? []);
  return found === null ? null : { ...found, price };
}
