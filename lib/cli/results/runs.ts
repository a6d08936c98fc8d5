import { resolve } from 'node:path';
import { explain } from '../../common/aws/explain';
import { findResultsBucket } from '../../run/deployed';
import type { Manifest, RunStatus } from '../../schema/run';
import { type ResultsStore, S3Store } from '../../store/bucket';
import { readManifest, readStatus } from '../../store/documents';
import { benchmarkOf, fetchRun, findLocalRun, type LocalRun } from '../../store/library';
import { Unsuccessful } from '../context';

/** The results bucket of a run, found through its stack rather than its manifest; `null` for a local run. */
export const storeOf = async (manifest: Manifest): Promise<ResultsStore | null> =>
  manifest.bucket === null ? null : new S3Store(await findResultsBucket());

/**
 * The local copy of a run, fetched from the bucket if needed, and again if the run was not done when it was fetched. If the run is here, an
 * unreachable bucket or a damaged file that should name it is not an error.
 *
 * @param ended the status at the run's end, if known: a copy from before the run was resumed is also fetched again
 */
export async function obtainRun(text: string, results: string, ended?: RunStatus): Promise<LocalRun> {
  const local = findLocalRun(text, results);
  if (local) {
    try {
      const { bucket } = readManifest(local.folder);
      if (bucket === null || local.folder === resolve(text)) return local;
      const status = readStatus(local.folder);
      if (status?.state === 'done' && status.updatedAt === (ended ?? status).updatedAt) return local;
      return await fetchRun(new S3Store(await findResultsBucket()), local.benchmark, local.run, results);
    } catch {
      return local;
    }
  }
  const bucket = await findResultsBucket().catch((error: unknown) => {
    throw new Unsuccessful(
      `there is no run '${text}' in ${results}: give the id of a run (npx fsxbench list shows them) or its folder. The results bucket could not be queried: ${explain(error)}`,
    );
  });
  const store = new S3Store(bucket);
  return fetchRun(store, await benchmarkOf(store, text), text, results);
}
