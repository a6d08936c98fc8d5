import * as z from 'zod';
import { field, list, numeric } from '../../common/field';
import { IN_KIB } from '../../common/quantity';
import { storageNamed } from '../../storage/lookup';
import type { ArmDefinition, Benchmark, Scale } from '../benchmark';
import { ladder } from './plan/ladder';

/** Each level of these is an arm: the slides' algorithms, their ends and their defaults, and what came after them. */
const COMPRESSIONS = ['off', 'lz4', 'gzip-1', 'gzip-6', 'gzip-9', 'zstd-1', 'zstd-3', 'zstd-9'] as const;

/** The algorithm that hardware takes over, at ZFS's default level. */
const OFFLOADED = 'gzip-6';

/** QAT's largest record (OpenZFS, QAT_MAX_BUF_SIZE). */
const QAT_RECORD_KIB = 128;

/** Arms whose clients compress: ZFS stores their data uncompressed. */
const CLIENT_ARMS = ['client-lz4-1', 'client-zstd-3'] as const;

/** Records of another size are compared with a compression of each kind, since each arm is a file system. */
const OF_EACH_RECORD = ['off', 'lz4', 'gzip-6', 'zstd-3'] as const;

const STORAGE = 'lustre-zfs';

const SETTINGS = {
  recordSizesKiB: field(
    list(
      numeric(
        z.number().refine((kib) => kib >= 4 && kib <= 1024 && Number.isInteger(Math.log2(kib))),
        IN_KIB,
      ),
    ),
    'a list of record sizes in KiB, each a power of two from 4 to 1024, or of sizes such as 1MiB',
    'Such as recordSizesKiB=1024,128: the first is that of all arms, and each other brings arms such as gzip-6-r128.',
  ),
};

/** The arms of the slides with the levels between them, those that a setting asks for, and compression on the client. */
function offloadArms(scale: Scale, settings: Readonly<Record<string, unknown>> = {}): readonly ArmDefinition[] {
  const { lustreZfsCompression, lustreZfsOffload = 'none', lustreZfsBuild } = settings;
  const { lustreZfsRecordKiB = 1024, recordSizesKiB = [lustreZfsRecordKiB] } = settings;
  const [recordSizeKiB = 1024, ...others] = recordSizesKiB as number[];
  const common = { kind: STORAGE, instanceType: scale === 'published' ? 'i7ie.48xlarge' : 'i3en.24xlarge' };
  const arm = (name: string, compression: string, more: object = { recordSizeKiB }): ArmDefinition => {
    const storage = { ...common, compression, ...more };
    return { name, storage };
  };
  const compressions: readonly string[] =
    lustreZfsCompression === undefined ? COMPRESSIONS : [...new Set(['off', String(lustreZfsCompression)])];
  return [
    ...compressions.map((compression) => arm(compression, compression)),
    ...CLIENT_ARMS.map((name) => arm(name, 'off')),
    ...others.flatMap((kib) =>
      OF_EACH_RECORD.map((compression) => arm(`${compression}-r${kib}`, compression, { recordSizeKiB: kib })),
    ),
    ...offloaded(lustreZfsOffload, lustreZfsBuild, recordSizeKiB).flatMap(({ name, more }) =>
      arm(name, OFFLOADED, more),
    ),
  ];
}

/** Opt-in: gzip that hardware takes over, on its own servers, and next to it the same records without. */
function offloaded(
  offload: unknown,
  build: unknown,
  recordSizeKiB: number,
): { readonly name: string; readonly more: object }[] {
  if (offload === 'none') return [];
  const kib = offload === 'qat' ? Math.min(recordSizeKiB, QAT_RECORD_KIB) : recordSizeKiB;
  const { build: archive } = storageNamed(STORAGE).configuration.withSettings(
    { kind: STORAGE },
    { lustreZfsBuild: build },
  ) as { build?: object };
  return [
    ...(kib === recordSizeKiB ? [] : [{ name: `${OFFLOADED}-r${kib}`, more: { recordSizeKiB: kib } }]),
    { name: `${OFFLOADED}-${String(offload)}`, more: { recordSizeKiB: kib, offload, build: archive } },
  ];
}

/** Sustained by the slides' eight data disks and one parity disk, in MiB/s: the claim lanl.raidz1. */
const SLIDES_RAID_MIBPS = 15_200;

/**
 * No compression, LZ4, gzip and gzip in hardware on Lustre over ZFS, as the LANL offload slides compared them, with the levels in between
 * and zstd. One server with its local NVMe in RAID-Z1 8+1 has all arms; its clients reach it over TCP.
 */
export const offloadBench: Benchmark = {
  name: 'OffloadBench',
  question: 'What does compression cost a Lustre server on ZFS, and what does hardware give back?',
  study: 'LANL offload slides',
  about: ['bytes_written', 'bytes_read'],
  settings: SETTINGS,
  // The arms differ in these.
  chosenBy: ['lustreZfsCompression', 'lustreZfsRecordKiB', 'lustreZfsOffload', 'lustreZfsBuild'],
  plans: [ladder],
  arms: offloadArms,
  // 200 Gbit/s, twice the server's network: the clients must not be the bottleneck.
  fleet: (scale) =>
    scale === 'published'
      ? { instanceType: 'c5n.18xlarge', clients: 2, ranksPerClient: 32 }
      : { instanceType: 'c5n.9xlarge', clients: 1, ranksPerClient: 8 },
  lab: {
    arms: ['off', 'lz4', 'gzip-1', 'gzip-6', 'zstd-3', 'zstd-9', 'client-zstd-3'],
    // The emulator starts no machine, and knows this image.
    settings: { lustreZfsImage: '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64' },
    scale: 250,
    disk: { MBps: (SLIDES_RAID_MIBPS * 2 ** 20) / 1e6, source: 'RAID-Z1 8+1 of NVMe in the LANL offload slides' },
  },
};
