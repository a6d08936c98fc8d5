import type { Filesystem } from './filesystem';
import { FILESYSTEM_OF_ANY_TYPE, STORAGES } from './registry';

/** How to work on a type of file system; one that no storage names is as any other. */
export function filesystemNamed(type: string): Filesystem {
  return (
    STORAGES.flatMap(({ filesystems }) => filesystems).find((each) => each.type === type) ?? FILESYSTEM_OF_ANY_TYPE
  );
}
