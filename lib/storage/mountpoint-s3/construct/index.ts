import { reached } from '../../../constructs/dashboard/watch';
import { sentenceCase } from '../../../kit/format/strings';
import type { StorageDeployment } from '../../construct';
import type { MountpointStorage } from '../configuration';
import { MountpointBucket } from './bucket';

/** Mountpoint for Amazon S3 in templates and in alarms. */
export const mountpointS3Deployment: StorageDeployment<MountpointStorage, MountpointBucket> = {
  kind: 'mountpoint-s3',
  deploy: (scope, id, { configuration }) => new MountpointBucket(scope, id, configuration),
  alarms: (scope, { name, storage }, { subject, saturated, first, ...words }) => [
    reached(scope, `Errors-${name}`, {
      metric: storage.metric('5xxErrors'),
      threshold: 1,
      title: `Errors of S3 on ${words.name}`,
      meaning: `${sentenceCase(subject)} has got errors of S3 for 15 minutes, which asks for fewer requests that way: ${saturated}`,
      first,
      section: 'a-volume-or-file-system-at-its-limit',
    }),
  ],
};
