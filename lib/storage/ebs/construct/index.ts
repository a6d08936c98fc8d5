import type { StorageDeployment } from '../../construct';
import type { EbsStorage } from '../configuration';
import { ebsAlarms } from './alarms';
import { throughputGraphs, timeGraphs, waitGraphs } from './graphs';
import { EbsVolumes } from './volumes';

const GOOD = [
  '**What good looks like.** Throughput ends at the line of the volumes, and their checks show 1 then. Where it stays below with operations',
  'waiting, the limit is the instance and its path to EBS, which CloudWatch does not show here. What is written is what reaches the volumes: with',
  'compression less than clients write, and later, since the client caches.',
];

/** Volumes of EBS in templates, on dashboards and in alarms. */
export const ebsDeployment: StorageDeployment<EbsStorage, EbsVolumes> = {
  kind: 'ebs',
  deploy: (scope, id, { subnet, configuration }) => new EbsVolumes(scope, id, { subnet, configuration }),
  dashboard: (arms) => ({ reading: GOOD, rows: [throughputGraphs(arms), waitGraphs(arms)], more: [timeGraphs(arms)] }),
  alarms: (scope, arm, words) => ebsAlarms(scope, arm, words),
};
