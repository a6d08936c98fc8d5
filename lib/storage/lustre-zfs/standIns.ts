import { btrfsOnLoop, PLAIN_DIRECTORY } from '../kit/standIns';
import type { StandIn } from '../standIn';
import { type LustreZfsStorage, resolved } from './configuration';

/** The deepest level of Btrfs's zstd (btrfs(5)). */
const MOST_ZSTD = 15;

/** Btrfs's relative of a compression of ZFS, as its mount option. */
function relativeOf(compression: string): string {
  const [algorithm, level] = compression.split('-');
  if (algorithm === 'gzip') return `compress-force=zlib:${level}`;
  if (algorithm === 'zstd') return `compress-force=zstd:${Math.min(Number(level), MOST_ZSTD)}`;
  return algorithm === 'lz4' ? 'compress-force=lzo' : 'compress=no';
}

/** Btrfs compresses with a processor of this machine, as ZFS does; nothing here offloads it, and Btrfs has records of 128 KiB. */
export function standIns(configuration: LustreZfsStorage): StandIn[] {
  const { compression, offload } = resolved(configuration);
  const option = relativeOf(compression);
  const offloaded = offload === 'none' ? '' : ', on the processor: nothing here offloads';
  return [
    btrfsOnLoop(option, `${option} on a loop device, in the place of ZFS ${compression}${offloaded}`),
    PLAIN_DIRECTORY,
  ];
}
