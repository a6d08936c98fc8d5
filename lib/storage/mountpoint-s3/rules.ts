import type { StorageCheck } from '../slices/configuration';
import { type MountpointStorage, partMiBOf } from './configuration';
import { PARTS, SEMANTICS_PAGE } from './documented';

export function checkMountpoint(configuration: MountpointStorage): StorageCheck {
  const part = partMiBOf(configuration);
  const { leastMiB, mostMiB } = PARTS;
  return {
    errors:
      Number.isInteger(part) && part >= leastMiB && part <= mostMiB
        ? []
        : [
            {
              id: 'fsxbench:s3-part',
              property: 'partMiB',
              must: `a whole number of MiB from ${leastMiB} to ${mostMiB}`,
              got: part,
              next: 'Leave it out for 16.',
            },
          ],
    warnings: [
      {
        id: 'fsxbench:mountpoint-semantics',
        message: `Mountpoint for Amazon S3 is no POSIX file system: files are written once, in order, and directories are neither renamed nor kept when empty (${SEMANTICS_PAGE}); programs that need more fail on this arm`,
      },
    ],
  };
}
