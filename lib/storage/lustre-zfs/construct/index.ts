import type { StorageDeployment } from '../../construct';
import type { LustreZfsStorage } from '../configuration';
import { lustreZfsAlarms } from './alarms';
import { LustreZfsFileSystem } from './fileSystem';
import { dataGraphs, metadataGraphs, serverGraphs } from './graphs';
import { serversOf } from './servers';

const READING = [
  '**What good looks like.** The servers count what their targets move, a value a minute. Throughput at the line is at the limit of a server’s network;',
  'a server near 100 % CPU is limited by what compresses. Arms on the same servers show the same CPU, so look at the arm that is being measured.',
];

/** Lustre on ZFS in templates, on dashboards and in alarms. */
export const lustreZfsDeployment: StorageDeployment<LustreZfsStorage, LustreZfsFileSystem> = {
  kind: 'lustre-zfs',
  deploy: (scope, id, { smoke: _, ...props }) =>
    new LustreZfsFileSystem(scope, id, { configuration: props.configuration, servers: serversOf(scope, props) }),
  dashboard: (arms, about) => {
    const [data, metadata, servers] = [dataGraphs(arms), metadataGraphs(arms), serverGraphs(arms)];
    return {
      reading: READING,
      rows: about.includes('metadata_operations') ? [metadata, servers, data] : [data, servers, metadata],
    };
  },
  alarms: (scope, arm, words) => lustreZfsAlarms(scope, arm, words),
};
