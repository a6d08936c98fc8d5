import { gp3Lines } from '../../price/gp3';
import { costLine, noPrice } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine, Offered, OfferRow } from '../../schema/cost';
import type { CostOptions } from '../slices/price';
import type { EbsStorage } from './configuration';

/** io2's IOPS are priced in tiers: up to so many, the item. */
const IO2_TIERS = [
  { upTo: 32_000, item: 'ebs/io2-iops' },
  { upTo: 64_000, item: 'ebs/io2-iops-tier2' },
  { upTo: Number.POSITIVE_INFINITY, item: 'ebs/io2-iops-tier3' },
] as const;

/** List price of the volumes: what is provisioned, used or not. */
export function ebsLines(configuration: EbsStorage, options: CostOptions): readonly CostLine[] {
  const { volumeType, volumeGiB: sizeGiB, volumes = 1, iops = 0, throughputMiBps } = configuration;
  const { region, label = 'EBS', book = PUBLISHED } = options;
  if (volumeType === 'gp3') return gp3Lines({ sizeGiB, iops: configuration.iops, throughputMiBps }, volumes, options);
  const line = (what: string, each: number, item: string, unit: string): CostLine =>
    costLine(`${label}: ${what}`, volumes * each, book.priceOf(item, region), { ...noPrice(item, region), unit });
  const lines = [line(`${volumes} × ${volumeType} ${sizeGiB} GiB`, sizeGiB, `ebs/${volumeType}`, 'GB-month')];
  let from = 0;
  for (const { upTo, item } of volumeType === 'io2' ? IO2_TIERS : []) {
    const inTier = Math.min(iops, upTo) - from;
    if (inTier > 0) lines.push(line(`IOPS ${from + 1} to ${from + inTier}`, inTier, item, 'IOPS-month'));
    from = upTo;
  }
  return lines;
}

/**
 * Usage types of the price list AmazonEC2 (billing codes: https://cur.vantage.sh/aws/amazon%20elastic%20block%20storage%20(ebs)/); gp3 is
 * read for all (lib/cost/offers.ts).
 */
const OFFERED: Readonly<Record<string, Offered>> = {
  'EBS:VolumeUsage.gp2': { item: 'ebs/gp2', unit: 'GB-month' },
  'EBS:VolumeUsage.io2': { item: 'ebs/io2', unit: 'GB-month' },
  'EBS:VolumeP-IOPS.io2': { item: 'ebs/io2-iops', unit: 'IOPS-month' },
  'EBS:VolumeP-IOPS.io2.tier2': { item: 'ebs/io2-iops-tier2', unit: 'IOPS-month' },
  'EBS:VolumeP-IOPS.io2.tier3': { item: 'ebs/io2-iops-tier3', unit: 'IOPS-month' },
};

/** Units as the list has them: a row in another one means something else. */
const UNITS: Readonly<Record<string, string>> = {
  'GB-month': 'GB-Mo',
  'IOPS-month': 'IOPS-Mo',
};

export function ebsOffer({ unit }: OfferRow, usage: string): Offered | null {
  const found = OFFERED[usage];
  return found !== undefined && UNITS[found.unit] === unit ? found : null;
}
