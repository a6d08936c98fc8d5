import type { StorageDeployment } from '../../construct';
import type { OpenZfsStorage } from '../configuration';
import { openZfsAlarms } from './alarms';
import { OpenZfsFileSystem } from './fileSystem';
import { clientGraphs, diskGraphs, metadataGraphs, serverGraphs } from './graphs';

const GOOD = [
  '**What good looks like.** Throughput ends at the line of the disks, or with reads from the caches at that of the network; its share of what is',
  'provisioned is near 100 % then. Burst credits that fall to zero take the throughput with them to the sustained line. What disks write is less than',
  'what clients write where the volume compresses.',
];

/** FSx for OpenZFS in templates, on dashboards and in alarms. */
export const openzfsDeployment: StorageDeployment<OpenZfsStorage, OpenZfsFileSystem> = {
  kind: 'openzfs',
  deploy: (scope, id, { vpc, subnet, configuration }) =>
    new OpenZfsFileSystem(scope, id, { vpc, subnet, configuration }),
  dashboard: (arms, about) => {
    const metadata = [metadataGraphs(arms)];
    const data = [clientGraphs(arms), serverGraphs(arms)];
    return about.includes('metadata_operations')
      ? { reading: GOOD, rows: [...metadata, ...data], more: [diskGraphs(arms)] }
      : { reading: GOOD, rows: data, more: [...metadata, diskGraphs(arms)] };
  },
  alarms: (scope, arm, words) => openZfsAlarms(scope, arm, words),
};
