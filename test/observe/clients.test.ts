import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CloudWatchClient, GetMetricDataCommand, type GetMetricDataCommandInput } from '@aws-sdk/client-cloudwatch';
import { collectClients } from '../../lib/observe/clients';
import { read } from '../../lib/schema/document';
import { CLIENT_METRICS, clientMetricsSchema } from '../../lib/schema/metrics';
import type { Manifest } from '../../lib/schema/run';
import { readRun } from '../../lib/store/readRun';

const WINDOW = { from: new Date('2026-11-21T09:00:00Z'), to: new Date('2026-11-21T09:10:00Z') };
const NOW = new Date('2026-11-21T12:00:00Z');
const manifest = {
  run: 'r-1',
  lab: false,
  metricsPeriodSeconds: 60,
  fleet: { clients: ['i-1', 'i-2'].map((instanceId) => ({ instanceId, privateIp: '10.0.0.4' })) },
} as unknown as Manifest;

/** CloudWatch with a point for every query but those of one instance. */
function fakeCloudWatch(silent?: string): { client: CloudWatchClient; asked: GetMetricDataCommandInput[] } {
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
  const { client, asked } = fakeCloudWatch('i-2');
  const file = await collectClients({ manifest, window: WINDOW, client, now: NOW });
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
  const { client, asked } = fakeCloudWatch();
  const file = await collectClients({ manifest, window: WINDOW, client, now: new Date('2026-12-21T12:00:00Z') });
  expect(asked[0]?.MetricDataQueries?.[0]?.MetricStat?.Period).toBe(300);
  expect(file?.series[0]?.periodSeconds).toBe(300);
});

test('of a time of which CloudWatch keeps nothing, each metric says so, and nothing is asked', async () => {
  const { client, asked } = fakeCloudWatch();
  const file = await collectClients({ manifest, window: WINDOW, client, now: new Date('2028-11-21T12:00:00Z') });
  expect(file?.series.every(({ reason }) => reason === 'CloudWatch keeps nothing for more than 455 days')).toBe(true);
  expect(asked).toEqual([]);
});

test.each([
  ['in the lab', { ...manifest, lab: true }],
  ['on one machine', { ...manifest, fleet: { ...manifest.fleet, clients: [] } }],
])('%s there is nothing to ask EC2 for', async (_, other) => {
  expect(await collectClients({ manifest: other as Manifest, window: WINDOW, now: NOW })).toBeNull();
});

test('what was collected is read with the run; what is damaged is named, and the run read without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-clients-'));
  try {
    const { client } = fakeCloudWatch();
    const file = await collectClients({ manifest, window: WINDOW, client, now: NOW });
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
