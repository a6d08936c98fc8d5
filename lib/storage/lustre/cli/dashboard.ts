import type { ShownBody } from '../../../cli/storageCommands';
import { bodyOfFileSystem } from '../construct/ofFileSystem';
import { fsxApi } from '../scale/fileSystem';
import { refusing } from './scaleOptions';

/** The dashboard of any file system of the account, as it is now. @throws UsageError for one that is not of FSx for Lustre */
export async function dashboardOf(fileSystemId: string): Promise<ShownBody> {
  const api = await fsxApi();
  const { configuration, metadataIops } = await refusing(() => api.describe(fileSystemId));
  const { region } = api;
  return { region, text: bodyOfFileSystem({ fileSystemId, region, configuration, metadataIops }) };
}
