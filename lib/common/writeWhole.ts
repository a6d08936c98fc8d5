import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Ending of drafts, by which others leave them alone. */
export const DRAFT = '.new';

/**
 * Writes a file and its folder atomically: readers find the old or the whole new content, and a failed write leaves no trace. Of several writers,
 * the last wins. Pipes and devices are written to directly. @param durable the content is on the disk before it takes its name
 */
export function writeWhole(path: string, content: string | Uint8Array, { durable = false } = {}): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      writeFileSync(path, content);
      return;
    }
    const { target, draft } = draftOf(path, found !== undefined);
    const file = openSync(draft, 'wx', found?.mode);
    try {
      try {
        writeFileSync(file, content);
        if (durable) fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** Conditions on which streamed content takes the place of a file. */
export interface StreamOptions {
  /** Fewer bytes are an error. @default - any number */
  readonly min?: number;
  /** Decides by the path of the whole draft. @default - it takes the file's place; pipes and devices are never asked about */
  readonly accept?: (draft: string) => boolean;
}

/** Like {@link writeWhole}, for content that comes in parts, and is on the disk before it takes its name. */
export async function writeStreamed(path: string, content: Readable, options: StreamOptions = {}): Promise<void> {
  const { min = 0, accept = () => true } = options;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) return await pipeline(content, createWriteStream(path));
    const { target, draft } = draftOf(path, found !== undefined);
    try {
      await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: found?.mode ?? 0o666, flush: true }));
      const { size } = statSync(draft);
      if (size < min) throw new Error(`only ${size} of ${min} bytes came; repeat the command`);
      if (accept(draft)) renameSync(draft, target);
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** The file that a path names, through a link to where it leads, and a draft next to it, whose folder there is. */
function draftOf(path: string, exists: boolean): { readonly target: string; readonly draft: string } {
  const target = exists ? realpathSync(path) : path;
  makeFolder(dirname(target));
  return { target, draft: join(dirname(target), `.${randomUUID()}${DRAFT}`) };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    // Node.js says ENOENT of a file system that is read-only.
    let there = folder;
    while (!existsSync(there)) there = dirname(there);
    accessSync(there, constants.W_OK);
    throw error;
  }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The error of a write with its path, which the disk's errors lack: `ENOSPC: no space left on device, write`. */
export function notWritten(path: string, error: unknown): Error {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const next = FULL.has(code) ? '; make room there, then repeat the command' : '';
  return Object.assign(new Error(`'${path}' cannot be written: ${message}${next}`, { cause: error }), { code });
}
