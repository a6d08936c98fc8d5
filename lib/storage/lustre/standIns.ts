import { btrfsOnLoop, PLAIN_DIRECTORY, XFS_ON_LOOP } from '../kit/standIns';
import type { MetricRole } from '../role';
import type { StandIn } from '../standIn';
import type { LustreStorage } from './configuration';

const UNCOMPRESSED = btrfsOnLoop('compress=no', 'without compression on a loop device');
const COMPRESSED = btrfsOnLoop(
  'compress-force=lzo',
  'compress-force=lzo on a loop device (Btrfs has no LZ4, LZO is its nearest relative)',
);

/** Btrfs compresses; XFS counts what is created and removed, and of such files there is next to nothing to compress. */
export function standIns({ dataCompressionType = 'NONE' }: LustreStorage, about: readonly MetricRole[]): StandIn[] {
  return [
    ...(about.includes('metadata_operations') ? [XFS_ON_LOOP] : []),
    dataCompressionType === 'NONE' ? UNCOMPRESSED : COMPRESSED,
    PLAIN_DIRECTORY,
  ];
}
