import type { Dashboard } from '../../dashboard/graph';
import { fsxApi } from '../../scale/fileSystem';
import { dashboardOfFileSystem } from '../../storage/lustre/dashboard';
import { describeLustre } from '../../storage/lustre/documented';
import { refusing } from './scaleCommands';

/** The dashboard of any FSx for Lustre file system of the account, as deployed now. @throws UsageError for any other file system */
export async function dashboardOf(fileSystemId: string): Promise<{ region: string; dashboard: Dashboard }> {
  const api = await fsxApi();
  const { configuration, metadataIops } = await refusing(() => api.describe(fileSystemId));
  const { region } = api;
  const description = `${describeLustre(configuration)}${metadataIops === null ? ', no metadata configuration' : ''}`;
  const known = { fileSystemId, key: fileSystemId, configuration, metadataIops };
  return { region, dashboard: dashboardOfFileSystem({ ...known, region, description }) };
}
