import { Allocator, blocksOf, compressionLimit } from './measure/geometry';
import { DEFAULT_RECORDS, DEFAULT_SECTOR, DEFAULT_STRIPE_COUNT } from './options';

/** Bytes on the storage for each byte of the files, with compression and without. */
export interface Taken {
  readonly uncompressed: number;
  readonly compressed: number;
}

/** Space on Lustre of files that all have one size, as an estimate of such files would count it. @param ratio of their content */
export function takenBySize(fileBytes: number, ratio = 1): Taken {
  const recordBytes = Math.min(...DEFAULT_RECORDS);
  const allocator = new Allocator({ recordBytes, sectorBytes: DEFAULT_SECTOR, stripeCount: DEFAULT_STRIPE_COUNT });
  const { count, blockBytes } = blocksOf(fileBytes, allocator.geometry);
  const ofBlock = (content: number): number => {
    const compressed = Math.ceil(content / ratio);
    return allocator.ofBlock(blockBytes, compressed > compressionLimit(blockBytes) ? 0 : compressed);
  };
  const blocks = (count - 1) * ofBlock(blockBytes) + ofBlock(fileBytes - (count - 1) * blockBytes);
  const compressed = blocks + allocator.ofFullPointers(fileBytes) + allocator.ofObjects(fileBytes);
  return { uncompressed: allocator.ofUncompressed(fileBytes) / fileBytes, compressed: compressed / fileBytes };
}
