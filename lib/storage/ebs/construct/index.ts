import type { StorageDeployment } from '../../construct';
import type { EbsStorage } from '../configuration';
import { ebsAlarms } from './alarms';
import { EbsVolumes } from './volumes';

/** Volumes of EBS in templates and in alarms. */
export const ebsDeployment: StorageDeployment<EbsStorage, EbsVolumes> = {
  kind: 'ebs',
  deploy: (scope, id, { subnet, configuration }) => new EbsVolumes(scope, id, { subnet, configuration }),
  alarms: (scope, arm, words) => ebsAlarms(scope, arm, words),
};
