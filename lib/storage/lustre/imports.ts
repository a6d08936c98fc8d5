import { BOUNDED } from '../../common/aws/bounded';
import type { Imports, ImportTask } from '../slices/account';
import type { LustreConfiguration } from './configuration';

/**
 * Imports of metadata that begin when a data repository association is available; CloudFormation does not wait for them
 * (https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateDataRepositoryAssociation.html, BatchImportMetaDataOnCreate).
 */
export function importsOf({ dataRepositories = [] }: LustreConfiguration, id: string): Imports | null {
  const expected = dataRepositories.filter(({ importMetadataOnCreate }) => importMetadataOnCreate).length;
  return expected === 0 ? null : { expected, tasks: () => tasksOf(id) };
}

async function tasksOf(id: string): Promise<ImportTask[]> {
  const { FSxClient, paginateDescribeDataRepositoryTasks } = await import('@aws-sdk/client-fsx');
  const pages = paginateDescribeDataRepositoryTasks(
    { client: new FSxClient(BOUNDED) },
    { Filters: [{ Name: 'file-system-id', Values: [id] }] },
  );
  const found: ImportTask[] = [];
  for await (const { DataRepositoryTasks = [] } of pages)
    for (const { TaskId = '', Lifecycle = 'unknown', Type, Status, FailureDetails } of DataRepositoryTasks)
      if (Type === 'IMPORT_METADATA_FROM_REPOSITORY')
        found.push({
          id: TaskId,
          lifecycle: Lifecycle,
          succeeded: Status?.SucceededCount ?? 0,
          failed: Status?.FailedCount ?? 0,
          ...(FailureDetails?.Message !== undefined && { failure: FailureDetails.Message }),
        });
  return found;
}
