import { BTRFS_LAYOUT, type BtrfsGeometry } from '../btrfs/layout';
import { btrfsMeter } from '../btrfs/measure';
import { Compressor } from './compressor';
import { Allocator, type FileLayout, type Geometry } from './geometry';
import { type Meter, measurePiece } from './measure';

/** Target of an estimate: OpenZFS with one or more record sizes, the smallest first, or Btrfs. */
export type Target = { readonly zfs: readonly Geometry[] } | { readonly btrfs: BtrfsGeometry };

export const layoutsOf = (target: Target): readonly FileLayout[] =>
  'btrfs' in target ? [BTRFS_LAYOUT] : target.zfs.map((geometry) => new Allocator(geometry));

export async function meterOf(target: Target): Promise<Meter> {
  if ('btrfs' in target) return btrfsMeter(target.btrfs);
  const allocators = target.zfs.map((geometry) => new Allocator(geometry));
  const compressor = new Compressor(Math.max(...target.zfs.map(({ recordBytes }) => recordBytes)));
  return (piece, read) => {
    const { only } = piece;
    return measurePiece(compressor, only === undefined ? allocators : allocators.slice(only, only + 1), piece, read);
  };
}
