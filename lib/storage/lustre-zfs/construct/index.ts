import type { StorageDeployment } from '../../construct';
import type { LustreZfsStorage } from '../configuration';
import { lustreZfsAlarms } from './alarms';
import { LustreZfsFileSystem } from './fileSystem';
import { serversOf } from './servers';

/** Lustre on ZFS in templates and in alarms. */
export const lustreZfsDeployment: StorageDeployment<LustreZfsStorage, LustreZfsFileSystem> = {
  kind: 'lustre-zfs',
  deploy: (scope, id, { smoke: _, ...props }) =>
    new LustreZfsFileSystem(scope, id, { configuration: props.configuration, servers: serversOf(scope, props) }),
  alarms: (scope, arm, words) => lustreZfsAlarms(scope, arm, words),
};
