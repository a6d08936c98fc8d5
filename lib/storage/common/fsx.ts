import type { AdministrativeAction } from '@aws-sdk/client-fsx';
import { askAll } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/connection';
import { itemLine, unknownQuantity } from '../../price/line';
import type { CostLine } from '../../schema/cost';
import type { StorageConfiguration } from '../../schema/deployment';
import type { Described } from '../../schema/run';
import { type ResourceSearch, type SearchOptions, stackOf } from '../search';
import type { Storage } from '../storage';

/** File systems and backups of one FSx type. */
export function searchFsx<C extends StorageConfiguration>(
  type: 'LUSTRE' | 'OPENZFS',
  label: string,
  storage: () => Storage<C>,
): ResourceSearch {
  return {
    label,
    find: async (account, options) => {
      const { region, book } = options;
      const fsx = storage();
      const all = await askAll(account, 'fsx:DescribeFileSystems', {}, 'FileSystems');
      const living = all.filter(({ Lifecycle }) => Lifecycle !== 'DELETING');
      const backups = await askAll(account, 'fsx:DescribeBackups', {}, 'Backups');
      return [
        ...living.flatMap((one) => {
          const configuration = fsx.account.fromDescription(one as unknown as Described);
          if (configuration === null) return [];
          const id = one.FileSystemId ?? '';
          return {
            id,
            what: fsx.configuration.describe(configuration),
            stack: stackOf(one),
            lines: fsx.price.cost(configuration, { region, book }),
            remove: `aws fsx delete-file-system --file-system-id ${id} --region ${region}`,
            configuration,
          };
        }),
        ...backups
          .filter(({ FileSystem, Lifecycle }) => FileSystem?.FileSystemType === type && Lifecycle !== 'DELETED')
          .map((one) => ({
            id: one.BackupId ?? '',
            what: `backup of ${one.FileSystem?.FileSystemId}`,
            stack: stackOf(one) ?? stackOf(one.FileSystem ?? {}),
            lines: fsxBackupLines(options, one.SizeInBytes),
            remove: `aws fsx delete-backup --backup-id ${one.BackupId} --region ${region}`,
          })),
      ];
    },
  };
}

/** A service's answers about file systems, each asked for alone, since an unknown one fails the whole call: those that it does not know are left out. */
export async function describeEach(
  ids: readonly string[],
  ask: (id: string) => Promise<readonly object[]>,
): Promise<ReadonlyMap<string, Described>> {
  const answers = ids.map(async (id) => {
    const found = await ask(id).catch((error: Error) => {
      // EFS and FSx call it by the same name.
      if (error.name === 'FileSystemNotFound') return [];
      throw error;
    });
    return found.map((one) => [id, one as Described] as const);
  });
  return new Map((await Promise.all(answers)).flat());
}

/** States of an administrative action that works on the file system (API reference, AdministrativeAction). */
const AT_WORK = ['PENDING', 'IN_PROGRESS', 'UPDATED_OPTIMIZING', 'OPTIMIZING'];

/** True for a state in which FSx has not finished a change. */
export const isAtWork = (status: string | undefined): boolean => AT_WORK.includes(status ?? '');

/**
 * Changes that FSx is still making: `STORAGE_OPTIMIZATION (37 %)`; `null` where it makes none. Data move to new disks for hours or days
 * after the update that added them (https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-storage-capacity.html).
 */
export function unfinishedChanges({ AdministrativeActions: all }: Described): string | null {
  const working = ((all ?? []) as AdministrativeAction[]).filter(({ Status }) => isAtWork(Status));
  const words = working.map(
    ({ AdministrativeActionType: type, ProgressPercent: percent }) =>
      `${type ?? 'a change'}${percent === undefined ? '' : ` (${percent} %)`}`,
  );
  return words.length === 0 ? null : words.join(', ');
}

/** An import of the names in a bucket, with numbers of files. */
export interface ImportTask {
  readonly id: string;
  /** PENDING, EXECUTING, SUCCEEDED, FAILED, CANCELING or CANCELED. */
  readonly lifecycle: string;
  readonly succeeded: number;
  readonly failed: number;
  /** In the service's words. @default - it gives none */
  readonly failure?: string;
}

/** The imports of a file system that FSx knows. */
export async function importTasksOf(id: string): Promise<ImportTask[]> {
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

type Sized = { readonly deploymentType: string; readonly storageCapacityGiB?: number | undefined };

/**
 * Why CloudFormation can neither update an FSx file system nor replace it; `null` if it can do either. Another deployment type is a replacement;
 * capacity only grows (https://docs.aws.amazon.com/fsx/latest/APIReference/API_UpdateFileSystem.html).
 */
export function capacityOnlyGrows(deployed: Sized, planned: Sized): string | null {
  const [from = 0, to = Number.POSITIVE_INFINITY] = [deployed.storageCapacityGiB, planned.storageCapacityGiB];
  if (deployed.deploymentType !== planned.deploymentType || to >= from) return null;
  return `capacity can only grow, from ${from} GiB, not to ${to}`;
}

const ITEM = 'fsx/backup';

/**
 * Price of an FSx backup. It is billed by the space that it takes, which FSx does not report: after compression, without what other backups hold.
 * @param bytes what the file system had if it were restored, which is the most that is stored
 */
export function fsxBackupLines(options: SearchOptions, bytes: number | undefined): readonly CostLine[] {
  if (bytes !== undefined) return [itemLine('backup, at most', bytes / 2 ** 30, ITEM, options, 'GB-month')];
  const reason = 'FSx does not say how much a backup stores';
  return [unknownQuantity('backup', options.book.priceOf(ITEM, options.region), { reason })];
}
