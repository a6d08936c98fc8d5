import { Readable } from 'node:stream';
import { type StreamOptions, writeStreamed } from '../../lib/common/writeWhole';
import type { ResultsStore } from '../../lib/store/bucket';

/** A store of a test, whose downloads are what it gives. */
export function downloading(store: Omit<ResultsStore, 'download'>): ResultsStore {
  return Object.assign(store, {
    async download(this: typeof store, key: string, path: string, options?: StreamOptions): Promise<boolean> {
      const found = await store.get(key);
      if (found !== null) await writeStreamed(path, Readable.from([found]), options);
      return found !== null;
    },
  });
}
