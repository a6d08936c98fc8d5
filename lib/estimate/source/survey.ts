import type { EstimateProgress } from '../options';
import type { Unmeasured } from '../result';
import type { WalkNotes } from './found';
import { display } from './paths';

/** Number of names kept of files that were not measured; all are counted. */
const MOST_NAMED = 10_000;
const PROGRESS_MS = 250;

/** Notes of an estimate besides its figures: what was not measured, and the progress. */
export class Survey implements WalkNotes {
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
  /** Holes of the files that the figures are of. */
  holeBytes = 0;
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

  symbolicLink(): void {
    this.symbolicLinks += 1;
  }

  hardLink(): void {
    this.hardLinks += 1;
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
