import * as z from 'zod';
import type { Of } from '../../schema/document';
export const FILESYSTEMS = ['xfs', 'btrfs'] as const;
export const VOLUME_TYPES = ['gp3', 'gp2', 'io2'] as const;

/** Volumes of EBS that one client holds, with a file system on them. What goes together is the rules' affair (rules.ts). */
export const ebsSchema = z.object({
  kind: z.literal('ebs'),
  filesystem: z.enum(FILESYSTEMS),
  /** Btrfs only: `none`, `lzo`, `zstd:3`. @default none */
  compression: z.string().optional(),
  volumeType: z.enum(VOLUME_TYPES),
  /** Size of each volume. */
  volumeGiB: z.number(),
  /** Several are one RAID-0. @default 1 */
  volumes: z.number().optional(),
  /** IOPS of each volume. @default - 3,000 with gp3; io2 needs it; gp2 has them by its size */
  iops: z.number().optional(),
  /** MiB/s of each volume; gp3 only. @default 125 */
  throughputMiBps: z.number().optional(),
  /** With the key of the service. @default true */
  encrypted: z.boolean().optional(),
});
export type EbsStorage = Of<typeof ebsSchema>;

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
