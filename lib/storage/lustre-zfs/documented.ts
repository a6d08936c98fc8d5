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
