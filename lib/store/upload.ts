import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstThree } from '../common/format/text';
import { counted } from '../common/format/units';
import type { ResultsStore } from './bucket';
import { STATUS, statusOrNone } from './documents';

const PRIVATE = /(^|\/)(driver\.(pid|js|log|lock|seat)|hosts-[^/]*|[^/]*\.new(\.(out|cmd))?)$/;

/** True for a file that belongs to the driver of one computer: it is neither uploaded nor fetched. */
export const isPrivate = (path: string): boolean => PRIVATE.test(path);

/** Consecutive failures that end a round, since then the store itself is failing. */
const MOST_FAILURES = 3;
/** A larger file is never in memory as a whole: S3 takes its parts. */
const PART_BYTES = 5 * 2 ** 20;
/** Seconds between two rounds of the last flush. */
const PAUSE_SECONDS = 5;
/** The last flush gives up after this many seconds without progress. */
const PATIENCE_SECONDS = 60;

/** Seconds, in place of {@link PATIENCE_SECONDS} and {@link PAUSE_SECONDS}. */
export interface FlushOptions {
  readonly patience?: number;
  readonly pause?: number;
}

/** Uploads changes of a folder in the background: measurements never wait. The folder is authoritative; a silent store means a later retry. */
export class Uploader {
  private readonly uploaded = new Map<string, string>();
  /** Failed uploads per file: one file does not block the others. */
  private readonly failures = new Map<string, number>();
  private working: Promise<void> | null = null;
  private changed = false;
  private lastError: string | null = null;
  private arrivedAt = 0;

  constructor(
    private readonly folder: string,
    private readonly store: ResultsStore,
    private readonly prefix: string,
  ) {}

  /** Schedules an upload and returns at once. Changes during an upload are part of the next one. */
  note(): void {
    this.changed = true;
    this.working ??= this.work().finally(() => {
      this.working = null;
    });
  }

  /** Uploads the rest, the final status last: a visible end means that all files are there. @returns what could not be uploaded, and why; or `null` */
  async finish({ patience = PATIENCE_SECONDS, pause = PAUSE_SECONDS }: FlushOptions = {}): Promise<string | null> {
    this.changed = false;
    this.arrived();
    const isOver = (): boolean => performance.now() - this.arrivedAt >= patience * 1000;
    const isDone = (): boolean => this.waiting().length === 0 || isOver();
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const guard = setInterval(() => {
      if (isOver()) giveUp.abort();
    }, 100);
    const givenUp = once(signal, 'abort');
    try {
      await Promise.race([this.working, givenUp]);
      while (!isDone()) {
        await Promise.race([this.round(true, signal), givenUp]);
        if (!isDone()) await sleep(pause * 1000, undefined, { signal }).catch(() => {});
      }
    } finally {
      clearInterval(guard);
      giveUp.abort();
    }
    return this.missing();
  }

  private async work(): Promise<void> {
    while (this.changed) {
      this.changed = false;
      await this.round(false);
    }
  }

  private arrived(): void {
    this.arrivedAt = performance.now();
  }

  private async round(last: boolean, stop?: AbortSignal): Promise<void> {
    let failures = 0;
    for (const name of this.waiting()) {
      if (stop?.aborted || failures >= MOST_FAILURES) return;
      try {
        const path = join(this.folder, name);
        const state = stateOf(path);
        const bytes = statSync(path).size;
        const body = bytes > PART_BYTES ? { path, bytes } : readFileSync(path);
        // The end of a run is published after everything else.
        const isEarly = !last || this.waiting().some((other) => other !== STATUS.file);
        if (name === STATUS.file && isEarly && endedIn(this.folder)) continue;
        await this.store.put(`${this.prefix}/${name}`, body, () => this.arrived());
        this.uploaded.set(name, state);
        this.arrived();
        failures = 0;
        this.failures.delete(name);
      } catch (error) {
        failures += 1;
        this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
        this.lastError = error instanceof Error ? error.message || error.name : String(error);
      }
    }
  }

  /** Files that differ from the store, those that `watch` needs first, the end of the run last. */
  private waiting(): string[] {
    let files: string[];
    try {
      files = filesBelow(this.folder);
    } catch {
      // A shared folder may be away for a moment. One file at least is missing; why it cannot be read is found out where it is.
      return [STATUS.file];
    }
    const names = files
      .map((file) => relative(this.folder, file))
      .filter((name) => !isPrivate(name) && this.uploaded.get(name) !== stateOf(join(this.folder, name)));
    const failuresOf = (name: string): number => this.failures.get(name) ?? 0;
    const others = names.filter((name) => name !== STATUS.file).sort((a, b) => failuresOf(a) - failuresOf(b));
    if (!names.includes(STATUS.file)) return others;
    return endedIn(this.folder) ? [...others, STATUS.file] : [STATUS.file, ...others];
  }

  private missing(): string | null {
    const names = [...this.waiting()].sort();
    if (names.length === 0) return null;
    const why = this.lastError ?? 'it does not answer';
    return `${this.store.describe}: ${why}; ${counted(names.length, 'file')} not uploaded (${firstThree(names)})`;
  }
}

function stateOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'gone' : `${stats.mtimeMs} ${stats.size}`;
}

const endedIn = (folder: string): boolean => (statusOrNone(folder)?.endedAt ?? null) !== null;

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
