export const FILESYSTEMS = ['xfs', 'btrfs'] as const;
export const VOLUME_TYPES = ['gp3', 'gp2', 'io2'] as const;

/** Volumes of EBS that one client holds, with a file system on them. */
export interface EbsStorage {
  readonly kind: 'ebs';
  readonly filesystem: (typeof FILESYSTEMS)[number];
  /** Of Btrfs: `none`, `lzo`, `zstd:3`. @default none */
  readonly compression?: string;
  readonly volumeType: (typeof VOLUME_TYPES)[number];
  /** Of each volume. */
  readonly volumeGiB: number;
  /** Several are one RAID-0. @default 1 */
  readonly volumes?: number;
  /** Of each volume. @default - 3,000 with gp3; io2 needs it; gp2 has them by its size */
  readonly iops?: number;
  /** MiB/s of each volume; gp3 only. @default 125 */
  readonly throughputMiBps?: number;
  /** With the key of the service. @default true */
  readonly encrypted?: boolean;
}

/** A compression that Btrfs knows, with levels of zstd from 1 to 15 (btrfs(5), "compress"). */
export const isCompression = (text: string): boolean => /^(?:none|lzo|zstd:(?:[1-9]|1[0-5]))$/.test(text);

export const COMPRESSIONS = 'none, lzo or zstd:1 to zstd:15';

/** In a line, for people: `Btrfs zstd:3 on 2 × EBS gp3 1000 GiB, 6000 IOPS, 500 MiB/s`. */
export function describeEbs(configuration: EbsStorage): string {
  const { filesystem, compression = 'none', volumeType, volumeGiB, volumes = 1, iops, throughputMiBps } = configuration;
  const on = `${filesystem === 'xfs' ? 'XFS' : `Btrfs ${compression === 'none' ? 'uncompressed' : compression}`} on`;
  return [
    `${on} ${volumes === 1 ? '' : `${volumes} × `}EBS ${volumeType} ${volumeGiB} GiB`,
    ...(iops === undefined ? [] : [`${iops} IOPS`]),
    ...(throughputMiBps === undefined ? [] : [`${throughputMiBps} MiB/s`]),
    ...(configuration.encrypted === false ? ['not encrypted'] : []),
  ].join(', ');
}
