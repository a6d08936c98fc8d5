import { join, resolve } from 'node:path';
import { BOUNDED } from '../../common/aws/connection';
import { explain } from '../../common/aws/explain';
import { findResultsBucket } from '../../run/deployed';
import type { Manifest, RunStatus } from '../../schema/run';
import { type ResultsStore, S3Store } from '../../store/bucket';
import { documentOrNone, findText, readManifest, readStatus } from '../../store/documents';
import { benchmarkOf, fetchRun, findLocalRun, type LocalRun } from '../../store/library';
import { Unsuccessful } from '../context';

/** Path in the run's folder of its dashboard, as it was when the metrics were collected. */
export const KEPT_BODY = join('metrics', 'dashboard', 'body.json');

/** The dashboard kept with a run; `null` if it was never collected. */
export const keptBody = (folder: string): string | null => documentOrNone(findText(folder, KEPT_BODY));

/** The body of a dashboard from CloudWatch; `null` if there is no dashboard of that name. */
export async function dashboardNamed(name: string): Promise<string | null> {
  const { CloudWatchClient, GetDashboardCommand } = await import('@aws-sdk/client-cloudwatch');
  try {
    const { DashboardBody } = await new CloudWatchClient(BOUNDED).send(
      new GetDashboardCommand({ DashboardName: name }),
    );
    return DashboardBody || null;
  } catch (error) {
    const { name: code } = error as Error;
    if (/^(ResourceNotFound|DashboardNotFoundError|ResourceNotFoundException)/.test(code)) return null;
    throw error;
  }
}

/** The results bucket of a run, found through its stack rather than its manifest; `null` for a local run. */
export const storeOf = async (manifest: Manifest): Promise<ResultsStore | null> =>
  manifest.bucket === null ? null : new S3Store(await findResultsBucket());

/**
 * The local copy of a run, fetched if needed, and again if it was not done then, or was resumed since: `ended` is the status at its end, if known.
 * If the run is here, an unreachable bucket or a damaged file that should name it is not an error.
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
