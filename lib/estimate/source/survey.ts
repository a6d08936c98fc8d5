import { lstatSync } from 'node:fs';
import type { EstimateProgress } from '../options';
import type { Unmeasured } from '../result';
import type { Extent } from './walk';

/** Local file names are bytes, not always UTF-8: a path here has one character per byte, and only `display` makes text. S3 names are text. */
export const S3_SCHEME = 's3://';

export const isS3 = (path: string): boolean => path.startsWith(S3_SCHEME);

export const rawPath = (path: string): Buffer => Buffer.from(path, 'latin1');

/** A given path, with one byte per character. */
export const fromText = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');

export const display = (path: string): string => (isS3(path) ? path : Buffer.from(path, 'latin1').toString('utf8'));

export function splitS3(address: string): { bucket: string; key: string } {
  const rest = address.slice(S3_SCHEME.length);
  const slash = rest.indexOf('/');
  return slash < 0 ? { bucket: rest, key: '' } : { bucket: rest.slice(0, slash), key: rest.slice(slash + 1) };
}

/** True if one address contains everything that another one names: a key is an object and, as a folder, the objects below it. */
export function coversS3(wide: string, address: string): boolean {
  const { bucket, key } = splitS3(wide);
  const own = splitS3(address);
  const folder = key === '' || key.endsWith('/') ? key : `${key}/`;
  return own.bucket === bucket && (own.key === key || own.key.startsWith(folder));
}

const REASONS: Readonly<Record<string, string>> = {
  ...{ EACCES: 'permission denied', EPERM: 'permission denied', EIO: 'input/output error' },
  ...{ ENOENT: 'deleted during the scan', ENOTDIR: 'deleted during the scan' },
  ELOOP: 'became a symbolic link',
  EISDIR: 'became a folder',
  ESTALE: 'stale file handle',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'path too long',
};

/** Why something could not be read, in a few words. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const name = error instanceof Error && error.name !== 'Error' ? error.name : '';
  const said = code || name || String(error instanceof Error ? error.message : error);
  return REASONS[code ?? ''] ?? REASONS[name] ?? said.replace(/\n.*/s, '');
}

const NEVER_THERE: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  ELOOP: 'a loop of symbolic links',
  ENAMETOOLONG: 'name too long',
};

/** The reason why a given path could not be read. A missing one never existed: it has not been deleted meanwhile. */
export function reasonOfGiven(error: unknown, path: string): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT' && lstatSync(rawPath(path), { throwIfNoEntry: false })?.isSymbolicLink())
    return 'a symbolic link to nothing';
  return NEVER_THERE[code] ?? reasonOf(error);
}

/** Number of names kept of files that were not measured; all are counted. */
const MOST_NAMED = 10_000;
const PROGRESS_MS = 250;

/** Notes of an estimate besides its figures: what was not measured, and the progress. */
export class Survey {
  readonly unreadableNamed: Unmeasured[] = [];
  readonly skippedNamed: Unmeasured[] = [];
  unreadableFiles = 0;
  symbolicLinks = 0;
  hardLinks = 0;
  filesListed = 0;
  bytesListed = 0;
  listed = false;
  filesDone = 0;
  bytesDone = 0;
  readonly #started = process.hrtime.bigint();
  readonly #failed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly onProgress: ((progress: EstimateProgress) => void) | undefined) {
    if (onProgress === undefined) return;
    this.#timer = setInterval(() => this.report(), PROGRESS_MS);
    this.#timer.unref();
  }

  get seconds(): number {
    return Number(process.hrtime.bigint() - this.#started) / 1e9;
  }

  /** A file or folder that could not be read. */
  unreadable(path: string, reason: string): void {
    this.unreadableFiles += 1;
    if (this.unreadableNamed.length < MOST_NAMED) this.unreadableNamed.push({ path, reason });
  }

  /** A file that was listed but could not be measured. */
  failed(path: string, bytes: number, reason: string): void {
    this.unreadable(display(path), reason);
    this.filesListed -= 1;
    this.bytesListed -= bytes;
  }

  /** Reports a file once, since several of its records may be drawn. */
  unreadableOnce(path: string, reason: string): void {
    if (this.#failed.has(path)) return;
    this.#failed.add(path);
    this.unreadable(display(path), reason);
  }

  skipped(path: string, reason: string): void {
    if (this.skippedNamed.length < MOST_NAMED) this.skippedNamed.push({ path, reason });
  }

  report(): void {
    const { filesListed, bytesListed, listed, filesDone, seconds } = this;
    // A failed file no longer counts as listed, even if part of it was read.
    const bytesDone = Math.min(this.bytesDone, bytesListed);
    this.onProgress?.({ filesListed, bytesListed, listed, filesDone, bytesDone, seconds });
  }

  /** Reports a last time and stops. */
  close(): void {
    clearInterval(this.#timer);
    this.report();
  }
}

export interface Found {
  readonly path: string;
  readonly bytes: number;
  /** Extents with data: holes are not read. Empty if nothing was ever written. @default - the file is read as a whole */
  readonly data?: readonly Extent[];
  /** Bytes without blocks in the file system, if it counts them. @default 0 */
  readonly holeBytes?: number;
}
