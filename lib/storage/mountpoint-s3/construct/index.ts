import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { graph, idOf, linePerArm, perSecond, throughputGraphs } from '../../../constructs/dashboard/graph';
import { reached } from '../../../constructs/dashboard/watch';
import { sentenceCase } from '../../../kit/format/strings';
import type { ArmView, StorageDeployment } from '../../construct';
import type { MountpointStorage } from '../configuration';
import type { S3MetricName } from '../metricTable';
import { MountpointBucket } from './bucket';

type Arm = ArmView<MountpointBucket>;

const GOOD = [
  '**What good looks like.** Large files are moved at the rate of the clients’ network. Small files end at the requests: each is at least one, and its time to the',
  'first byte is what a program waits for. Errors 5xx are S3 asking for fewer requests (503 Slow Down). S3 delivers these metrics as well as it can: a minute may come late or never.',
];

const rates = (arms: readonly Arm[], title: string, name: S3MetricName) =>
  graph({
    ...{ title, width: 8, unit: 'requests/s' },
    left: linePerArm(arms, (arm, options) =>
      perSecond(arm.storage.metric(name), `${name}_${idOf(arm)}`.toLowerCase(), options),
    ),
  });

const levels = (arms: readonly Arm[], title: string, name: S3MetricName, unit: string) =>
  graph({ title, width: 8, unit, left: linePerArm(arms, ({ storage }, options) => storage.metric(name, options)) });

/** Throughput of the clients. */
const dataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  ...throughputGraphs(arms, {
    width: 8,
    rate: (arm, mode) =>
      perSecond(
        arm.storage.metric(mode === 'write' ? 'BytesUploaded' : 'BytesDownloaded'),
        `${mode}_bytes_${idOf(arm)}`,
      ),
    ceilings: () => [],
  }),
  levels(arms, 'Time to the first byte', 'FirstByteLatency', 'ms'),
];

const requestGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[][] => [
  [
    rates(arms, 'Requests: PUT', 'PutRequests'),
    rates(arms, 'Requests: GET', 'GetRequests'),
    rates(arms, 'Requests: HEAD', 'HeadRequests'),
  ],
  [
    rates(arms, 'Requests: LIST', 'ListRequests'),
    rates(arms, 'Requests: DELETE', 'DeleteRequests'),
    rates(arms, 'Requests: POST', 'PostRequests'),
  ],
  [
    levels(arms, 'Errors: 5xx', '5xxErrors', 'a minute'),
    levels(arms, 'Errors: 4xx', '4xxErrors', 'a minute'),
    levels(arms, 'Whole requests', 'TotalRequestLatency', 'ms'),
  ],
];

/** Mountpoint for Amazon S3 in templates, on dashboards and in alarms. */
export const mountpointS3Deployment: StorageDeployment<MountpointStorage, MountpointBucket> = {
  kind: 'mountpoint-s3',
  deploy: (scope, id, { configuration }) => new MountpointBucket(scope, id, configuration),
  dashboard: (arms) => ({ reading: GOOD, rows: [dataGraphs(arms)], more: requestGraphs(arms) }),
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
