import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ResultsStore } from './bucket';

/** Files of the folder that are the driver's own affair. */
const PRIVATE = /(^|\/)(driver\.(pid|js|log|seat)|hosts-[^/]*|[^/]*\.new)$/;

/** True for a file that belongs to the driver of one machine: it is neither uploaded nor fetched. */
export const isPrivate = (path: string): boolean => PRIVATE.test(path);

/**
 * Brings what changed in a folder to the store. The folder is the truth: a store that does not answer costs nothing but a later retry,
 * and the error is there to be told.
 */
export class Uploader {
  private readonly uploaded = new Map<string, string>();
  private running: Promise<void> | null = null;
  lastError: string | null = null;

  constructor(
    private readonly folder: string,
    private readonly store: ResultsStore,
    private readonly prefix: string,
  ) {}

  /** Uploads what changed since the last time; calls during an upload share the next one. */
  async upload(): Promise<void> {
    while (this.running) await this.running;
    this.running = this.uploadChanged().finally(() => {
      this.running = null;
    });
    await this.running;
  }

  private async uploadChanged(): Promise<void> {
    try {
      for (const file of filesBelow(this.folder)) {
        const name = relative(this.folder, file);
        if (isPrivate(name)) continue;
        const { mtimeMs, size } = statSync(file);
        const state = `${mtimeMs} ${size}`;
        if (this.uploaded.get(name) === state) continue;
        await this.store.put(`${this.prefix}/${name}`, readFileSync(file));
        this.uploaded.set(name, state);
      }
      this.lastError = null;
    } catch (error) {
      this.lastError = `${this.store.describe}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

/** Every file below a folder, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
