import { almostFull, saturated } from '../../../constructs/dashboard/watch';
import type { StorageDeployment } from '../../construct';
import type { LustreZfsStorage } from '../configuration';
import { capacityBytes } from '../limits';
import { LustreZfsFileSystem } from './fileSystem';
import { serversOf } from './servers';

/** A Lustre 2.15.8 on ZFS refused writes when its fullest target was at 88 %. */
const LEAST_FREE = 0.12;

/** Lustre on ZFS in templates; its alarms are on the processors that compress, and on the room of the pools. */
export const lustreZfsDeployment: StorageDeployment<LustreZfsStorage, LustreZfsFileSystem> = {
  kind: 'lustre-zfs',
  deploy: (scope, id, { smoke: _, ...props }) =>
    new LustreZfsFileSystem(scope, id, { configuration: props.configuration, servers: serversOf(scope, props) }),
  alarms: (scope, { name, storage }, words) => [
    saturated(scope, `ServerCpu-${name}`, {
      metric: storage.metric('ServerCpu'),
      what: 'server CPU',
      section: 'server-cpu-at-its-limit',
      words,
    }),
    almostFull(scope, `Space-${name}`, {
      metric: storage.metric('FreeBytes'),
      capacityBytes: capacityBytes(storage.configuration) ?? 0,
      leastFree: LEAST_FREE,
      words,
    }),
  ],
};
