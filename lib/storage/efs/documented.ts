import type { FileRules } from '../../schema/fileRules';
import type { EfsStorage } from './configuration';

const MIBPS_PER_GIBPS = 1024;

/** Page that documents performance. */
export const PERFORMANCE_PAGE = 'https://docs.aws.amazon.com/efs/latest/ug/performance.html';

/** MiB/s that can be provisioned; how many of them depends on the Region. Source: CloudFormation reference, AWS::EFS::FileSystem. */
export const PROVISIONED_MIBPS = { min: 1, max: 3414 } as const;

/** Up to so many MiB/s: what every Region has, and what the best do. */
interface Range {
  readonly everywhere: number;
  readonly most: number;
}

/** Limits of a file system in all, and of one of its clients. Source: {@link PERFORMANCE_PAGE}, General Purpose. */
interface Ceilings {
  readonly read: Range;
  readonly write: Range;
  readonly clientMiBps: number;
}

const gibps = (everywhere: number, most: number): Range => ({
  everywhere: everywhere * MIBPS_PER_GIBPS,
  most: most * MIBPS_PER_GIBPS,
});

const REGIONAL: Readonly<Record<EfsStorage['throughputMode'], Ceilings>> = {
  // Above 500 MiB/s a client needs amazon-efs-utils 2.0 or later, which the clients install.
  elastic: { read: gibps(20, 60), write: gibps(1, 5), clientMiBps: 1500 },
  provisioned: { read: gibps(3, 10), write: { everywhere: MIBPS_PER_GIBPS, most: 3414 }, clientMiBps: 500 },
  bursting: { read: gibps(3, 5), write: gibps(1, 3), clientMiBps: 500 },
};

const ONE_ZONE: Ceilings = { read: gibps(3, 3), write: gibps(1, 1), clientMiBps: 500 };

export function ceilingsOf({ availability, throughputMode }: EfsStorage): Ceilings {
  return availability === 'one-zone' ? ONE_ZONE : REGIONAL[throughputMode];
}

/** A byte that is read counts as a third of one that is written. Source: {@link PERFORMANCE_PAGE}. */
export const READS_PER_METERED = 3;

/**
 * Bursting, in metered MiB/s: without stored data and without credits, with credits below a TiB of data; and the credits of a new file
 * system. Sources: https://aws.amazon.com/about-aws/whats-new/2020/06/amazon-efs--increases-file-system-minimum-throughput/;
 * https://repost.aws/knowledge-center/efs-burst-credits.
 */
export const BURSTING = { leastMiBps: 1, burstMiBps: 100, firstCreditsTiB: 2.1 } as const;

/** Largest size of a single file. */
export const FILES: FileRules = {
  lacks: [],
  largestBytes: 52_673_613_135_872,
  source: 'https://docs.aws.amazon.com/efs/latest/ug/limits.html',
};
