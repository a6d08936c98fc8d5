/**
 * Predicts whether Btrfs tries to compress: mounted with `compress`, it first samples 16 bytes in every 256 and leaves alone what looks like
 * noise. Read in Linux 6.18, fs/btrfs/compression.c (btrfs_compress_heuristic), and measured (test/fixtures/btrfs).
 */

const READ_BYTES = 16;
const INTERVAL_BYTES = 256;
/** Fewer different bytes than this are text. */
const FEW_BYTES = 64;
/** Byte values that make up most of a sample: of text at most the first number, of noise at least the second. */
const CORE = { text: 64, noise: 200, share: 0.9 };
/** Per cent of the entropy of noise, from which on compression is not worth its time. */
const MOST_ENTROPY = 80;
/** Entropy of a random byte in the kernel's unit, quarters of a bit. */
const FULL_ENTROPY = 32;

/** True if data look compressible. @param length of the data, a multiple of 4096 */
export function looksCompressible(data: Uint8Array, from: number, length: number): boolean {
  const sample = new Uint8Array((length / INTERVAL_BYTES) * READ_BYTES);
  for (let at = 0, to = 0; at < length; at += INTERVAL_BYTES, to += READ_BYTES)
    sample.set(data.subarray(from + at, from + at + READ_BYTES), to);
  const half = sample.length / 2;
  if (sample.subarray(0, half).every((byte, at) => byte === sample[half + at])) return true;
  const counts = new Uint32Array(256);
  for (const byte of sample) counts[byte] = (counts[byte] as number) + 1;
  const common = counts.filter((count) => count > 0).sort((a, b) => b - a);
  if (common.length < FEW_BYTES) return true;
  const core = coreOf(common, Math.floor(sample.length * CORE.share));
  if (core <= CORE.text) return true;
  return core < CORE.noise && entropyOf(common, sample.length) < MOST_ENTROPY;
}

/** Returns how many of the most common bytes make up most of the sample. */
function coreOf(common: Uint32Array, most: number): number {
  let sum = 0;
  for (const [at, count] of common.entries()) {
    sum += count;
    if (sum > most) return Math.max(at + (at < CORE.text ? 1 : 0), CORE.text);
  }
  return common.length;
}

/** Per cent of the entropy of noise, in the kernel's integers. */
function entropyOf(common: Uint32Array, bytes: number): number {
  const all = quarterBits(bytes);
  const sum = common.reduce((total, count) => total + count * (all - quarterBits(count)), 0);
  return Math.floor((Math.floor(sum / bytes) * 100) / FULL_ENTROPY);
}

/** Four times the binary logarithm, rounded down. */
function quarterBits(value: number): number {
  const power = value ** 4;
  return power >= 2 ** 32 ? 63 - Math.clz32(power / 2 ** 32) : 31 - Math.clz32(power);
}
