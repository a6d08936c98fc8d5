import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Mount, mountAbove, readMounts } from '../common/mounts';
import { lustreFilesystem, parseLustreSource } from '../storage/common/lustre';
import { Refusal } from '../storage/lustre/state';
import type { CompressionType } from './compression';

/** Progress of rewriting files, in this and in earlier sessions on the same directory. */
export interface RecompressProgress {
  readonly found: number;
  /** Every file has been found. */
  readonly complete: boolean;
  readonly done: number;
  readonly failed: number;
  /** Files whose layout (mirrors, data on the metadata target) a rewriting would lose. */
  readonly leftAlone: number;
  /** Files released to S3, which stay there. */
  readonly released: number;
  /** Files whose layout the client does not know. */
  readonly unknown: number;
  /** Files that are empty or were removed meanwhile. */
  readonly skipped: number;
  /** Files that were not reached; all counts above and this one add up to `found`. */
  readonly remaining: number;
  /** Files with another layout than FSx's default, if they get that one. */
  readonly ownLayout: number;
  /** Sizes of the files that are done. */
  readonly logicalBytes: number;
  /** Sizes of these files without their holes, which do not count as compression. */
  readonly dataBytes: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Duration of this session. */
  readonly seconds: number;
}

export const RECOMPRESS_LAYOUTS = ['keep', 'default'] as const;
export type RecompressLayout = (typeof RECOMPRESS_LAYOUTS)[number];

export interface RecompressResult extends RecompressProgress {
  readonly state: 'done' | 'interrupted';
  readonly journal: string;
  /** The first of those that failed, were left alone or have an unknown layout. */
  readonly failures: readonly { readonly path: string; readonly reason: string; readonly next: string }[];
  /** All of them, by what to do about them, most first. */
  readonly nextSteps: readonly { readonly files: number; readonly next: string }[];
  /** data bytes ÷ bytes on disk afterwards; `null` if nothing was done. */
  readonly ratio: number | null;
  readonly bytesSaved: number;
}

export interface RecompressOptions {
  /** `assets/storage/lustre/recompress`. */
  readonly script: string;
  readonly directory: string;
  readonly type: CompressionType;
  /** The compression was switched just now: what an earlier switch to this type left in its journal is of no account. */
  readonly switched: boolean;
  readonly onProgress?: (progress: RecompressProgress) => void;
  /** `keep`: each file keeps its own; `default`: FSx's for new file systems. @default - `keep` */
  readonly layout?: RecompressLayout;
  /** Only counts. @default - rewrites */
  readonly survey?: boolean;
  /** Files at hand are finished, the rest is left to another run. */
  readonly signal?: AbortSignal;
  /** After `signal`: files at hand are broken off as well. */
  readonly breakOff?: AbortSignal;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Rewrites files where they are mounted. @throws Error with the script's words when it could not begin */
export async function recompress(options: RecompressOptions): Promise<RecompressResult> {
  const { script, directory, type, switched, layout = 'keep', survey } = options;
  const { onProgress, signal, breakOff, environment = process.env } = options;
  const child = spawn(script, [directory, type, '--layout', layout, ...(survey ? ['--survey'] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C is for this process, which passes it on.
    detached: true,
    env: { ...environment, ...(switched && { FSXBENCH_RECOMPRESS_NEW: '1' }) },
  });
  const stop = () => child.kill('SIGTERM');
  for (const each of [signal, breakOff]) each?.addEventListener('abort', stop, { once: true });
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => {
    output.push(chunk.toString('utf8'));
    if (output.length > 50) output.shift();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A script that cannot be started is reported below.
  ended.catch(() => {});
  let last: Omit<RecompressResult, 'ratio' | 'bytesSaved'> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, ...counts } = JSON.parse(line);
    if (event === 'end') last = counts;
    else onProgress?.(counts);
  }
  const status = await ended;
  for (const each of [signal, breakOff]) each?.removeEventListener('abort', stop);
  if (last === undefined) {
    const words = output.join('').trim().split('\n').at(-1) ?? '';
    throw new Error(`recompress ended with status ${status}: ${words}`);
  }
  const { bytesBefore, bytesAfter, dataBytes } = last;
  return { ...last, bytesSaved: bytesBefore - bytesAfter, ratio: bytesAfter > 0 ? dataBytes / bytesAfter : null };
}

/** Refuses a `--recompress` directory that is not on the file system's mount here: another file system's files would be rewritten. */
export function checkMounted(
  directory: string,
  type: CompressionType,
  { fileSystemId, mountName }: { readonly fileSystemId: string; readonly mountName: string },
  mounts: readonly Mount[] = readMounts(),
): void {
  const elsewhere = `switch without --recompress, and on a client of it run: sudo /opt/fsxbench/storage/lustre/recompress ${directory} ${type}`;
  const mount = mountAbove(directory, mounts);
  const source = mount?.type === lustreFilesystem.type ? mount.device : undefined;
  if (source === undefined)
    throw new Refusal(
      `'--recompress' must be on a mount of ${fileSystemId} on this computer, got ${directory}: ${elsewhere}`,
    );
  if (parseLustreSource(source)?.fileSystem !== mountName)
    throw new Refusal(
      `'--recompress' must be on ${fileSystemId}, whose mount name is ${mountName}, got ${directory} on ${source}: ${elsewhere}`,
    );
}
