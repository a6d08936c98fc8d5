import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  CloudWatchClient,
  type DescribeAlarmsCommand,
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
  ListMetricsCommand,
} from '@aws-sdk/client-cloudwatch';
import { alarmsOf, collectClients, collectMetrics } from '../../lib/observe/collect';
import { isListed, keptPeriod, runWindow, secondsUntilPublished } from '../../lib/observe/window';
import { read } from '../../lib/schema/document';
import { CLIENT_METRICS, clientMetricsSchema } from '../../lib/schema/metrics';
import type { Manifest } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import { LUSTRE_METRICS } from '../../lib/storage/lustre/metricTable';
import { readRun } from '../../lib/store/readRun';

const WINDOW = { from: new Date('2026-11-21T09:00:00Z'), to: new Date('2026-11-21T09:10:00Z') };
/** The same day: CloudWatch still lists what was published. */
const NOW = new Date('2026-11-21T12:00:00Z');
const manifest = {
  run: 'r-1',
  metricsPeriodSeconds: 60,
  arms: [
    { name: 'none', kind: 'lustre', fileSystemId: 'fs-1' },
    { name: 'here', kind: 'directory', fileSystemId: null },
  ],
} as unknown as Manifest;
const dimension = (Name: string, Value: string) => ({ Name, Value });
const metric = (MetricName: string, ...dimensions: { Name: string; Value: string }[]) => ({
  MetricName,
  Dimensions: dimensions,
});

/** CloudWatch as far as the collector asks it: pages of what it lists, and one point for every query. */
function fakeCloudWatch(pages: ReturnType<typeof metric>[][]): {
  client: CloudWatchClient;
  asked: GetMetricDataCommandInput[];
} {
  const asked: GetMetricDataCommandInput[] = [];
  const client = new CloudWatchClient({ region: 'us-east-1' });
  client.send = (async (command: unknown) => {
    if (command instanceof ListMetricsCommand) {
      const page = Number(command.input.NextToken ?? 0);
      return { Metrics: pages[page] ?? [], ...(page + 1 < pages.length ? { NextToken: String(page + 1) } : {}) };
    }
    if (!(command instanceof GetMetricDataCommand)) throw new Error('unexpected command');
    asked.push(command.input);
    return {
      MetricDataResults: command.input.MetricDataQueries?.map(({ Id }) => ({
        Id,
        Timestamps: [new Date('2026-11-21T09:02:00Z'), new Date('2026-11-21T09:01:00Z')],
        Values: [2, 1],
      })),
    };
  }) as typeof client.send;
  return { client, asked };
}

const fs1 = dimension('FileSystemId', 'fs-1');

/** Series of the first arm. */
const seriesOf = async (client: CloudWatchClient, of = manifest) =>
  (await collectMetrics({ manifest: of, window: WINDOW, client, now: NOW })).arms.get('none')?.series ?? [];

test('what the servers of a scale model have no count of is absent for that reason', async () => {
  const { client } = fakeCloudWatch([[metric('DataWriteBytes', fs1)]]);
  const model = { uncounted: { DataWriteOperations: 'nobody counts it' } };
  const modelled = { ...manifest, arms: [{ ...manifest.arms[0], model }] } as unknown as Manifest;
  const series = await seriesOf(client, modelled);
  const reasonOf = (name: string) => series.find((one) => one.metric === name)?.reason;
  expect(reasonOf('DataWriteOperations')).toBe('nobody counts it');
  expect(reasonOf('DataReadOperations')).toBe('the service published none');
});

test('asks for each server and target by itself, with the statistic of the metric, in the order of time', async () => {
  const { client, asked } = fakeCloudWatch([
    [metric('DataWriteBytes', fs1), metric('DiskWriteBytes', fs1, dimension('StorageTargetId', 'OST0000'))],
    [
      metric('DiskWriteBytes', fs1, dimension('StorageTargetId', 'OST0001')),
      metric('NetworkThroughputUtilization', fs1, dimension('FileServer', 'OSS0000')),
    ],
  ]);
  const present = (await seriesOf(client)).filter(({ points }) => points.length > 0);
  expect(
    present.map((series) => [
      series.metric,
      series.dimensions.StorageTargetId ?? series.dimensions.FileServer,
      series.statistic,
    ]),
  ).toEqual([
    ['DataWriteBytes', undefined, 'Sum'],
    ['DiskWriteBytes', 'OST0000', 'Sum'],
    ['DiskWriteBytes', 'OST0001', 'Sum'],
    ['NetworkThroughputUtilization', 'OSS0000', 'Average'],
  ]);
  expect(present[0]?.points).toEqual([
    ['2026-11-21T09:01:00.000Z', 1],
    ['2026-11-21T09:02:00.000Z', 2],
  ]);
  expect(asked[0]).toMatchObject({ StartTime: WINDOW.from, EndTime: WINDOW.to });
});

test.each(['InternalError', 'Forbidden', 'PartialData'])(
  'of a metric that CloudWatch answers in part, with %s, nothing passes for all of it',
  async (code) => {
    const { client } = fakeCloudWatch([[metric('DataWriteBytes', fs1), metric('DataReadBytes', fs1)]]);
    const send = client.send.bind(client);
    client.send = (async (command: GetMetricDataCommand) => {
      const answer = await send(command);
      for (const one of answer.MetricDataResults ?? []) if (one.Id === 'm1') one.StatusCode = code as 'InternalError';
      return answer;
    }) as typeof client.send;
    const series = await seriesOf(client);
    const of = (name: string) => series.find((one) => one.metric === name);
    expect(of('DataWriteBytes')).toMatchObject({ points: [], reason: `CloudWatch answered ${code}` });
    expect(of('DataReadBytes')?.points).toHaveLength(2);
  },
);

test('a documented metric that was not published stands there with its reason', async () => {
  const { client } = fakeCloudWatch([[metric('DataWriteBytes', fs1)]]);
  const series = await seriesOf(client);
  expect(
    series.filter(({ reason }) => reason?.startsWith('the service published none')).map((one) => one.metric),
  ).toEqual(LUSTRE_METRICS.map(({ name }) => name).filter((name) => name !== 'DataWriteBytes'));
  expect(series.find((one) => one.metric === 'LogicalDiskUsage')?.reason).toBe(
    'the service published none, which it does only where LZ4 is or was on',
  );
});

test('takes nothing that belongs to another file system, and each metric once', async () => {
  const { client } = fakeCloudWatch([
    [
      metric('DataWriteBytes', dimension('FileSystemId', 'fs-2')),
      metric('DataReadBytes', fs1),
      metric('DataReadBytes', fs1),
    ],
  ]);
  const present = (await seriesOf(client)).filter(({ points }) => points.length > 0);
  expect(present.map((series) => series.metric)).toEqual(['DataReadBytes']);
});

test('never asks more than 500 queries at once', async () => {
  const { client, asked } = fakeCloudWatch([
    Array.from({ length: 1201 }, (_, index) =>
      metric('DiskReadBytes', fs1, dimension('StorageTargetId', `OST${index}`)),
    ),
  ]);
  const series = await seriesOf(client);
  expect(asked.map(({ MetricDataQueries }) => MetricDataQueries?.length)).toEqual([500, 500, 201]);
  expect(series.filter(({ metric: name, points }) => name === 'DiskReadBytes' && points.length === 2)).toHaveLength(
    1201,
  );
});

test('an arm without a file system has a file without series', async () => {
  const { client } = fakeCloudWatch([[]]);
  const lost = { ...manifest, arms: [...manifest.arms, { name: 'lost', kind: 'lustre', fileSystemId: null }] };
  const { arms } = await collectMetrics({ manifest: lost as Manifest, window: WINDOW, client, now: NOW });
  expect([arms.get('here')?.series, arms.get('lost')?.series]).toEqual([[], []]);
});

test('the lab keeps all data points of its few seconds, and lists them, however old', async () => {
  const { client, asked } = fakeCloudWatch([[metric('DataWriteBytes', fs1)]]);
  const lab = { ...manifest, lab: true, metricsPeriodSeconds: 5 };
  const later = new Date('2027-11-21T12:00:00Z');
  const { arms } = await collectMetrics({ manifest: lab, window: WINDOW, client, now: later });
  expect(
    asked.map(({ MetricDataQueries = [] }) => MetricDataQueries.map(({ MetricStat }) => MetricStat?.Period)),
  ).toEqual([[5]]);
  expect(arms.get('none')?.series[0]).toMatchObject({ metric: 'DataWriteBytes', periodSeconds: 5 });
});

describe('the states of alarms', () => {
  const SINCE = new Date('2026-11-21T09:00:00Z');
  const arn = (name: string): string => `arn:aws:cloudwatch:us-east-1:123456789012:alarm:${name}`;

  /** CloudWatch that knows the alarms but one: those with a number are of metrics, the others composite. */
  function knowing(gone: string) {
    const asked: string[][] = [];
    const client = new CloudWatchClient({ region: 'us-east-1' });
    client.send = (async ({ input }: DescribeAlarmsCommand) => {
      const names = (input.AlarmNames ?? []).filter((name) => name !== gone);
      asked.push(input.AlarmNames ?? []);
      const state = { StateValue: 'ALARM' as const, StateUpdatedTimestamp: SINCE, AlarmDescription: 'raise it' };
      return {
        MetricAlarms: names.filter((name) => /\d/.test(name)).map((AlarmName) => ({ AlarmName, ...state })),
        CompositeAlarms: names.filter((name) => !/\d/.test(name)).map((AlarmName) => ({ AlarmName })),
      };
    }) as typeof client.send;
    return { client, asked };
  }

  test('are asked by name, each once, a hundred at a time; one that is gone is left out', async () => {
    const names = Array.from({ length: 130 }, (_, index) => `disk ${index}`);
    const { client, asked } = knowing('disk 7');
    const found = await alarmsOf(client, [...names, ...names.slice(0, 3)].map(arn));
    expect(asked).toEqual([names.slice(0, 100), names.slice(100)]);
    expect(found.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'disk 7'));
    expect(found[0]).toEqual({ name: 'disk 0', state: 'ALARM', since: SINCE.toISOString(), description: 'raise it' });
  });

  test('of composite alarms, too; one without a state has not enough data', async () => {
    const { client } = knowing('');
    expect(await alarmsOf(client, [arn('any of them')])).toEqual([
      { name: 'any of them', state: 'INSUFFICIENT_DATA', since: null, description: '' },
    ]);
  });
});

describe('the window', () => {
  const sample = (startedAt: string, endedAt: string) => ({ startedAt, endedAt }) as Sample;

  test('holds all work, rounded outwards to whole periods', () => {
    const samples = [
      sample('2026-11-21T09:03:20.100Z', '2026-11-21T09:04:00Z'),
      sample('2026-11-21T09:01:59.999Z', '2026-11-21T09:07:00.001Z'),
    ];
    expect(runWindow(samples, 60)).toEqual({
      from: new Date('2026-11-21T09:01:00Z'),
      to: new Date('2026-11-21T09:09:00Z'),
    });
    expect(runWindow([], 60)).toBeNull();
  });

  test('is complete five minutes after the run on AWS, seconds after it in the lab', () => {
    const to = new Date('2026-11-21T09:00:00Z');
    expect(secondsUntilPublished(to, new Date('2026-11-21T09:01:00Z'), false)).toBe(240);
    expect(secondsUntilPublished(to, new Date('2026-11-21T10:00:00Z'), false)).toBe(0);
    expect(secondsUntilPublished(to, to, true)).toBe(3);
  });
});

const ago = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

// Retention as GetMetricData documents it: 3 hours, 15 days, 63 days, 455 days.
test.each([
  [0.1, 5, 5],
  [0.2, 5, 60],
  [1, 60, 60],
  [14.9, 60, 60],
  [15.1, 60, 300],
  [62, 60, 300],
  [64, 60, 3600],
  [454, 60, 3600],
])('of %d days ago, asked for %d s, CloudWatch still has points every %d s', (days, wanted, kept) => {
  expect(keptPeriod(ago(days), NOW, wanted)).toBe(kept);
});

test('of more than 455 days ago it has nothing', () => {
  expect(keptPeriod(ago(456), NOW, 60)).toBeNull();
});

test('what was published in the last two weeks is listed', () => {
  expect([1, 12, 15].map((days) => isListed(ago(days), NOW))).toEqual([true, true, false]);
});

const onClients = {
  run: 'r-1',
  lab: false,
  metricsPeriodSeconds: 60,
  fleet: { clients: ['i-1', 'i-2'].map((instanceId) => ({ instanceId, privateIp: '10.0.0.4' })) },
} as unknown as Manifest;

/** CloudWatch with a point for every query but those of one instance. */
function answering(silent?: string): { client: CloudWatchClient; asked: GetMetricDataCommandInput[] } {
  const asked: GetMetricDataCommandInput[] = [];
  const client = new CloudWatchClient({ region: 'us-east-1' });
  client.send = (async (command: unknown) => {
    if (!(command instanceof GetMetricDataCommand)) throw new Error('unexpected command');
    asked.push(command.input);
    return {
      MetricDataResults: command.input.MetricDataQueries?.map(({ Id, MetricStat }) =>
        MetricStat?.Metric?.Dimensions?.[0]?.Value === silent
          ? { Id, Timestamps: [], Values: [] }
          : { Id, Timestamps: [new Date('2026-11-21T09:02:00Z')], Values: [2] },
      ),
    };
  }) as typeof client.send;
  return { client, asked };
}

test('asks for processors, bytes and packets of every client, by the minute', async () => {
  const { client, asked } = answering('i-2');
  const file = await collectClients({ manifest: onClients, window: WINDOW, client, now: NOW });
  expect(file === null ? null : 'document' in read(clientMetricsSchema, file)).toBe(true);
  expect(file?.series.map(({ metric, dimensions, statistic }) => [dimensions.InstanceId, metric, statistic])).toEqual(
    ['i-1', 'i-2'].flatMap((id) => [
      [id, 'CPUUtilization', 'Average'],
      ...['NetworkIn', 'NetworkOut', 'NetworkPacketsIn', 'NetworkPacketsOut'].map((metric) => [id, metric, 'Sum']),
    ]),
  );
  expect(asked.flatMap(({ MetricDataQueries }) => MetricDataQueries ?? [])[0]?.MetricStat?.Period).toBe(60);
  expect(file?.series[0]?.points).toEqual([['2026-11-21T09:02:00.000Z', 2]]);
  expect(file?.series.at(-1)).toMatchObject({ points: [], reason: 'no point in the window' });
});

test('of a month ago, which CloudWatch keeps by five minutes, it asks for those', async () => {
  const { client, asked } = answering();
  const file = await collectClients({
    manifest: onClients,
    window: WINDOW,
    client,
    now: new Date('2026-12-21T12:00:00Z'),
  });
  expect(asked[0]?.MetricDataQueries?.[0]?.MetricStat?.Period).toBe(300);
  expect(file?.series[0]?.periodSeconds).toBe(300);
});

test('of a time of which CloudWatch keeps nothing, each metric says so, and nothing is asked', async () => {
  const { client, asked } = answering();
  const file = await collectClients({
    manifest: onClients,
    window: WINDOW,
    client,
    now: new Date('2028-11-21T12:00:00Z'),
  });
  expect(file?.series.every(({ reason }) => reason === 'CloudWatch keeps nothing for more than 455 days')).toBe(true);
  expect(asked).toEqual([]);
});

test.each([
  ['in the lab', { ...onClients, lab: true }],
  ['on one computer', { ...onClients, fleet: { ...onClients.fleet, clients: [] } }],
])('%s there is nothing to ask EC2 for', async (_, other) => {
  expect(await collectClients({ manifest: other as Manifest, window: WINDOW, now: NOW })).toBeNull();
});

test('what was collected is read with the run; what is damaged is named, and the run read without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-clients-'));
  try {
    const { client } = answering();
    const file = await collectClients({ manifest: onClients, window: WINDOW, client, now: NOW });
    const status = { schema: 'fsxbench.status/1', run: 'r-1', benchmark: 'B', state: 'done', step: null, stepsDone: 1 };
    const times = {
      startedAt: '',
      updatedAt: '',
      endedAt: null,
      sessions: [],
      stepsTotal: 1,
      failedSteps: [],
      message: '',
    };
    writeFileSync(join(folder, 'status.json'), JSON.stringify({ ...status, ...times }));
    mkdirSync(dirname(join(folder, CLIENT_METRICS)), { recursive: true });
    writeFileSync(join(folder, CLIENT_METRICS), JSON.stringify(file));
    expect((await readRun(folder)).clientMetrics).toEqual(file);
    writeFileSync(join(folder, CLIENT_METRICS), '{');
    const damaged = await readRun(folder);
    expect(damaged.clientMetrics).toBeUndefined();
    expect(damaged.problems).toContainEqual({ file: CLIENT_METRICS, message: 'is not JSON' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
