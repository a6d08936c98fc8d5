import { itemLine } from '../../price/line';
import type { CostLine, Offered, OfferRow } from '../../schema/cost';
import { type CandidatesCapability, dataGiB, type Family, type StorageNeed } from '../candidates';
import { inBlocks } from '../common/fileBytes';
import { GP3, gp3Lines } from '../common/gp3';
import { settingsBy } from '../common/settings';
import type { CostOptions } from '../slices/price';
import { checkEbs, describeEbs, EBS_SETTINGS, type EbsStorage } from './configuration';
import { type Bounds, DOCUMENTED, IO2_MIBPS_PER_IOPS, MOST_IO2_MIBPS, MOST_VOLUMES } from './documented';

/** io2's IOPS are priced in tiers: up to so many, the item. */
const IO2_TIERS = [
  { upTo: 32_000, item: 'ebs/io2-iops' },
  { upTo: 64_000, item: 'ebs/io2-iops-tier2' },
  { upTo: Number.POSITIVE_INFINITY, item: 'ebs/io2-iops-tier3' },
] as const;

/** List price of the volumes: what is provisioned, used or not. */
export function ebsLines(configuration: EbsStorage, options: CostOptions): readonly CostLine[] {
  const { volumeType, volumeGiB: sizeGiB, volumes = 1, iops = 0, throughputMiBps } = configuration;
  const { label = 'EBS' } = options;
  if (volumeType === 'gp3') return gp3Lines({ sizeGiB, iops: configuration.iops, throughputMiBps }, volumes, options);
  const line = (what: string, each: number, item: string, unit: string): CostLine =>
    itemLine(`${label}: ${what}`, volumes * each, item, options, unit);
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
const UNITS: Readonly<Record<string, string>> = { 'GB-month': 'GB-Mo', 'IOPS-month': 'IOPS-Mo' };

export function ebsOffer({ unit }: OfferRow, usage: string): Offered | null {
  const found = OFFERED[usage];
  return found !== undefined && UNITS[found.unit] === unit ? found : null;
}

const SERIES = { one: 'EBS gp3', several: 'EBS gp3, RAID-0', io2: 'EBS io2' } as const;

/** Blocks of 4 KiB, and an inode of 512 bytes: defaults of mkfs.xfs(8). */
const ofXfs = inBlocks(4096, 512);

/** IOPS between two sizes of io2: 25.6 MiB/s. */
const IO2_STEP = 100;

/**
 * XFS on EBS volumes that could be bought. gp2 is none of them: gp3 costs less per GiB and is never slower. What Btrfs would save on them is told
 * beside, since LZ4's ratio says little about LZO and zstd.
 */
export const candidates: CandidatesCapability<EbsStorage> = {
  families: (need) => [...[1, 2, 4, MOST_VOLUMES].map((volumes) => gp3(volumes, need)), io2(need)],
  btrfsCodecs: ['lzo', 'zstd:3'],
  fileBytes: ofXfs,
  caveats: (configuration) => checkEbs(configuration).warnings.filter(({ id }) => id === 'fsxbench:ebs-raid0'),
  settings: settingsBy(EBS_SETTINGS),
  words: (configuration) => `${describeEbs(configuration)}, one client`,
  series: Object.values(SERIES),
  seriesOf: ({ volumeType, volumes = 1 }) => {
    if (volumeType === 'gp2') return null;
    if (volumeType === 'io2') return SERIES.io2;
    return volumes > 1 ? SERIES.several : SERIES.one;
  },
};

/** Each volume with its part of the data, and no smaller than its IOPS allow. */
const sizeGiB = (
  need: StorageNeed,
  volumes: number,
  iops: number,
  { gib, iopsPerGiB }: { readonly gib: Bounds; readonly iopsPerGiB: number },
) => Math.min(gib.max, Math.max(gib.min, Math.ceil(dataGiB(need) / volumes), Math.ceil(iops / iopsPerGiB)));

/** By throughput: 1 MiB/s per volume more in each size. */
function gp3(volumes: number, need: StorageNeed): Family<EbsStorage> {
  const { min, max, mostPerIops } = GP3.throughputMiBps;
  return {
    sizes: max - min + 1,
    at(size) {
      const throughputMiBps = min + size;
      const iops = Math.max(GP3.iops.min, Math.ceil(throughputMiBps / mostPerIops));
      return {
        kind: 'ebs',
        filesystem: 'xfs',
        volumeType: 'gp3',
        volumeGiB: sizeGiB(need, volumes, iops, DOCUMENTED.gp3),
        ...(volumes > 1 && { volumes }),
        ...(iops > GP3.iops.min && { iops }),
        ...(throughputMiBps > min && { throughputMiBps }),
      };
    },
  };
}

/** By IOPS, from which its throughput follows. */
function io2(need: StorageNeed): Family<EbsStorage> {
  return {
    sizes: Math.ceil(MOST_IO2_MIBPS / IO2_MIBPS_PER_IOPS / IO2_STEP),
    at(size) {
      const iops = (size + 1) * IO2_STEP;
      return {
        kind: 'ebs',
        filesystem: 'xfs',
        volumeType: 'io2',
        iops,
        volumeGiB: sizeGiB(need, 1, iops, DOCUMENTED.io2),
      };
    },
  };
}
