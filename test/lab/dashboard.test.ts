import {
  CloudWatchClient,
  GetDashboardCommand,
  GetMetricDataCommand,
  PutDashboardCommand,
  PutMetricDataCommand,
} from '@aws-sdk/client-cloudwatch';
import { emulatorEnvironment } from '../../lib/lab/emulator';
import { labDown, labUp } from '../../lib/lab/lab';
import { LUSTRE_NAMESPACE } from '../../lib/storage/metricTable';
import { resourcesOf, theOnly } from '../support/cdk';
import { bodyOf, type DashboardBody, dashboardBody } from '../support/dashboardBody';
import { FILE_SYSTEM, lustreDashboard } from '../support/lustreDashboard';
import { labProject } from './support';

jest.setTimeout(60_000);

let root: string;
let remove: () => void;
let cloudwatch: CloudWatchClient;
const before = { ...process.env };

beforeAll(async () => {
  ({ root, remove } = await labProject());
  const lab = await labUp({ root, sizeGiB: 1, directories: true });
  for (const [name, value] of Object.entries(emulatorEnvironment(lab.paths, lab.endpoint))) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  cloudwatch = new CloudWatchClient({});
});
afterAll(async () => {
  await labDown(root);
  remove();
  process.env = before;
});

const raw = bodyOf(theOnly(resourcesOf(lustreDashboard()), 'AWS::CloudWatch::Dashboard'));
const body = dashboardBody.parse(raw);

/** A metric that a graph asks for by its name and dimensions, by itself or for a formula. */
interface Plain {
  readonly name: string;
  readonly dimensions: readonly { readonly Name: string; readonly Value: string }[];
  readonly stat: string;
}

function plainMetrics({ widgets }: DashboardBody): Plain[] {
  const found = new Map<string, Plain>();
  for (const widget of widgets) {
    if (widget.type !== 'metric') continue;
    for (const items of widget.properties.metrics) {
      const words = (items as unknown[]).filter((it) => typeof it === 'string');
      const [namespace, name, ...pairs] = words;
      if (namespace !== LUSTRE_NAMESPACE || name === undefined) continue;
      const rendering = items.at(-1) as { stat?: string };
      const dimensions = pairs.flatMap((it, index) =>
        index % 2 === 0 ? [{ Name: it, Value: pairs[index + 1] ?? '' }] : [],
      );
      // CloudWatch takes the average where a graph names nothing.
      const plain = { name, dimensions, stat: rendering.stat ?? 'Average' };
      found.set(JSON.stringify(plain), plain);
    }
  }
  return [...found.values()];
}

test('can be put, and comes back as it was', async () => {
  const DashboardBody = JSON.stringify(raw);
  await cloudwatch.send(new PutDashboardCommand({ DashboardName: 'Lustre', DashboardBody }));
  const answer = await cloudwatch.send(new GetDashboardCommand({ DashboardName: 'Lustre' }));
  expect(JSON.parse(answer.DashboardBody ?? '')).toEqual(raw);
});

test('asks for metrics that CloudWatch answers: every plain one of a file system has its value', async () => {
  const metrics = plainMetrics(body);
  expect(metrics.length).toBeGreaterThanOrEqual(7);
  for (const { dimensions } of metrics) expect(dimensions).toEqual([{ Name: 'FileSystemId', Value: FILE_SYSTEM }]);
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 60_000);
  await cloudwatch.send(
    new PutMetricDataCommand({
      Namespace: LUSTRE_NAMESPACE,
      MetricData: metrics.map(({ name, dimensions }, index) => ({
        MetricName: name,
        Dimensions: [...dimensions],
        Timestamp: minute,
        Value: index + 1,
      })),
    }),
  );
  const { MetricDataResults = [] } = await cloudwatch.send(
    new GetMetricDataCommand({
      StartTime: minute,
      EndTime: new Date(+minute + 60_000),
      MetricDataQueries: metrics.map(({ name, dimensions, stat }, index) => ({
        Id: `m${index}`,
        MetricStat: {
          Metric: { Namespace: LUSTRE_NAMESPACE, MetricName: name, Dimensions: [...dimensions] },
          Period: 60,
          Stat: stat,
        },
      })),
    }),
  );
  const answered = Object.fromEntries(MetricDataResults.map(({ Id = '', Values }) => [Id, Values]));
  expect(answered).toEqual(Object.fromEntries(metrics.map((_, index) => [`m${index}`, [index + 1]])));
});
