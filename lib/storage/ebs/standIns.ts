import { btrfsOnLoop, XFS_ON_LOOP } from '../kit/standIns';
import type { StandIn } from '../standIn';
import type { EbsStorage } from './configuration';

/** The same file system with the same options, on a loop device in the place of the volumes. No directory: it would compare nothing. */
export function standIns({ filesystem, compression = 'none' }: EbsStorage): StandIn[] {
  if (filesystem === 'xfs') return [XFS_ON_LOOP];
  const { btrfs } = mountOptionsOf(compression);
  return [btrfsOnLoop(btrfs, `${compression === 'none' ? 'without compression' : btrfs} on a loop device`)];
}

/** Mount options of Btrfs: `compress` alone gives up on a file whose first blocks do not compress (btrfs(5)). */
export const mountOptionsOf = (compression: string): { readonly btrfs: string } => ({
  btrfs: compression === 'none' ? 'compress=no' : `compress-force=${compression}`,
});
