import * as z from 'zod';
import type { Of } from '../../schema/document';
import { INSTANCE_STORES } from './documented';

/**
 * Compressor of the data: ZFS on the server's processors, Intel QAT through OpenZFS's own code, or the user's build, which offloads in its
 * own way (docs/lustre-zfs.md has its interface).
 */
export const OFFLOADS = ['none', 'qat', 'own-build'] as const;
export type Offload = (typeof OFFLOADS)[number];

/**
 * Lustre on ZFS on the local NVMe of EC2 instances, which all arms with the same servers share: each is a file system of its own datasets.
 * Valid combinations are up to the rules (rules.ts).
 */
export const lustreZfsSchema = z.object({
  kind: z.literal('lustre-zfs'),
  /** The first has MGS, MDT and an OST, each other an OST. @default 1 */
  servers: z.number().optional(),
  /** Type of each server, whose local NVMe disks hold the data. */
  instanceType: z.string(),
  /** In the RAID-Z1 of each OST, the parity included: 9 are 8+1. @default 9, or 8 on a type with eight */
  raidDisks: z.number().optional(),
  /** ZFS's name: `off`, `lz4`, `gzip-1` to `gzip-9`, `zstd-1` to `zstd-19`. */
  compression: z.string(),
  /** @default 1024, as mkfs.lustre makes it */
  recordSizeKiB: z.number().optional(),
  /** @default none */
  offload: z.enum(OFFLOADS).optional(),
  /** `s3://bucket/key.tar.gz` of the user's own OpenZFS, with its SHA-256. Required with `own-build`. */
  build: z.object({ url: z.string(), sha256: z.string() }).optional(),
  /** An AMI of RHEL 8.10 or Rocky Linux 8.10, or the name of a parameter with one. @default {@link DEFAULT_IMAGE} */
  image: z.string().optional(),
});
export type LustreZfsStorage = Of<typeof lustreZfsSchema>;

/** A parameter of the user's account: nobody publishes one for the distributions that Lustre's servers support. */
export const DEFAULT_IMAGE = '/fsxbench/lustre-server-image';

/** GiB of gp3 for the operating system and the kernel modules that are built. */
export const ROOT_GIB = 50;

const DEFAULTS = { servers: 1, recordSizeKiB: 1024, offload: 'none', image: DEFAULT_IMAGE } as const;

const WIDEST_RAID = 9;

/** With the defaults filled in. */
export function resolved(
  configuration: LustreZfsStorage,
): LustreZfsStorage & Required<Pick<LustreZfsStorage, keyof typeof DEFAULTS | 'raidDisks'>> {
  const raidDisks = Math.min(WIDEST_RAID, INSTANCE_STORES[configuration.instanceType]?.disks ?? WIDEST_RAID);
  return { ...DEFAULTS, raidDisks, ...configuration };
}

/** Key of the properties that arms must have in common to share servers: all but those of a dataset. */
export function hardwareOf(configuration: LustreZfsStorage): string {
  const { servers, instanceType, raidDisks, offload, build, image } = resolved(configuration);
  return JSON.stringify([servers, instanceType, raidDisks, offload, build, image]);
}

const OFFLOAD_WORDS: Readonly<Record<Offload, string>> = {
  none: '',
  qat: ' through QAT',
  'own-build': ' through an own build',
};

/** In a line, for people: `Lustre on ZFS gzip-6, 1 MiB records, 1 × i7ie.48xlarge with RAID-Z1 8+1`. */
export function describeLustreZfs(configuration: LustreZfsStorage): string {
  const { servers, instanceType, raidDisks, compression, recordSizeKiB, offload } = resolved(configuration);
  const record = recordSizeKiB < 1024 ? `${recordSizeKiB} KiB` : `${recordSizeKiB / 1024} MiB`;
  return `Lustre on ZFS ${compression}${OFFLOAD_WORDS[offload]}, ${record} records, ${servers} × ${instanceType} with RAID-Z1 ${raidDisks - 1}+1`;
}
