import * as z from 'zod';
import type { Of } from '../../schema/document';
import { DEFAULT_PART_MIB } from './documented';

/** A general-purpose bucket of S3, mounted by Mountpoint for Amazon S3. */
export const mountpointSchema = z.object({
  kind: z.literal('mountpoint-s3'),
  /** Size of the parts in which a file is uploaded: 10,000 of them are the largest file. @default 16 */
  partMiB: z.number().optional(),
});
export type MountpointStorage = Of<typeof mountpointSchema>;

export const partMiBOf = ({ partMiB = DEFAULT_PART_MIB }: MountpointStorage): number => partMiB;

/** In a line, for people: `Mountpoint for Amazon S3, S3 Standard, parts of 16 MiB`. */
export const describeMountpoint = (configuration: MountpointStorage): string =>
  `Mountpoint for Amazon S3, S3 Standard, parts of ${partMiBOf(configuration)} MiB`;
