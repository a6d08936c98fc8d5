import { setTimeout as sleep } from 'node:timers/promises';
import type { UpdateFileSystemCommandInput } from '@aws-sdk/client-fsx';
import { BOUNDED, withRetry } from '../common/aws/connection';
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

export interface WaitOptions {
  /** @default 2 h: a change of metadata IOPS takes minutes, but FSx promises no time */
  readonly timeoutSeconds?: number;
  /** @default 15 */
  readonly everySeconds?: number;
  readonly onProgress?: (message: string) => void;
  readonly signal?: AbortSignal;
}

const TIMEOUT_SECONDS = 7200;
const EVERY_SECONDS = 15;

/** States from which a file system does not come back by itself. */
const BROKEN = ['FAILED', 'MISCONFIGURED', 'MISCONFIGURED_UNAVAILABLE', 'DELETING'];

/**
 * Polls a file system until it is available and as wanted; FSx has no waiter. @param since earlier changes do not count
 * @throws Error when the change failed, or after the timeout, while it continues
 */
export async function waitFor(
  api: FsxApi,
  fileSystemId: string,
  { since, isAsWanted }: { readonly since: Date; readonly isAsWanted: (state: LustreState) => boolean },
  { timeoutSeconds = TIMEOUT_SECONDS, everySeconds = EVERY_SECONDS, onProgress, signal }: WaitOptions,
): Promise<LustreState> {
  const started = Date.now();
  const stateNow = withRetry(() => api.describe(fileSystemId), {
    everySeconds,
    onAway: (message) => onProgress?.(message),
  });
  for (;;) {
    const state = await stateNow();
    const [action] = state.actions.filter(({ requestedAt }) => requestedAt >= since);
    if (action?.status === 'FAILED')
      throw new Error(`FSx could not change ${fileSystemId}: ${action.failure ?? 'it gives no reason'}`);
    if (BROKEN.includes(state.lifecycle)) throw new Error(`${fileSystemId} is ${state.lifecycle}: see the FSx console`);
    if (state.lifecycle === 'AVAILABLE' && isAsWanted(state)) return state;
    const seconds = Math.round((Date.now() - started) / 1000);
    const percent = action?.percent == null ? '' : ` ${action.percent} %`;
    onProgress?.(`${fileSystemId} ${state.lifecycle}, change ${action?.status ?? 'not begun'}${percent}, ${seconds} s`);
    if (seconds >= timeoutSeconds)
      throw new Error(
        `${fileSystemId} has not changed after ${seconds} s; the change continues: aws fsx describe-file-systems --file-system-ids ${fileSystemId}`,
      );
    await sleep(everySeconds * 1000, undefined, { signal });
  }
}
