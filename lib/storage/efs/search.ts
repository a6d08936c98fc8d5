import { askAll } from '../../kit/aws/account';
import type { Described } from '../../schema/run';
import { type ResourceSearch, stackOf } from '../search';
import { describeEfs } from './configuration';
import { efsLines } from './cost';
import { fromDescription } from './described';

/** File systems of EFS, with what they store. */
export const efsSearch: ResourceSearch = {
  label: 'EFS',
  find: async (account, { region, book }) => {
    const all = await askAll(account, 'elasticfilesystem:DescribeFileSystems', {}, (page) => page.FileSystems);
    return all
      .filter(({ LifeCycleState }) => LifeCycleState !== 'deleting' && LifeCycleState !== 'deleted')
      .flatMap((one) => {
        const configuration = fromDescription(one as unknown as Described);
        if (configuration === null) return [];
        const id = one.FileSystemId ?? '';
        const storedGiB = (one.SizeInBytes?.Value ?? 0) / 2 ** 30;
        return {
          id,
          what: describeEfs(configuration),
          stack: stackOf(one),
          lines: efsLines(configuration, { region, book, storedGiB }).filter(({ quantity }) => quantity !== null),
          remove: `aws efs delete-file-system --file-system-id ${id} --region ${region}`,
          configuration,
        };
      });
  },
};
