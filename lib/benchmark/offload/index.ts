import type { Benchmark } from '../benchmark';
import { chosenBy, offloadArms, SETTINGS } from './arms';
import { ladder } from './plan/ladder';

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
  chosenBy,
  plans: [ladder],
  arms: offloadArms,
  // 200 Gbit/s: what the server's network carries twice, so that the clients are not what is measured.
  fleet: (scale) =>
    scale === 'published'
      ? { instanceType: 'c5n.18xlarge', clients: 2, ranksPerClient: 32 }
      : { instanceType: 'c5n.9xlarge', clients: 1, ranksPerClient: 8 },
  lab: {
    fleet: { clients: 1, instanceType: null, ranksPerClient: 2 },
    arms: ['off', 'lz4', 'gzip-1', 'gzip-6', 'zstd-3', 'zstd-9', 'client-zstd-3'],
    // The emulator starts no machine, and knows this image.
    settings: { lustreZfsImage: '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64' },
    modelled: 'servers',
    model: {
      scale: 250,
      disk: { MBps: (SLIDES_RAID_MIBPS * 2 ** 20) / 1e6, source: 'RAID-Z1 8+1 of NVMe in the LANL offload slides' },
    },
    headline: 'throughput against compression ratio, with the processor time that each level takes',
  },
};
