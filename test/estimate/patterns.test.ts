import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateCompression, makeRandom } from '../../lib/estimate';
import { fioCommand, fioPattern } from '../../lib/workload/fio/command';
import { randomBytes } from './random';

const MIB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), 'fsxbench-patterns-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Ratio of the data alone, like the published ones: without dnode and indirect blocks, which are below a thousandth of 16 MiB. */
async function ratio(content: Buffer | string, recordBytes: number): Promise<number> {
  const path = typeof content === 'string' ? content : join(folder, 'data');
  if (typeof content !== 'string') writeFileSync(path, content);
  const { ratio } = await estimateCompression({ paths: [path], recordBytes: [recordBytes], on: 'zfs', workers: 0 });
  return ratio as number;
}

/** IOR 3.3.0's FillBuffer: even words rank and time, odd words their offset; every transfer is the same. */
function ior330(transferBytes: number, rank: number, time: number): Buffer {
  const transfer = Buffer.alloc(transferBytes);
  for (let at = 0; at < transferBytes; at += 16) {
    transfer.writeBigUInt64LE((BigInt(rank) << 32n) | BigInt(time), at);
    transfer.writeBigUInt64LE(BigInt(at + 8), at + 8);
  }
  return Buffer.concat(new Array<Buffer>((16 * MIB) / transferBytes).fill(transfer));
}

/** IOR 4.0.0's default: word i is the rank and the time plus i. */
function ior400(transferBytes: number, rank: number, time: number): Buffer {
  const transfer = Buffer.alloc(transferBytes);
  for (let word = 0; word < transferBytes / 8; word += 1)
    transfer.writeBigUInt64LE((BigInt(rank) << 32n) | BigInt(time + word), word * 8);
  return Buffer.concat(new Array<Buffer>((16 * MIB) / transferBytes).fill(transfer));
}

// Ratios measured with real IOR and OpenZFS's LZ4, in whole sectors of 4 KiB.
test.each([
  ['IOR 3.3.0, 64 KiB records', () => ior330(MIB, 7, 1_621_381_388), 65_536, 3.2],
  ['IOR 3.3.0, 128 KiB records', () => ior330(MIB, 7, 1_621_381_388), 131_072, 3.556],
  ['IOR 3.3.0, 256 KiB records', () => ior330(MIB, 7, 1_621_381_388), 262_144, 3.765],
  ['IOR 3.3.0, 512 KiB records', () => ior330(MIB, 575, 1_700_000_000), 524_288, 3.879],
  ['IOR 3.3.0, 1 MiB records', () => ior330(MIB, 575, 1_700_000_000), MIB, 3.938],
  ['IOR 3.3.0 -t 128k, 128 KiB records', () => ior330(131_072, 0, 1_621_381_388), 131_072, 3.556],
  ['IOR 3.3.0 -t 4k, 128 KiB records', () => ior330(4096, 0, 1_621_381_388), 131_072, 32],
  ['IOR 4.0.0, 64 KiB records', () => ior400(MIB, 7, 1_621_381_388), 65_536, 1.778],
  ['IOR 4.0.0, 128 KiB records', () => ior400(MIB, 7, 1_621_381_388), 131_072, 1.882],
  ['IOR 4.0.0, 1 MiB records', () => ior400(MIB, 7, 1_621_381_388), MIB, 1.984],
  ['random', () => randomBytes(makeRandom(1), 2 * MIB), 131_072, 1],
])('%s compress as measured', async (_, make, recordBytes, expected) => {
  const content = make();
  // At 32:1, block pointers are no longer small compared with the data.
  const tolerance = expected > 10 ? 0.08 : 0.01;
  expect(Math.abs((await ratio(content, recordBytes)) / expected - 1)).toBeLessThan(tolerance);
});

function dataOf(target: number) {
  const pattern = fioPattern(target);
  if (pattern === null) throw new Error(`fio has no data for ${target}:1`);
  return pattern;
}

// With the options of the plans, on both ends of what FSx's records may be.
test.each([1, 1.3, 1.65, 2.6, 3.5, 8])(
  'what fio writes for %d:1 compresses as its pattern says, on both record sizes',
  async (target) => {
    const { percent, expectedRatio, ratioOn1MiB } = dataOf(target);
    const directory = join(folder, `plan${percent}`);
    mkdirSync(directory);
    const options = {
      operation: 'write',
      percent,
      seconds: 60,
      maxBytesPerProcess: 16 * MIB,
      processesPerClient: 1,
      direct: false,
    } as const;
    const [program = '', ...words] = fioCommand(options).map((word) => word.replaceAll('{dir}', directory));
    execFileSync(program, [...words, '--output=/dev/null']);
    expect(Math.abs((await ratio(directory, 131_072)) / expectedRatio - 1)).toBeLessThan(0.01);
    expect(Math.abs((await ratio(directory, MIB)) / ratioOn1MiB - 1)).toBeLessThan(0.01);
  },
);

// fio 3.33 with refill_buffers, as measured; at 67 % today's LZ4 needs 44.6 KB, one sector less than OpenZFS's 45.3 KB, and would give 2.91.
test.each([
  [25, 1.28],
  [50, 1.88],
  [67, 2.667],
  [72, 3.2],
  [75, 3.56],
  [80, 4.57],
])('fio at %d %% compresses as measured', async (percent, expected) => {
  const directory = join(folder, `fio${percent}`);
  mkdirSync(directory);
  execFileSync('fio', [
    '--name=x',
    `--directory=${directory}`,
    '--rw=write',
    '--bs=1m',
    '--size=16m',
    '--refill_buffers',
    `--buffer_compress_percentage=${percent}`,
    '--output=/dev/null',
  ]);
  expect(Math.abs((await ratio(directory, 131_072)) / expected - 1)).toBeLessThan(0.01);
});
