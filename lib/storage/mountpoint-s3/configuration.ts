import * as z from 'zod';
import { refusing } from '../../common/breach';
import { whole } from '../../common/field';
import { IN_MIB } from '../../common/quantity';
import type { Of } from '../../schema/document';
import { isWhole, sets, warnings } from '../common/settings';
import type { StorageCheck } from '../slices/configuration';
import { DEFAULT_PART_MIB, PARTS, SEMANTICS_PAGE } from './documented';

/** A general-purpose S3 bucket, mounted by Mountpoint for Amazon S3. */
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

/** Context keys of a bucket, each with the property that it sets. */
export const S3_SETTINGS = {
  s3PartMiB: sets(
    'partMiB',
    whole(
      PARTS.leastMiB,
      PARTS.mostMiB,
      ' of MiB',
      'A file has 10,000 parts at most, and each file that is written keeps one in memory.',
      IN_MIB,
    ),
  ),
} as const;

export function checkMountpoint(configuration: MountpointStorage): StorageCheck {
  const partMiB = partMiBOf(configuration);
  const { errors, refuse } = refusing({ partMiB }, 'fsxbench:s3');
  const { leastMiB: min, mostMiB: max } = PARTS;
  if (!isWhole(partMiB, { min, max }))
    refuse('part', 'partMiB', `a whole number of MiB from ${min} to ${max}`, 'Leave it out for 16.');
  const semantics = `Mountpoint for Amazon S3 is not a POSIX file system: files are written once, in order, and directories are neither renamed nor kept when empty (${SEMANTICS_PAGE}); programs that need more fail on this arm`;
  return { errors, warnings: warnings({ 'fsxbench:mountpoint-semantics': semantics }) };
}
