import type { StorageDeployment } from '../../construct';
import type { OpenZfsStorage } from '../configuration';
import { openZfsAlarms } from './alarms';
import { OpenZfsFileSystem } from './fileSystem';

/** FSx for OpenZFS in templates and in alarms. */
export const openzfsDeployment: StorageDeployment<OpenZfsStorage, OpenZfsFileSystem> = {
  kind: 'openzfs',
  deploy: (scope, id, { vpc, subnet, configuration }) =>
    new OpenZfsFileSystem(scope, id, { vpc, subnet, configuration }),
  alarms: (scope, arm, words) => openZfsAlarms(scope, arm, words),
};
