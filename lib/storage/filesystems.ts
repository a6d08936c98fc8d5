import type * as z from 'zod';
import type { Filesystem } from './filesystem';
import { FILESYSTEM_OF_ANY_TYPE, STORAGES } from './registry';

export const FILESYSTEMS = STORAGES.flatMap(({ client: { filesystems } }) => filesystems);

/** Parameters of plans that choose the layout of data directories. A file system that does not know one ignores it. */
export const LAYOUT_PARAMETERS: Readonly<Record<string, z.ZodType>> = Object.assign(
  {},
  ...FILESYSTEMS.map(({ layout }) => layout?.parameters),
);

/** Finds a type of file system; any type that no storage names is treated alike. */
export const filesystemNamed = (type: string): Filesystem =>
  FILESYSTEMS.find((each) => each.type === type) ?? FILESYSTEM_OF_ANY_TYPE;
