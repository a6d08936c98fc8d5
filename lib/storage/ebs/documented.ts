import { DEVICE_NAMES, GP3, GP3_PAGE } from '../common/gp3';
import type { EbsStorage } from './configuration';

const PROVISIONED_IOPS_PAGE = 'https://docs.aws.amazon.com/ebs/latest/userguide/provisioned-iops.html';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

interface VolumeType {
  readonly gib: Bounds;
  /** IOPS that can be set; `null` where the size decides. */
  readonly iops: Bounds | null;
  readonly iopsPerGiB: number;
  readonly throughputMiBps: Bounds | null;
  readonly page: string;
}

/** Values that can be requested. Sizes, IOPS and gp3's ratio are also what aws-cdk-lib 2.276 checks (aws-ec2, volume). */
export const DOCUMENTED: Readonly<Record<EbsStorage['volumeType'], VolumeType>> = {
  gp3: {
    gib: GP3.sizeGiB,
    iops: GP3.iops,
    iopsPerGiB: GP3.iops.maxPerGiB,
    throughputMiBps: GP3.throughputMiBps,
    page: GP3_PAGE,
  },
  gp2: { gib: { min: 1, max: 16_384 }, iops: null, iopsPerGiB: 3, throughputMiBps: null, page: GP3_PAGE },
  io2: {
    gib: { min: 4, max: 65_536 },
    iops: { min: 100, max: 256_000 },
    iopsPerGiB: 1000,
    throughputMiBps: null,
    page: PROVISIONED_IOPS_PAGE,
  },
};

export const MOST_VOLUMES = DEVICE_NAMES;

/** Maximum throughput of io2, however many IOPS it has. Source: {@link PROVISIONED_IOPS_PAGE}. */
export const MOST_IO2_MIBPS = 4000;
/** An operation moves up to 256 KiB. */
export const IO2_MIBPS_PER_IOPS = 0.256;

/** Throughput of one volume in MiB/s: sustained, and while gp2 has credits. */
export function throughputOf({ volumeType, volumeGiB, iops, throughputMiBps }: EbsStorage) {
  switch (volumeType) {
    case 'gp3':
      return same(throughputMiBps ?? GP3.throughputMiBps.min);
    case 'io2':
      return same(Math.min(MOST_IO2_MIBPS, IO2_MIBPS_PER_IOPS * (iops ?? 0)));
    case 'gp2': {
      // Operations of 256 KiB: 3 per second per GiB, 100 at least; below 1,000 GiB 3,000 in a burst. The ceiling follows from the size.
      const ceiling = volumeGiB <= 170 ? 128 : 250;
      const baseline = Math.min(ceiling, Math.max(100, 3 * volumeGiB) / 4);
      return { baseline, burst: volumeGiB < 1000 ? ceiling : baseline };
    }
  }
}

const same = (rate: number) => ({ baseline: rate, burst: rate });
