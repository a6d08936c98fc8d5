import { perSecond } from '../../dashboard/expression';
import {
  type DashboardPart,
  type Graph,
  graph,
  idOf,
  linePerArm,
  type ShownArm,
  throughputGraphs,
} from '../../dashboard/graph';
import { counted, gauge, metricsBy, publishedGraphs } from '../common/graphs';
import type { MountpointStorage } from './configuration';

/** Id of the bucket's metrics configuration, without which S3 publishes nothing by the minute. */
export const FILTER_ID = 'EntireBucket';

const TABLE = [
  counted('BytesUploaded', 'bytes_written', 'Bytes'),
  counted('BytesDownloaded', 'bytes_read', 'Bytes'),
  counted('PutRequests', 'write_operations'),
  counted('GetRequests', 'read_operations'),
  counted('PostRequests', null),
  counted('HeadRequests', null),
  counted('ListRequests', null),
  counted('DeleteRequests', 'file_deletes'),
  counted('4xxErrors', null),
  counted('5xxErrors', null),
  gauge('FirstByteLatency', null, 'Milliseconds', 'Average'),
  gauge('TotalRequestLatency', null, 'Milliseconds', 'Average'),
] as const;
export type S3MetricName = (typeof TABLE)[number]['name'];

/** Request metrics, a value a minute, at best effort: one may be late or missing (https://docs.aws.amazon.com/AmazonS3/latest/userguide/metrics-dimensions.html). */
export const S3_METRICS = metricsBy('BucketName', 'AWS/S3', TABLE, { FilterId: FILTER_ID });

type Arm = ShownArm<MountpointStorage>;

const GOOD = [
  '**What good looks like.** Large files are moved at the rate of the clients’ network. Small files end at the requests: each is at least one, and its time to the',
  'first byte is what a program waits for. Errors 5xx are S3 asking for fewer requests (503 Slow Down). S3 delivers these metrics as well as it can: a minute may come late or never.',
];

const { metric, levels } = publishedGraphs<MountpointStorage, S3MetricName>(S3_METRICS);

const rates = (arms: readonly Arm[], title: string, name: S3MetricName): Graph =>
  graph({
    title,
    width: 8,
    unit: 'requests/s',
    left: linePerArm(arms, (arm) => perSecond(metric(arm, name), `${name}_${idOf(arm)}`.toLowerCase())),
  });

const dataGraphs = (arms: readonly Arm[]): Graph[] => [
  ...throughputGraphs(arms, {
    width: 8,
    rate: (arm, mode) =>
      perSecond(metric(arm, mode === 'write' ? 'BytesUploaded' : 'BytesDownloaded'), `${mode}_bytes_${idOf(arm)}`),
    ceilings: () => [],
  }),
  levels(arms, 'Time to the first byte', 'FirstByteLatency', 'ms', 8),
];

const requestGraphs = (arms: readonly Arm[]): Graph[][] => [
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
    levels(arms, 'Errors: 5xx', '5xxErrors', 'per minute', 8),
    levels(arms, 'Errors: 4xx', '4xxErrors', 'per minute', 8),
    levels(arms, 'Whole requests', 'TotalRequestLatency', 'ms', 8),
  ],
];

export const mountpointDashboard = (arms: readonly Arm[]): DashboardPart => ({
  reading: GOOD,
  rows: [dataGraphs(arms)],
  more: requestGraphs(arms),
});
