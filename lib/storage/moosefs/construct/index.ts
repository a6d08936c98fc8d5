import type { StorageDeployment } from '../../construct';
import type { MooseFsStorage } from '../configuration';
import { mooseFsAlarms } from './alarms';
import { MooseFsServers } from './servers';

/** MooseFS in templates and in alarms. */
export const moosefsDeployment: StorageDeployment<MooseFsStorage, MooseFsServers> = {
  kind: 'moosefs',
  deploy: (scope, id, { smoke: _, ...props }) => new MooseFsServers(scope, id, props),
  alarms: (scope, arm, words) => mooseFsAlarms(scope, arm, words),
};
