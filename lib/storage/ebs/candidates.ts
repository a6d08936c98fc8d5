import { type CandidatesCapability, dataGiB, type Family, type StorageNeed } from '../candidates';
import { GP3 } from '../kit/gp3';
import { settingsBy } from '../kit/settings';
import { describeEbs, type EbsStorage } from './configuration';
import { type Bounds, DOCUMENTED, IO2_MIBPS_PER_IOPS, MOST_IO2_MIBPS, MOST_VOLUMES } from './documented';
import { EBS_PROPERTIES } from './settings';

const SERIES = { one: 'EBS gp3', several: 'EBS gp3, RAID-0', io2: 'EBS io2' } as const;

/** IOPS between two sizes of io2: 25.6 MiB/s. */
const IO2_STEP = 100;

/**
 * XFS on volumes of EBS that could be bought. gp2 is none of them: gp3 costs less per GiB and is never slower. What Btrfs would save on them is told
 * beside, since LZ4's ratio says little about LZO and zstd.
 */
export const candidates: CandidatesCapability<EbsStorage> = {
  families: (need) => [...[1, 2, 4, MOST_VOLUMES].map((volumes) => gp3(volumes, need)), io2(need)],
  btrfsCodecs: ['lzo', 'zstd:3'],
  settings: settingsBy(EBS_PROPERTIES),
  words: (configuration) => `${describeEbs(configuration)}, one client`,
  series: Object.values(SERIES),
  seriesOf: ({ volumeType, volumes = 1 }) =>
    volumeType === 'io2' ? SERIES.io2 : volumeType === 'gp2' ? null : volumes > 1 ? SERIES.several : SERIES.one,
};

/** Each volume with its part of the data, and no smaller than its IOPS allow. */
function sizeGiB(
  need: StorageNeed,
  volumes: number,
  iops: number,
  { gib, iopsPerGiB }: { readonly gib: Bounds; readonly iopsPerGiB: number },
) {
  return Math.min(gib.max, Math.max(gib.min, Math.ceil(dataGiB(need) / volumes), Math.ceil(iops / iopsPerGiB)));
}

/** By throughput: 1 MiB/s per volume more in each size. */
function gp3(volumes: number, need: StorageNeed): Family<EbsStorage> {
  const { min, max, mostPerIops } = GP3.throughputMiBps;
  return {
    sizes: max - min + 1,
    at(size) {
      const throughputMiBps = min + size;
      const iops = Math.max(GP3.iops.min, Math.ceil(throughputMiBps / mostPerIops));
      return {
        ...{ kind: 'ebs', filesystem: 'xfs', volumeType: 'gp3' },
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
        ...{ kind: 'ebs', filesystem: 'xfs', volumeType: 'io2', iops },
        volumeGiB: sizeGiB(need, 1, iops, DOCUMENTED.io2),
      };
    },
  };
}
