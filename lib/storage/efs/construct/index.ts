import type { StorageDeployment } from '../../construct';
import type { EfsStorage } from '../configuration';
import { efsAlarms } from './alarms';
import { EfsFileSystem } from './fileSystem';

/** EFS in templates and in alarms. */
export const efsDeployment: StorageDeployment<EfsStorage, EfsFileSystem> = {
  kind: 'efs',
  deploy: (scope, id, { smoke: _, ...props }) => new EfsFileSystem(scope, id, props),
  alarms: (scope, arm, words) => efsAlarms(scope, arm, words),
};
