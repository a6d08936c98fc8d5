import type { StorageDeployment } from '../../construct';
import type { EfsStorage } from '../configuration';
import { efsAlarms } from './alarms';
import { EfsFileSystem } from './fileSystem';
import { allowedGraphs, clientGraphs, metadataGraphs } from './graphs';

const GOOD = [
  '**What good looks like.** *Metered* stays below *permitted*: once they meet, EFS is the limit, and more clients change nothing. Reads count',
  'a third of what writes count. With bursting throughput a balance of credits that falls to zero takes the throughput with it to what the',
  'stored data earn. Operations near 100 % are the limit of General Purpose.',
];

/** EFS in templates, on dashboards and in alarms. */
export const efsDeployment: StorageDeployment<EfsStorage, EfsFileSystem> = {
  kind: 'efs',
  deploy: (scope, id, { smoke: _, ...props }) => new EfsFileSystem(scope, id, props),
  dashboard: (arms, about) => {
    const metadata = [metadataGraphs(arms)];
    const data = [clientGraphs(arms), allowedGraphs(arms)];
    return about.includes('metadata_operations')
      ? { reading: GOOD, rows: [...metadata, ...data] }
      : { reading: GOOD, rows: data, more: metadata };
  },
  alarms: (scope, arm, words) => efsAlarms(scope, arm, words),
};
