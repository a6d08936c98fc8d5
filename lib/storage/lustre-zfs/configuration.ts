import * as z from 'zod';
import { field, instanceTypeField, oneOfNumbers, oneOfWords, type SettingsOf, whole } from '../../common/field';
import { IN_KIB } from '../../common/quantity';
import { type Findings, type Phrase, refusing } from '../../common/violation';
import { instanceType } from '../../fleet/instanceTypes';
import type { Of } from '../../schema/document';
import { clientNetwork, type Limit, type LimitOptions, networkLimit } from '../common/limits';
import { sets, warnings, withProperties } from '../common/settings';

/**
 * The instance types that can be a server, with their local NVMe SSDs: x86, for which Lustre's servers are built, and eight or more of 10^9 bytes each.
 * Source: EC2 DescribeInstanceTypes, InstanceStorageInfo, as packaged in moto 5.2.5. AWS documents no sequential throughput of them.
 */
export const INSTANCE_STORES: Readonly<Record<string, { readonly disks: number; readonly sizeGB: number }>> = {
  'i7ie.48xlarge': { disks: 16, sizeGB: 7500 },
  'i7ie.metal-48xl': { disks: 16, sizeGB: 7500 },
  'i7ie.24xlarge': { disks: 8, sizeGB: 7500 },
  'i7ie.metal-24xl': { disks: 8, sizeGB: 7500 },
  'i3en.24xlarge': { disks: 8, sizeGB: 7500 },
  'i3en.metal': { disks: 8, sizeGB: 7500 },
  'i4i.32xlarge': { disks: 8, sizeGB: 3750 },
  'i4i.metal': { disks: 8, sizeGB: 3750 },
};

const numbered = <T extends string>(name: T, max: number): readonly `${T}-${number}`[] =>
  Array.from({ length: max }, (_, index) => `${name}-${index + 1}` as const);

/** Values of ZFS's property `compression` that make one arm each. Source: zfsprops(7) of OpenZFS 2.2. */
export const COMPRESSIONS: readonly string[] = ['off', 'lz4', ...numbered('gzip', 9), ...numbered('zstd', 19)];

/** Powers of two; more than 1024 KiB takes a module parameter (zfsprops(7), recordsize). */
export const RECORD_SIZES_KIB = [4, 8, 16, 32, 64, 128, 256, 512, 1024] as const;

/** Larger buffers ZFS never hands to QAT (OpenZFS, module/os/linux/zfs/qat.h, QAT_MAX_BUF_SIZE): https://github.com/openzfs/zfs/pull/5846. */
export const QAT_MOST_RECORD_KIB = 128;

/** ZFS keeps a part of each pool for itself: 1/32 of it (zfs(4), spa_slop_shift 5), at most 128 GiB. */
export const SLOP = { share: 1 / 32, mostBytes: 128 * 2 ** 30 } as const;

/** Compressor of the data: ZFS on server CPUs, Intel QAT through OpenZFS, or the user's build, with its own offload (docs/lustre-zfs.md). */
const OFFLOADS = ['none', 'qat', 'own-build'] as const;

/** Lustre on ZFS on local NVMe of EC2 instances. Arms with the same servers share them, with separate datasets. Combinations are checked elsewhere. */
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
  /** Address, `s3://bucket/key.tar.gz`, and SHA-256 of an OpenZFS build. Required with `own-build`. */
  build: z.object({ url: z.string(), sha256: z.string() }).optional(),
  /** An AMI of RHEL 8.10 or Rocky Linux 8.10, or the name of a parameter with one. @default {@link DEFAULT_IMAGE} */
  image: z.string().optional(),
});
export type LustreZfsStorage = Of<typeof lustreZfsSchema>;

/** A parameter in the user's account: nobody publishes one for the distributions that Lustre's servers support. */
const DEFAULT_IMAGE = '/fsxbench/lustre-server-image';

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

const OFFLOAD_WORDS = { none: '', qat: ' through QAT', 'own-build': ' through an own build' } as const;

/** In a line, for people: `Lustre on ZFS gzip-6, 1 MiB records, 1 × i7ie.48xlarge with RAID-Z1 8+1`. */
export function describeLustreZfs(configuration: LustreZfsStorage): string {
  const { servers, instanceType, raidDisks, compression, recordSizeKiB, offload } = resolved(configuration);
  const record = recordSizeKiB < 1024 ? `${recordSizeKiB} KiB` : `${recordSizeKiB / 1024} MiB`;
  return `Lustre on ZFS ${compression}${OFFLOAD_WORDS[offload]}, ${record} records, ${servers} × ${instanceType} with RAID-Z1 ${raidDisks - 1}+1`;
}

/** More keep a dashboard's graphs no longer readable; Lustre has no such limit. */
const MOST_SERVERS = 40;

/** The widest that an instance type has. */
const MOST_DISKS = 16;

export const LUSTRE_ZFS_SETTINGS = {
  lustreZfsServers: sets('servers', whole(1, MOST_SERVERS, '', 'Each is an instance with an OST on its local NVMe.')),
  lustreZfsInstanceType: sets(
    'instanceType',
    instanceTypeField('i7ie.48xlarge', 'It has the disks, the network and the processors that compress.'),
  ),
  lustreZfsRaidDisks: sets('raidDisks', whole(3, MOST_DISKS, '', 'One of them is the parity.')),
  lustreZfsCompression: sets(
    'compression',
    oneOfWords(
      COMPRESSIONS as readonly [string, ...string[]],
      'It holds for every arm; a benchmark that compares compressions has arms for that.',
    ),
  ),
  lustreZfsRecordKiB: sets(
    'recordSizeKiB',
    oneOfNumbers(RECORD_SIZES_KIB, 'It is the size of a record in KiB; QAT takes 128 at most.', IN_KIB),
  ),
  lustreZfsOffload: sets('offload', oneOfWords(OFFLOADS, 'Hardware must be there for it.')),
  lustreZfsBuild: sets(
    'build',
    field(
      z.string().regex(/^s3:\/\/[a-z0-9.-]+\/\S+\.tar\.gz#[0-9a-f]{64}$/),
      's3://BUCKET/KEY.tar.gz#SHA256',
      'The archive holds the programs install and counters (docs/lustre-zfs.md).',
    ),
  ),
  lustreZfsImage: sets(
    'image',
    field(
      z.string().regex(/^(?:ami-[0-9a-f]{8,}|\/[\w./-]+)$/),
      'the id of an AMI (ami-…) or the name of a parameter that holds one (/…)',
      'It must be Rocky Linux or RHEL 8.10, x86.',
    ),
  ),
} as const;

export function withSettings(
  configuration: LustreZfsStorage,
  settings: SettingsOf<typeof LUSTRE_ZFS_SETTINGS>,
): LustreZfsStorage {
  const [url = '', sha256 = ''] = settings.lustreZfsBuild?.split('#') ?? [];
  const asked = withProperties<LustreZfsStorage>(LUSTRE_ZFS_SETTINGS)(configuration, settings);
  return url === '' ? asked : { ...asked, build: { url, sha256 } };
}

/** Errors that would keep it from being made or from working, by property, and warnings about comparisons. */
export function checkLustreZfs(configuration: LustreZfsStorage): Findings {
  const { instanceType: type, raidDisks, compression, recordSizeKiB, offload, build, image } = resolved(configuration);
  const { errors, refuse } = refusing(resolved(configuration), 'fsxbench:lustre-zfs');
  const store = INSTANCE_STORES[type];
  const types = `one of ${Object.keys(INSTANCE_STORES).join(', ')}`;
  if (store === undefined)
    refuse('instance-type', 'instanceType', types, 'A server needs at least eight local NVMe SSDs and x86.');
  else if (!Number.isInteger(raidDisks) || raidDisks < 3 || raidDisks > store.disks) {
    const disks = `a whole number from 3 to the ${store.disks} disks of ${type}`;
    refuse('raid', 'raidDisks', disks, 'One of them is the parity.');
  }
  if (!COMPRESSIONS.includes(compression)) {
    const known = 'off, lz4, gzip-1 to gzip-9 or zstd-1 to zstd-19';
    refuse('compression', 'compression', known, 'A higher level compresses more and takes longer.');
  }
  if (!(RECORD_SIZES_KIB as readonly number[]).includes(recordSizeKiB)) {
    const sizes = `one of ${RECORD_SIZES_KIB.join(', ')}`;
    refuse('record', 'recordSizeKiB', sizes, 'It is the size of a record in KiB.');
  }
  if (offload === 'qat' && !compression.startsWith('gzip-'))
    refuse('qat-gzip', 'compression', 'gzip-1 to gzip-9 with QAT', 'It offloads nothing else.');
  if (offload === 'qat' && recordSizeKiB > QAT_MOST_RECORD_KIB) {
    const max = `at most ${QAT_MOST_RECORD_KIB} with QAT`;
    refuse('qat-record', 'recordSizeKiB', max, 'ZFS never hands it larger records.');
  }
  if (offload === 'own-build' && build === undefined)
    refuse('build', 'build', 'given with own-build', 'Set it to the archive of your build (docs/lustre-zfs.md).');
  if (offload !== 'own-build' && build !== undefined) {
    const next: Phrase = ({ name }) => `Leave it out, or set '${name('offload')}' to own-build.`;
    errors.push({
      id: 'fsxbench:lustre-zfs-build',
      property: 'build',
      must: { conflict: ({ name }) => `'${name('offload')}' ${offload}: only own-build uses it` },
      got: build.url,
      next,
    });
  }
  const { networkBurstMbps } = instanceType(type) ?? {};
  return {
    errors,
    warnings: warnings({
      'fsxbench:lustre-zfs-image':
        image === DEFAULT_IMAGE &&
        `the servers boot the image that the parameter ${DEFAULT_IMAGE} of your account names: put the id of an AMI of Rocky Linux or RHEL 8.10 there, or set 'lustreZfsImage' (docs/lustre-zfs.md)`,
      'fsxbench:lustre-zfs-narrow-raid':
        raidDisks < 9 &&
        `RAID-Z1 is ${raidDisks - 1}+1 here and 8+1 in the LANL offload slides: their baselines are not comparable`,
      'fsxbench:lustre-zfs-burst':
        networkBurstMbps !== undefined &&
        `${type} has more network bandwidth in a burst than sustained: keep runs short, or take i7ie.48xlarge`,
      'fsxbench:lustre-zfs-offload':
        offload !== 'none' &&
        `offloading with ${offload} has not been tried on EC2: samples of an arm whose counters do not change are null`,
    }),
  };
}

/**
 * The network of the servers and, if given, of the clients. Lustre over TCP uses one network card of a server. AWS documents operations per second of
 * instance stores and no throughput, and nobody documents the effect of RAID-Z1 and compression: OffloadBench's baselines by layer measure that.
 */
export function limitsOf(configuration: LustreZfsStorage, { clients }: LimitOptions = {}): readonly Limit[] {
  const { servers, instanceType: type } = resolved(configuration);
  const info = instanceType(type);
  if (info === null) return [];
  return [...clientNetwork(clients), networkLimit('server_network', { ...info, count: servers }, type)];
}

/** Bytes for data before compression, without parity and without what ZFS keeps for itself. */
export function capacityBytes(configuration: LustreZfsStorage): number | null {
  const { servers, instanceType: type, raidDisks } = resolved(configuration);
  const store = INSTANCE_STORES[type];
  if (store === undefined) return null;
  const pool = (raidDisks - 1) * store.sizeGB * 1e9;
  return servers * (pool - Math.min(pool * SLOP.share, SLOP.mostBytes));
}
