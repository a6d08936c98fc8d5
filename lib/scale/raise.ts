import * as z from 'zod';
import { shellWord } from '../common/format/shell';
import type { Of } from '../schema/document';
import { name } from '../schema/names';
import type { StorageChange } from '../storage/change';

/** Kind of the action in a plan that raises metadata IOPS. */
export const RAISE_METADATA = 'raise-metadata';

/** The step's action; its `iops` are those afterwards. */
const schema = z.object({ kind: z.literal(RAISE_METADATA), fileSystemId: name, iops: z.int().min(1) });
export type RaiseMetadata = Of<typeof schema>;

/** The change itself is made by `fsxbench scale metadata --measure`, which has the API and what the user wants of it. */
export const raiseMetadata: StorageChange<RaiseMetadata> = {
  kind: RAISE_METADATA,
  schema,
  describe: ({ fileSystemId, iops }) => `raise the metadata IOPS of ${fileSystemId} to ${iops}`,
  progress: ({ fileSystemId, iops }) => `raising the metadata IOPS of ${fileSystemId} to ${iops}`,
  make: ({ fileSystemId }) =>
    Promise.reject(new Error(`only fsxbench scale metadata --measure can raise the metadata IOPS of ${fileSystemId}`)),
  again: ({ fileSystemId }, settings) => ({
    words:
      'Metadata IOPS only rise, so this run cannot be repeated; the next raise can be measured in the same way, with more IOPS than there are.',
    command: [
      `npx fsxbench scale metadata ${shellWord(fileSystemId)} --iops IOPS --measure DIRECTORY`,
      ...settings,
    ].join(' '),
  }),
};
