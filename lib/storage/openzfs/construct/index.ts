import { saturated } from '../../../constructs/dashboard/watch';
import type { StorageDeployment } from '../../construct';
import type { OpenZfsStorage } from '../configuration';
import type { OpenZfsMetricName } from '../metricTable';
import { OpenZfsFileSystem } from './fileSystem';

const WATCHED: readonly (readonly [id: string, metric: OpenZfsMetricName, what: string])[] = [
  ['Network', 'NetworkThroughputUtilization', 'network throughput'],
  ['Disk', 'FileServerDiskThroughputUtilization', 'disk throughput'],
  ['Operations', 'FileServerDiskIopsUtilization', 'disk IOPS'],
  ['Cpu', 'CPUUtilization', 'server CPU'],
];

/** FSx for OpenZFS in templates; its alarms are on the server against what its throughput capacity gives it. */
export const openzfsDeployment: StorageDeployment<OpenZfsStorage, OpenZfsFileSystem> = {
  kind: 'openzfs',
  deploy: (scope, id, { vpc, subnet, configuration }) =>
    new OpenZfsFileSystem(scope, id, { vpc, subnet, configuration }),
  alarms: (scope, { name, storage }, words) =>
    WATCHED.map(([id, metric, what]) =>
      saturated(scope, `${id}-${name}`, {
        metric: storage.metric(metric),
        section: id === 'Cpu' ? 'server-cpu-at-its-limit' : 'a-volume-or-file-system-at-its-limit',
        ...{ what, words },
      }),
    ),
};
