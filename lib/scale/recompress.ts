import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { CompressionType } from './compression';
import type { NamedDirectory } from './mounted';

/** Progress of rewriting files, in this and in earlier sessions on the same directory. */
export interface RecompressProgress {
  readonly found: number;
  /** Every file has been found. */
  readonly complete: boolean;
  readonly done: number;
  readonly failed: number;
  /** Files whose layout (mirrors, data on the metadata target) a rewriting would lose. */
  readonly leftAlone: number;
  readonly skipped: number;
  /** Sizes of the files that are done. */
  readonly logicalBytes: number;
  /** Sizes of these files without their holes, which are no compression. */
  readonly dataBytes: number;
  /** Bytes on disk before and after. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Duration of this session. */
  readonly seconds: number;
}

export interface RecompressResult extends RecompressProgress {
  readonly state: 'done' | 'interrupted';
  readonly journal: string;
  /** The first of those that failed or were left alone. */
  readonly failures: readonly { readonly path: string; readonly reason: string; readonly next: string }[];
  /** All of them, by what to do about them, most first. */
  readonly nextSteps: readonly { readonly files: number; readonly next: string }[];
  /** data bytes ÷ bytes on disk afterwards; `null` where nothing was done. */
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
  /** Files at a time. @default - what the script has: 16 */
  readonly concurrency?: number;
  readonly onProgress?: (progress: RecompressProgress) => void;
  /** Files at hand are finished, the rest is left to another run. */
  readonly signal?: AbortSignal;
  readonly environment?: NodeJS.ProcessEnv;
}

/** The directory of `--recompress`, for {@link checkMounted}. */
export function directoryToRecompress(directory: string, type: CompressionType): NamedDirectory {
  const elsewhere = `switch without --recompress, and on a client of it run: sudo /opt/fsxbench/storage/lustre/recompress ${directory} ${type}`;
  return { option: '--recompress', directory, elsewhere };
}

/** Rewrites files where they are mounted. @throws Error with the script's words when it could not begin */
export async function recompress(options: RecompressOptions): Promise<RecompressResult> {
  const { script, directory, type, switched, concurrency, onProgress, signal, environment = process.env } = options;
  const child = spawn(script, [directory, type], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      ...(switched && { FSXBENCH_RECOMPRESS_NEW: '1' }),
      ...(concurrency !== undefined && { FSXBENCH_RECOMPRESS_FILES: String(concurrency) }),
    },
  });
  const stop = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', stop, { once: true });
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
    const event = JSON.parse(line);
    if (event.event === 'end') last = event;
    else onProgress?.(event);
  }
  const status = await ended;
  signal?.removeEventListener('abort', stop);
  if (last === undefined) {
    const words = output.join('').trim().split('\n').at(-1) ?? '';
    throw new Error(`recompress ended with status ${status}: ${words}`);
  }
  const { found, complete, done, failed, leftAlone, skipped, seconds, state, journal, failures, nextSteps } = last;
  const { logicalBytes, dataBytes, bytesBefore, bytesAfter } = last;
  return {
    state,
    found,
    complete,
    done,
    failed,
    leftAlone,
    skipped,
    logicalBytes,
    dataBytes,
    bytesBefore,
    bytesAfter,
    bytesSaved: bytesBefore - bytesAfter,
    ratio: bytesAfter > 0 ? dataBytes / bytesAfter : null,
    seconds,
    journal,
    failures,
    nextSteps,
  };
}
