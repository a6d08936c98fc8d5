import type { UpdateFileSystemCommandInput } from '@aws-sdk/client-fsx';
import { BOUNDED } from '../common/aws/connection';
import { type LustreState, Refusal, stateOf } from '../storage/lustre/state';

/** Part of the FSx API that changing a file system needs. */
export interface FsxApi {
  readonly region: string;
  /** @throws Refusal for an unknown Lustre file system */
  describe(fileSystemId: string): Promise<LustreState>;
  update(input: UpdateFileSystemCommandInput): Promise<void>;
}

const ID = /^fs-[0-9a-f]{8,}$/;

/** @throws Refusal unless it is the id of a file system */
export function checkId(fileSystemId: string): void {
  if (ID.test(fileSystemId)) return;
  throw new Refusal(
    `the file system must be an id such as fs-0a1b2c3d4e5f60718, got ${fileSystemId}: aws fsx describe-file-systems lists them`,
  );
}

/** The API of the Region and the credentials of the environment. */
export async function fsxApi(): Promise<FsxApi> {
  const { DescribeFileSystemsCommand, FSxClient, UpdateFileSystemCommand } = await import('@aws-sdk/client-fsx');
  const client = new FSxClient(BOUNDED);
  return {
    region: await client.config.region(),
    describe: async (fileSystemId) => {
      checkId(fileSystemId);
      const answer = await client
        .send(new DescribeFileSystemsCommand({ FileSystemIds: [fileSystemId] }))
        .catch((error: Error) => {
          if (error.name !== 'FileSystemNotFound') throw error;
          throw new Refusal(
            `the file system must be one of this account and Region, got ${fileSystemId}: aws fsx describe-file-systems lists them`,
          );
        });
      const [found] = answer.FileSystems ?? [];
      if (found === undefined) throw new Error(`FSx describes ${fileSystemId} without saying what it is`);
      return stateOf(found);
    },
    update: async (input) => {
      await client.send(new UpdateFileSystemCommand(input));
    },
  };
}
