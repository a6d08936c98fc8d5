import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type LustreState, Refusal } from '../storage/lustre/state';
import { type FsxApi, type WaitOptions, waitFor } from './fileSystem';

/** Longer than a client needs for its cache of unwritten data, some gigabytes at most (osc.*.max_dirty_mb). */
const SECONDS = 600;

/**
 * Sends unwritten data on this computer to the file system's servers, which compress on arrival: `du` needs all earlier data in the old form.
 *
 * @throws Refusal before anything is changed
 */
export async function writeOut(directory: string, { sync = 'sync', seconds = SECONDS } = {}): Promise<void> {
  const child = spawn(sync, ['--file-system', directory], { stdio: ['ignore', 'ignore', 'inherit'], env: process.env });
  const reason = await once(child, 'exit', { signal: AbortSignal.timeout(seconds * 1000) }).then(
    ([status]) => (status === 0 ? null : `ended with status ${status}`),
    ({ name, message }: Error) =>
      name === 'AbortError' ? `took more than ${seconds} s` : `cannot be run (${message})`,
  );
  if (reason === null) return;
  // One that hangs in the kernel cannot be ended, and nobody waits for it.
  child.kill('SIGKILL');
  child.unref();
  throw new Refusal(
    `'--recompress' must write out first what this computer holds of ${directory}: ${sync} --file-system ${reason}. Nothing was switched`,
  );
}

export const COMPRESSION_TYPES = ['LZ4', 'NONE'] as const;
export type CompressionType = (typeof COMPRESSION_TYPES)[number];

/** A switch of compression, checked, before anything happens. */
export interface CompressionChange {
  readonly fileSystemId: string;
  readonly from: CompressionType;
  readonly to: CompressionType;
  /** True if there is nothing to change. */
  readonly nothing: boolean;
  readonly notes: readonly string[];
}

/** Checks that FSx would switch the compression of a file system, and describes the change. @throws Refusal with the next step */
export function checkCompressionChange(state: LustreState, to: CompressionType): CompressionChange {
  const { fileSystemId, lifecycle, configuration } = state;
  const from = configuration.dataCompressionType ?? 'NONE';
  const nothing = from === to;
  if (!nothing && lifecycle !== 'AVAILABLE')
    throw new Refusal(`${fileSystemId} must be AVAILABLE, got ${lifecycle}: wait until it is, then ask again`);
  return {
    fileSystemId,
    from,
    to,
    nothing,
    notes: [
      // https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html
      to === 'LZ4'
        ? 'Only what is written from now on is compressed; what is there stays as it is until it is rewritten (--recompress).'
        : 'Only what is written from now on is stored as it is; what is there stays compressed until it is rewritten (--recompress).',
      'The price stays the same: it is that of the provisioned capacity.',
    ],
  };
}

/** Switches compression and waits for its effect. @param mounted a directory of the file system on this computer, written out before */
export async function changeCompression(
  api: FsxApi,
  { fileSystemId, to }: CompressionChange,
  { mounted, ...options }: WaitOptions & { readonly mounted?: string | undefined } = {},
): Promise<LustreState> {
  if (mounted !== undefined) await writeOut(mounted);
  const since = new Date(Date.now() - 60_000);
  await api.update({ FileSystemId: fileSystemId, LustreConfiguration: { DataCompressionType: to } });
  const isAsWanted = ({ configuration }: LustreState) => configuration.dataCompressionType === to;
  return waitFor(api, fileSystemId, { since, isAsWanted }, options);
}
