import type { StorageDeployment } from '../../construct';
import type { MooseFsStorage } from '../configuration';
import { mooseFsAlarms } from './alarms';
import { dataGraphs, metadataGraphs, serverGraphs } from './graphs';
import { MooseFsServers } from './servers';

const GOOD = [
  '**What good looks like.** MooseFS counts what its chunkservers move and what its master is asked for, a value a minute; there is no service that could. Throughput at',
  'one of the lines is at a limit of EC2 or EBS. A master near 100 % is the limit of everything that opens, creates or removes files, and more chunkservers change nothing.',
];

/** MooseFS in templates, on dashboards and in alarms. */
export const moosefsDeployment: StorageDeployment<MooseFsStorage, MooseFsServers> = {
  kind: 'moosefs',
  deploy: (scope, id, { smoke: _, ...props }) => new MooseFsServers(scope, id, props),
  dashboard: (arms, about) => {
    const [data, metadata, servers] = [dataGraphs(arms), metadataGraphs(arms), serverGraphs(arms)];
    return {
      reading: GOOD,
      rows: about.includes('metadata_operations') ? [metadata, servers, data] : [data, servers, metadata],
    };
  },
  alarms: (scope, arm, words) => mooseFsAlarms(scope, arm, words),
};
