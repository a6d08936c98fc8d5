import { almostFull, saturated } from '../../../constructs/dashboard/watch';
import type { StorageDeployment } from '../../construct';
import { moosefs } from '..';
import type { MooseFsStorage } from '../configuration';
import { MooseFsServers } from './servers';

/** Chunkservers refuse new chunks soon after (mfschunkserver.cfg, HDD_LEAVE_SPACE_DEFAULT). */
const LEAST_FREE = 0.05;

/** MooseFS in templates; its alarms are on the one thread of the master, and on the room of the chunkservers. */
export const moosefsDeployment: StorageDeployment<MooseFsStorage, MooseFsServers> = {
  kind: 'moosefs',
  deploy: (scope, id, { smoke: _, ...props }) => new MooseFsServers(scope, id, props),
  alarms: (scope, { name, storage }, words) => {
    const { configuration } = storage;
    const capacityBytes = (moosefs.documented.capacityBytes?.(configuration) ?? 0) * (configuration.copies ?? 1);
    return [
      saturated(scope, `Master-${name}`, {
        metric: storage.metric('MasterCpu'),
        what: 'master CPU',
        section: 'server-cpu-at-its-limit',
        words,
      }),
      almostFull(scope, `Space-${name}`, {
        metric: storage.metric('FreeBytes'),
        capacityBytes,
        leastFree: LEAST_FREE,
        words,
      }),
    ];
  },
};
