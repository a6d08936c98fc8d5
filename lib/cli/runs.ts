import type { Manifest } from '../model/run';
import { findResultsBucket } from '../run/deployed';
import { benchmarkOf, fetchRun, findLocalRun, type LocalRun, readManifest } from '../run/library';
import { type ResultsStore, S3Store } from '../run/store';

/** The store that a run's manifest names; `null` for a run that stayed on this machine. */
export function storeOf(manifest: Manifest): ResultsStore | null {
  return manifest.bucket === null ? null : new S3Store(manifest.bucket);
}

/**
 * A run on this machine, brought from the bucket when it is not here.
 *
 * @param refresh - fetch again what may have grown; a bucket that does not answer is no failure for a run that is here
 */
export async function obtainRun(text: string, results: string, { refresh = false } = {}): Promise<LocalRun> {
  const local = findLocalRun(text, results);
  if (local) {
    const { bucket } = readManifest(local.folder);
    if (!refresh || bucket === null || local.folder === text) return local;
    try {
      return await fetchRun(new S3Store(bucket), local.benchmark, local.run, results);
    } catch {
      return local;
    }
  }
  const store = new S3Store(await findResultsBucket());
  return fetchRun(store, await benchmarkOf(store, text), text, results);
}
