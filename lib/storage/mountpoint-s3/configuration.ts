import * as z from 'zod';
import type { Findings } from '../../common/violation';
import type { Of } from '../../schema/document';
import { warnings } from '../common/settings';

const MIB = 2 ** 20;

/** Page on which Mountpoint documents its file system semantics. */
export const SEMANTICS_PAGE = 'https://github.com/awslabs/mountpoint-s3/blob/main/doc/SEMANTICS.md';

/** Parts of an upload. Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html. */
export const MOST_PARTS = 10_000;

/** Files of up to 156 GiB: the 8 MiB of Mountpoint end at 78 GiB, which is less than the Cloud Pipeline comparison's 100. */
export const PART_BYTES = 16 * MIB;

/** Bytes of a request that reads. Source: https://github.com/awslabs/mountpoint-s3/blob/main/doc/CONFIGURATION.md. */
export const READ_PART_BYTES = 8 * MIB;

/** Requests a second that S3 takes at least below one partitioned prefix; with time it takes more. Source: {@link REQUESTS_PAGE}. */
export const REQUESTS_PER_SECOND = { write: 3500, read: 5500 } as const;
export const REQUESTS_PAGE = 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html';

/** A general-purpose S3 bucket, mounted by Mountpoint for Amazon S3. */
export const mountpointSchema = z.object({ kind: z.literal('mountpoint-s3') });
export type MountpointStorage = Of<typeof mountpointSchema>;

/** In a line, for people. */
export const MOUNTPOINT_WORDS = `Mountpoint for Amazon S3, S3 Standard, parts of ${PART_BYTES / 2 ** 20} MiB`;

export function checkMountpoint(): Findings {
  const semantics = `Mountpoint for Amazon S3 is not a POSIX file system: files are written once, in order, and directories are neither renamed nor kept when empty (${SEMANTICS_PAGE}); programs that need more fail on this arm`;
  return { errors: [], warnings: warnings({ 'fsxbench:mountpoint-semantics': semantics }) };
}
