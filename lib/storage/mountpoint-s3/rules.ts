import { refusing } from '../../kit/breach';
import { isWhole, warnings } from '../kit/rules';
import type { StorageCheck } from '../slices/configuration';
import { type MountpointStorage, partMiBOf } from './configuration';
import { PARTS, SEMANTICS_PAGE } from './documented';

export function checkMountpoint(configuration: MountpointStorage): StorageCheck {
  const partMiB = partMiBOf(configuration);
  const { errors, refuse } = refusing({ partMiB }, 'fsxbench:s3');
  const { leastMiB: min, mostMiB: max } = PARTS;
  if (!isWhole(partMiB, { min, max }))
    refuse('part', 'partMiB', `a whole number of MiB from ${min} to ${max}`, 'Leave it out for 16.');
  const semantics = `Mountpoint for Amazon S3 is no POSIX file system: files are written once, in order, and directories are neither renamed nor kept when empty (${SEMANTICS_PAGE}); programs that need more fail on this arm`;
  return { errors, warnings: warnings('fsxbench:mountpoint', { semantics }) };
}
