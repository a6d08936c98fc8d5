import type { FileRules } from '../../schema/fileRules';
import { clientNetwork, type Limit, type LimitOptions, limit, MBPS_PER_MIBPS } from '../common/limits';
import { inBlocks } from '../common/space';
import type { EfsStorage } from './configuration';

const MIBPS_PER_GIBPS = 1024;

const PERFORMANCE_PAGE = 'https://docs.aws.amazon.com/efs/latest/ug/performance.html';

/** MiB/s that can be provisioned; how many of them depends on the Region. Source: CloudFormation reference, AWS::EFS::FileSystem. */
export const PROVISIONED_MIBPS = { min: 1, max: 3414 } as const;

/** MiB/s that each stored GiB includes: provisioned throughput is billed beyond it. Source: https://aws.amazon.com/efs/pricing/. */
export const INCLUDED_MIBPS_PER_GIB = 50 / 1024;

/** Highest MiB/s: in every Region, and in the best ones. */
interface Range {
  readonly everywhere: number;
  readonly max: number;
}

/** Limits of a file system in all, and of one of its clients. Source: {@link PERFORMANCE_PAGE}, General Purpose. */
interface Ceilings {
  readonly read: Range;
  readonly write: Range;
  readonly clientMiBps: number;
}

const gibps = (everywhere: number, max: number): Range => ({
  everywhere: everywhere * MIBPS_PER_GIBPS,
  max: max * MIBPS_PER_GIBPS,
});

const REGIONAL: Readonly<Record<EfsStorage['throughputMode'], Ceilings>> = {
  // Above 500 MiB/s a client needs amazon-efs-utils 2.0 or later, which the clients install.
  elastic: { read: gibps(20, 60), write: gibps(1, 5), clientMiBps: 1500 },
  provisioned: { read: gibps(3, 10), write: { everywhere: MIBPS_PER_GIBPS, max: 3414 }, clientMiBps: 500 },
  bursting: { read: gibps(3, 5), write: gibps(1, 3), clientMiBps: 500 },
};

const ONE_ZONE: Ceilings = { read: gibps(3, 3), write: gibps(1, 1), clientMiBps: 500 };

const ceilingsOf = ({ availability, throughputMode }: EfsStorage): Ceilings =>
  availability === 'one-zone' ? ONE_ZONE : REGIONAL[throughputMode];

/** A byte that is read counts as a third of one that is written. Source: {@link PERFORMANCE_PAGE}. */
const READS_PER_METERED = 3;

/**
 * Bursting, in metered MiB/s: without stored data and without credits, with credits below a TiB of data; and the credits of a new file
 * system. Sources: https://aws.amazon.com/about-aws/whats-new/2020/06/amazon-efs--increases-file-system-minimum-throughput/;
 * https://repost.aws/knowledge-center/efs-burst-credits.
 */
export const BURSTING = { minMiBps: 1, burstMiBps: 100, firstCreditsTiB: 2.1 } as const;

/** Metered bytes of a file: data in steps of 4 KiB, and its inode. Source: https://docs.aws.amazon.com/efs/latest/ug/metered-sizes.html. */
export const meteredBytes = inBlocks(4096, 2048);

/** Largest size of a single file. */
export const FILES: FileRules = {
  lacks: [],
  largestBytes: 52_673_613_135_872,
  source: 'https://docs.aws.amazon.com/efs/latest/ug/limits.html',
};

/** Metered throughput that the mode gives, in MiB/s; `null` if only the bill is metered. */
function meteredOf({ throughputMode, provisionedThroughputMiBps = 0 }: EfsStorage) {
  switch (throughputMode) {
    case 'elastic':
      return null;
    case 'provisioned':
      return { baseline: provisionedThroughputMiBps, burst: provisionedThroughputMiBps, why: 'provisioned' };
    case 'bursting': {
      const { minMiBps: baseline, burstMiBps: burst, firstCreditsTiB } = BURSTING;
      return { baseline, burst, why: `an empty file system; burst while its ${firstCreditsTiB} TiB of credits last` };
    }
  }
}

/**
 * The limits of a file system and, with given clients, of the way to it. That of bursting is for an empty file system: each stored GiB adds 50 KiB/s,
 * and the stored amount is known to a run alone.
 */
export function limitsOf(configuration: EfsStorage, { mode = 'write', clients }: LimitOptions = {}): readonly Limit[] {
  const { [mode]: max, clientMiBps } = ceilingsOf(configuration);
  const limits = clientNetwork(clients);
  if (clients !== undefined) {
    const source = `${clientMiBps} MiB/s × ${clients.count} clients (${PERFORMANCE_PAGE})`;
    limits.push(limit('client_efs_path', source, clients.count * clientMiBps * MBPS_PER_MIBPS));
  }
  const regions = `${max.everywhere} MiB/s in every Region, ${max.max} MiB/s in some (${PERFORMANCE_PAGE})`;
  limits.push(limit('file_system', regions, max.everywhere * MBPS_PER_MIBPS, max.max * MBPS_PER_MIBPS));
  const metered = meteredOf(configuration);
  if (metered !== null) {
    const factor = (mode === 'read' ? READS_PER_METERED : 1) * MBPS_PER_MIBPS;
    const source = `${metered.why}${mode === 'read' ? `; reads count a ${READS_PER_METERED}rd` : ''} (${PERFORMANCE_PAGE})`;
    limits.push(limit('metered_throughput', source, metered.baseline * factor, metered.burst * factor));
  }
  return limits;
}
