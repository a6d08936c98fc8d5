import * as z from 'zod';
import type { Of } from '../../schema/document';
import { warnings } from '../common/settings';
import type { StorageCheck } from '../slices/configuration';
import { PART_BYTES, SEMANTICS_PAGE } from './documented';

/** A general-purpose S3 bucket, mounted by Mountpoint for Amazon S3. */
export const mountpointSchema = z.object({ kind: z.literal('mountpoint-s3') });
export type MountpointStorage = Of<typeof mountpointSchema>;

/** In a line, for people. */
export const MOUNTPOINT_WORDS = `Mountpoint for Amazon S3, S3 Standard, parts of ${PART_BYTES / 2 ** 20} MiB`;

export function checkMountpoint(): StorageCheck {
  const semantics = `Mountpoint for Amazon S3 is not a POSIX file system: files are written once, in order, and directories are neither renamed nor kept when empty (${SEMANTICS_PAGE}); programs that need more fail on this arm`;
  return { errors: [], warnings: warnings({ 'fsxbench:mountpoint-semantics': semantics }) };
}
