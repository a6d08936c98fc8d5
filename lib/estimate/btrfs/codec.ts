import { SECTOR_BYTES } from './layout';
import { lzoSize } from './lzo';

/** Bytes that an extent compresses to; `null` where the kernel gives up while it writes. */
export type Codec = (data: Uint8Array, from: number, length: number) => number | null;

/** Bytes of the header of the whole extent, and of that of each sector in it. */
const LZO_HEADER_BYTES = 4;
/** The kernel looks after this many sectors whether anything is saved. */
const LZO_TRIAL_SECTORS = 2;

/** The module has one memory: loaded twice, it would compress what the first one was given. */
let loaded: ReturnType<typeof loadZstd> | undefined;

async function loadZstd() {
  const { init, compress } = await import('@bokuweb/zstd-wasm');
  await init();
  return compress;
}

/** @param name as the mount option has it */
export async function codecOf(name: string): Promise<Codec> {
  if (name === 'lzo') return lzo;
  loaded ??= loadZstd();
  const compress = await loaded;
  const level = Number(name.replace('zstd:', ''));
  return (data, from, length) => {
    const size = compress(data.subarray(from, from + length), level).length;
    return size < length ? size : null;
  };
}

/** Sector by sector, each behind its length, which never lies across two sectors of the output. */
function lzo(data: Uint8Array, from: number, length: number): number | null {
  let size = LZO_HEADER_BYTES;
  for (let at = 0; at < length; at += SECTOR_BYTES) {
    const bytes = Math.min(SECTOR_BYTES, length - at);
    size += LZO_HEADER_BYTES + lzoSize(data, from + at, bytes);
    if (at + bytes > LZO_TRIAL_SECTORS * SECTOR_BYTES && size > at + bytes) return null;
    const left = (SECTOR_BYTES - (size % SECTOR_BYTES)) % SECTOR_BYTES;
    if (left < LZO_HEADER_BYTES && at + bytes < length) size += left;
  }
  return size;
}
