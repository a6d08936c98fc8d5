import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetDashboardCommand,
  GetMetricDataCommand,
  ListDashboardsCommand,
  ListMetricsCommand,
  PutMetricDataCommand,
} from '@aws-sdk/client-cloudwatch';
import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CreateFileSystemCommand, FSxClient } from '@aws-sdk/client-fsx';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { bootstrap, deploy } from '../../lib/lab/deploy';
import { createPublisher } from '../../lib/lab/metrics/publisher';
import { alarmsInBody, alarmsOf, collectShown } from '../../lib/observe/collect';
import type { DescribedGraph } from '../../lib/observe/draw';
import { Heartbeat } from '../../lib/run/driver/heartbeat';
import { DRIVER_METRICS } from '../../lib/schema/metrics';
import type { RunStatus } from '../../lib/schema/run';
import { storageNamed } from '../../lib/storage/lookup';
import { dimensionsOf, LUSTRE_METRICS, LUSTRE_NAMESPACE } from '../../lib/storage/lustre/metricTable';
import type { MetricsCapability } from '../../lib/storage/storage';
import { fsxbenchIn } from '../cli/support';
import { publishedBy } from '../observe/fakeCloudWatch';
import { syntheticRun } from '../report/syntheticRun';
import { writeRun } from '../report/writeRun';
import { temporaryFolder } from '../run/bench';
import { bodyInTemplate } from '../support/bodyInTemplate';
import { ofType, stacksWith, templateOf } from '../support/cdk';
import { dashboardBody, type PlainMetric, plainMetricsOf } from '../support/dashboardBody';
import { dashboardInTemplate } from '../support/templateDashboard';
import { labForTests } from './support';

const lab = labForTests(['bin', 'cdk.json']);
const MINUTES = 6;
const EMAIL = 'ops@example.com';
/** The minute that the first point is of: they end with the last whole one. */
const START = Math.floor(Date.now() / 60_000) * 60_000 - (MINUTES + 5) * 60_000;

let cloudwatch: CloudWatchClient;
/** Somebody else's file system, and what watches it. */
let fileSystemId: string;
let name: string;
let raw: string;

beforeAll(async () => {
  cloudwatch = new CloudWatchClient({});
  fileSystemId = await somebodysFileSystem();
  const context = [`fileSystemId=${fileSystemId}`, 'metadataIops=24000', `alarmEmail=${EMAIL}`];
  await bootstrap({ lab: lab().lab, onProgress: () => {} });
  await deploy({ lab: lab().lab, stacks: ['LustreDashboard'], context, onProgress: () => {} });
  const { DashboardEntries = [] } = await cloudwatch.send(new ListDashboardsCommand({}));
  name = DashboardEntries[0]?.DashboardName ?? '';
  raw = (await cloudwatch.send(new GetDashboardCommand({ DashboardName: name }))).DashboardBody ?? '';
  await publish();
});

async function somebodysFileSystem(): Promise<string> {
  const { Subnets } = await new EC2Client({}).send(new DescribeSubnetsCommand({}));
  const { FileSystem } = await new FSxClient({}).send(
    new CreateFileSystemCommand({
      FileSystemType: 'LUSTRE',
      FileSystemTypeVersion: '2.15',
      StorageType: 'SSD',
      StorageCapacity: 4800,
      SubnetIds: [Subnets?.[0]?.SubnetId ?? ''],
      LustreConfiguration: {
        DeploymentType: 'PERSISTENT_2',
        PerUnitStorageThroughput: 250,
        DataCompressionType: 'LZ4',
        MetadataConfiguration: { Mode: 'USER_PROVISIONED', Iops: 24_000 },
      },
    }),
  );
  return FileSystem?.FileSystemId ?? '';
}

/** The value of the n-th metric in a minute. */
const valueAt = (index: number, minute: number): number => 100 * (index + 1) + minute;

/** Everything that FSx documents for a file system, a value a minute, with the dimensions that it documents. */
async function publish(): Promise<void> {
  const data = publishedBy(fileSystemId).flatMap(({ metric, dimensions }, index) =>
    Array.from({ length: MINUTES }, (_, minute) => ({
      MetricName: metric,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      Timestamp: new Date(START + minute * 60_000),
      Value: valueAt(index, minute),
    })),
  );
  for (let at = 0; at < data.length; at += 200) {
    const MetricData = data.slice(at, at + 200);
    await cloudwatch.send(new PutMetricDataCommand({ Namespace: LUSTRE_NAMESPACE, MetricData }));
  }
}

const published = (metric: string, part?: string): number =>
  publishedBy(fileSystemId).findIndex(
    (one) => one.metric === metric && (part === undefined || Object.values(one.dimensions).includes(part)),
  );

const fsxbench = (...argv: string[]) => fsxbenchIn({ root: lab().root, environment: process.env }, argv);

describe('LustreDashboard, deployed alone for a file system that fsxbench did not make', () => {
  test('needs no other stack', async () => {
    const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({}));
    expect(Stacks.map(({ StackName }) => StackName).sort()).toEqual(['CDKToolkit', 'LustreDashboard']);
  });

  test('is what CloudWatch returns, with every token resolved and in the documented structure', () => {
    expect(raw).not.toMatch(/\$\{Token|Fn::|"Ref"/);
    const { widgets, variables } = dashboardBody.parse(JSON.parse(raw));
    expect(widgets.length).toBeGreaterThan(20);
    expect(variables?.map(({ id }) => id)).toEqual(['fileSystem', 'targetIops']);
    expect(raw).toContain(fileSystemId);
  });

  test('has alarms on what its metadata targets use, with a recommendation, that go to a topic', async () => {
    const { MetricAlarms = [] } = await cloudwatch.send(new DescribeAlarmsCommand({}));
    const metadata = MetricAlarms.filter(({ AlarmName = '' }) => AlarmName.startsWith('Metadata'));
    expect(metadata.length).toBeGreaterThanOrEqual(2);
    for (const { AlarmDescription, AlarmActions } of metadata) {
      expect(AlarmDescription).toContain(`npx fsxbench scale metadata ${fileSystemId} --iops 36000`);
      expect(AlarmActions).toEqual([expect.stringMatching(/^arn:aws:sns:/)]);
    }
    const { Metrics = [] } = metadata.find(({ AlarmName = '' }) => AlarmName.startsWith('Metadata IOPS of')) ?? {};
    const targets = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric?.Dimensions ?? [])
      .filter(({ Name }) => Name === 'StorageTargetId')
      .map(({ Value }) => Value);
    expect(new Set(targets)).toEqual(new Set(['MDT0000', 'MDT0001']));
    // Every alarm that the dashboard shows is one that exists.
    const shown = JSON.parse(raw).widgets.find(({ type }: { type: string }) => type === 'alarm').properties.alarms;
    expect(new Set(shown)).toEqual(new Set(MetricAlarms.map(({ AlarmArn }) => AlarmArn)));
  });

  test('has alarms of which CloudWatch tells state and text', async () => {
    const alarms = await alarmsOf(cloudwatch, alarmsInBody(raw));
    expect(alarms.length).toBeGreaterThanOrEqual(5);
    for (const { state, description } of alarms) {
      expect(['OK', 'ALARM', 'INSUFFICIENT_DATA']).toContain(state);
      expect(description).toContain(fileSystemId);
    }
  });

  test('subscribes the address that was named', async () => {
    // The query API: the project needs no client of SNS but here.
    const answer = await fetch(lab().lab.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `AWS4-HMAC-SHA256 Credential=${process.env.AWS_ACCESS_KEY_ID}/20260101/us-east-1/sns/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: 'Action=ListSubscriptions&Version=2010-03-31',
    });
    const text = await answer.text();
    expect(text).toContain(`<Endpoint>${EMAIL}</Endpoint>`);
    expect(text).toContain('<Protocol>email</Protocol>');
  });
});

/** Answer of the emulator to a graph that asks for metrics by their names. */
async function answers(metrics: readonly PlainMetric[]): Promise<(number[] | undefined)[]> {
  const { MetricDataResults = [] } = await cloudwatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(START),
      EndTime: new Date(START + MINUTES * 60_000),
      ScanBy: 'TimestampAscending',
      MetricDataQueries: metrics.map(({ namespace, metric, dimensions, stat }, index) => ({
        Id: `m${index}`,
        MetricStat: {
          Metric: {
            Namespace: namespace,
            MetricName: metric,
            Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
          },
          Period: 60,
          Stat: stat,
        },
      })),
    }),
  );
  return metrics.map((_, index) => MetricDataResults.find(({ Id }) => Id === `m${index}`)?.Values);
}

describe('its metrics', () => {
  test('are answered, every plain one, by exactly the dimensions that FSx documents', async () => {
    const metrics = plainMetricsOf(dashboardBody.parse(JSON.parse(raw)));
    expect(metrics.length).toBeGreaterThanOrEqual(7);
    for (const { metric, dimensions } of metrics) {
      const info = LUSTRE_METRICS.find((one) => one.name === metric);
      expect([metric, Object.keys(dimensions)]).toEqual([metric, dimensionsOf(info?.scope ?? 'mdt')]);
    }
    const found = await answers(metrics);
    for (const [index, { metric, stat }] of metrics.entries()) {
      const expected = Array.from({ length: MINUTES }, (_, minute) =>
        stat === 'SampleCount' ? 1 : valueAt(published(metric), minute),
      );
      expect([metric, found[index]]).toEqual([metric, expected]);
    }
  });

  test.each([compressionBench, metadataBench])(
    'are answered for $name, too: what the driver publishes, what its clients and file systems do',
    async (definition) => {
      const { bench } = stacksWith({}, undefined, undefined, definition);
      const template = templateOf(bench);
      const autoScalingGroup = `clients-of-${definition.name}`;
      const arms = definition.arms('published').map(({ name }) => ({ name, fileSystemId: `fs-of-${name}` }));
      const fileSystems = Object.fromEntries(arms.map(({ name, fileSystemId }) => [name, fileSystemId]));
      const text = bodyInTemplate(template.Resources, { fileSystems, autoScalingGroup });
      const alarms = ['Alarm', 'CompositeAlarm'].flatMap((type) =>
        ofType(template.Resources, `AWS::CloudWatch::${type}`).map(([, { Properties }]) => Properties.AlarmName),
      );
      const withArns = alarms.reduce((body, name) => body.replaceAll(`"${name}"`, '"arn:alarm"'), text);
      const metrics = plainMetricsOf(dashboardBody.parse(JSON.parse(withArns)));
      const driver = metrics.filter(({ namespace }) => namespace === DRIVER_METRICS.namespace);
      expect(driver.map(({ metric }) => metric)).toEqual(['RunActive', 'StepsDone']);
      const heartbeat = new Heartbeat(definition.name);
      await heartbeat.note({ stepsDone: 3, endedAt: null } as RunStatus);
      expect(heartbeat.lastError).toBeNull();
      const others = metrics.filter((one) => !driver.includes(one));
      // A metric may be shown with two statistics, and is published once.
      const byName = new Map(others.map((one) => [JSON.stringify({ ...one, stat: null }), one]));
      for (const { namespace, metric, dimensions } of byName.values()) {
        const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
        const MetricData = [{ MetricName: metric, Dimensions, Timestamp: new Date(START), Value: 7 }];
        await cloudwatch.send(new PutMetricDataCommand({ Namespace: namespace, MetricData }));
      }
      expect((await answers(others)).map((values, index) => [others[index]?.metric, values])).toEqual(
        others.map(({ metric, stat }) => [metric, [stat === 'SampleCount' ? 1 : 7]]),
      );
      const run = { arms, fleet: { autoScalingGroup } };
      const series = await collectShown(cloudwatch, dashboardInTemplate(template.Resources, run), {
        from: new Date(START),
        to: new Date(Date.now() + 60_000),
        periodSeconds: 60,
      });
      const last = (name: string) => series.find(({ metric }) => metric === name)?.points.at(-1)?.[1];
      expect([last('RunActive'), last('StepsDone')]).toEqual([1, 3]);
    },
  );

  test('have in the lab the very dimensions that they have on AWS', async () => {
    const own = 'fs-00000000000000001';
    const [storage] = lab().lab.storages;
    const service = storageNamed('lustre').monitoring?.metrics as MetricsCapability;
    const storages = [{ fileSystemId: own, mountPoint: storage?.mountPoint ?? '', compressed: true, service }];
    await createPublisher({ client: cloudwatch, storages }).publishOnce();
    const { Metrics = [] } = await cloudwatch.send(new ListMetricsCommand({ Namespace: LUSTRE_NAMESPACE }));
    const put = Metrics.filter(({ Dimensions }) => Dimensions?.some(({ Value }) => Value === own));
    expect(put.length).toBeGreaterThan(1);
    for (const { MetricName, Dimensions = [] } of put) {
      const info = LUSTRE_METRICS.find((one) => one.name === MetricName);
      const names = Dimensions.map(({ Name }) => Name).sort();
      // Free capacity is published both ways, it seems: by target in the guide, without in AWS's own graphs.
      const allowed = [
        [...dimensionsOf(info?.scope ?? 'mdt')].sort(),
        ...(MetricName === 'FreeDataStorageCapacity' ? [['FileSystemId']] : []),
      ];
      expect(allowed).toContainEqual(names);
    }
  });
});

describe('fsxbench dashboard', () => {
  const folder = temporaryFolder();
  const graphsOf = (out: string): DescribedGraph[] => JSON.parse(out).graphs;
  const lineOf = (graphs: readonly DescribedGraph[], title: string, label: string) =>
    graphs.find((graph) => graph.title === title)?.lines.find((line) => line.label === label);

  /** A run of MetadataBench on that file system in the minutes of the points. */
  function runNamed(id: string): string {
    const record = syntheticRun({});
    const run = writeRun({ ...record, raw: [], metrics: [], environment: [] }, join(folder, id));
    const [sample] = record.samples;
    const window = {
      startedAt: new Date(START).toISOString(),
      endedAt: new Date(START + MINUTES * 60_000 - 60_000).toISOString(),
    };
    writeFileSync(join(run, 'samples.jsonl'), `${JSON.stringify({ ...sample, ...window })}\n`);
    const manifest = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8'));
    const plan = JSON.parse(readFileSync(join(run, 'plan.json'), 'utf8'));
    const configuration = {
      kind: 'lustre',
      deploymentType: 'PERSISTENT_2',
      storageCapacityGiB: 4800,
      perUnitStorageThroughput: 250,
      dataCompressionType: 'LZ4',
      metadata: { mode: 'USER_PROVISIONED', iops: 24_000 },
    };
    const [first, ...others] = plan.arms;
    writeFileSync(join(run, 'plan.json'), JSON.stringify({ ...plan, arms: [{ ...first, configuration }, ...others] }));
    const arms = [{ ...manifest.arms[0], fileSystemId }];
    const own = {
      lab: true,
      metricsPeriodSeconds: 60,
      bucket: null,
      arms,
      dashboard: name,
      benchmark: metadataBench.name,
    };
    writeFileSync(join(run, 'manifest.json'), JSON.stringify({ ...manifest, ...own }));
    return run;
  }

  test('draws the deployed dashboard of a run from what was collected, also when the stack is gone', async () => {
    const run = runNamed('collected');
    const collected = await fsxbench('collect', run, '--json');
    expect([collected.status, collected.err]).toEqual([0, '']);
    expect(JSON.parse(collected.out).dashboard).toMatchObject({ name });
    expect(readFileSync(join(run, 'metrics/dashboard/body.json'), 'utf8')).toBe(raw);
    // An emulator that evaluates no alarm has no state to show.
    expect(JSON.parse(readFileSync(join(run, 'metrics/dashboard/series.json'), 'utf8')).alarms).toBeNull();

    const page = join(folder, 'run.html');
    const { status, out, err } = await fsxbench('dashboard', run, '--html', page, '--json');
    expect([status, err]).toEqual([0, '']);
    const graphs = graphsOf(out);
    // Neither a driver nor clients were there.
    const others = ['Run: 1 while it is active, and steps done', 'Clients: CPU', 'Clients: network, all together'];
    expect(graphs.filter(({ missing }) => missing.length > 0).map(({ title }) => title)).toEqual(others);
    for (const { partial, refused } of graphs) expect({ partial, refused }).toEqual({ partial: [], refused: [] });
    const arm = 'none';
    const creates = ['MDT0000', 'MDT0001'].map((part) => published('FileCreateOperations', part));
    const last = (index: number) => valueAt(index, MINUTES - 1);
    expect(lineOf(graphs, 'Files created', arm)?.last).toBeCloseTo(
      creates.reduce((sum, index) => sum + last(index), 0) / 60,
      9,
    );
    expect(lineOf(graphs, 'Metadata: files created', `${arm} MDT0001`)?.last).toBe(last(creates[1] as number));
    const [reads, writes] = ['DiskReadOperations', 'DiskWriteOperations'].map((metric) =>
      ['MDT0000', 'MDT0001'].reduce((sum, part) => sum + last(published(metric, part)), 0),
    );
    expect(lineOf(graphs, 'Metadata IOPS used: all targets together', arm)?.last).toBeCloseTo(
      (100 * ((reads ?? 0) + (writes ?? 0))) / 60 / (2 * 12_000),
      9,
    );
    expect(readFileSync(page, 'utf8').match(/<svg class="chart"/g)?.length).toBeGreaterThan(20);

    // The same bytes without CloudWatch: the run keeps what it needs.
    const endpoint = process.env.AWS_ENDPOINT_URL;
    process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1:9';
    const again = join(folder, 'again.html');
    expect((await fsxbench('dashboard', run, '--html', again)).status).toBe(0);
    process.env.AWS_ENDPOINT_URL = endpoint;
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(page, 'utf8'));
  });

  test('a run from nodes that were there already is joined by its file system alone, and by nothing of its own', async () => {
    const run = runNamed('mounted');
    const file = join(run, 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    // As `run --on` leaves it that has asked what is mounted.
    const fleet = { ...manifest.fleet, clients: [], machines: { asked: '--nodes 2', names: ['n1', 'n2'] } };
    const own = {
      benchmark: 'MountBench',
      lab: false,
      stack: null,
      account: null,
      document: null,
      dashboard: null,
      fleet,
    };
    writeFileSync(file, JSON.stringify({ ...manifest, ...own }));
    const collected = await fsxbench('collect', run, '--json');
    expect([collected.status, collected.err]).toEqual([0, '']);
    const { arms, dashboard, clients } = JSON.parse(collected.out);
    expect(arms).toEqual([expect.objectContaining({ points: expect.any(Number) })]);
    expect(arms[0].points).toBeGreaterThan(MINUTES);
    expect([dashboard, clients]).toEqual([null, null]);
    const series = JSON.parse(readFileSync(join(run, `metrics/${arms[0].arm}.json`), 'utf8')).series;
    expect(series.map(({ metric }: { metric: string }) => metric)).toContain('DataWriteBytes');
  });

  test('draws any file system of the account, without a stack and without a run', async () => {
    const page = join(folder, 'fs.html');
    const { status, out, err } = await fsxbench('dashboard', fileSystemId, '--hours', '1', '--html', page, '--json');
    expect([status, err]).toEqual([0, '']);
    const graphs = graphsOf(out);
    expect(graphs.length).toBeGreaterThan(20);
    for (const { missing, refused } of graphs) expect({ missing, refused }).toEqual({ missing: [], refused: [] });
    const index = published('StatOperations', 'MDT0000');
    expect(lineOf(graphs, 'Metadata: stat operations', `${fileSystemId} MDT0000`)).toMatchObject({
      points: MINUTES,
      last: valueAt(index, MINUTES - 1),
    });
    const text = readFileSync(page, 'utf8');
    expect(text).toContain('PERSISTENT_2 SSD 4800 GiB, 250 MB/s/TiB, 24000 metadata IOPS, LZ4');
    // The documented rates of its servers are also known: 4,800 GiB at 250 MB/s per TiB.
    expect(text).toContain('disks, sustained');
  });

  test.each([
    [['fs-0000000000000dead'], 'must be one of this account and Region, got fs-0000000000000dead'],
    [['fs-XYZ'], 'must be an id such as fs-0a1b2c3d4e5f60718, got fs-XYZ'],
    [['fs-0000000000000dead', '--hours', 'soon'], "'--hours' must be hours or days"],
  ])('refuses %j', async (argv, message) => {
    const { status, err } = await fsxbench('dashboard', ...argv);
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
