import { masked, ofType, resourcesOf, templateOf, theOnly } from '../support/cdk';
import { bodyOf, dashboardBody, expressionsOf } from '../support/dashboardBody';
import { FILE_SYSTEM, lustreDashboard } from '../support/lustreDashboard';

const stack = lustreDashboard();
const resources = resourcesOf(stack);
const raw = bodyOf(theOnly(resources, 'AWS::CloudWatch::Dashboard'));
const body = dashboardBody.parse(raw);

/** Applies a pattern variable like CloudWatch: the text that matches becomes the value that somebody chose. */
function chosen(id: string, value: string): string {
  const variable = body.variables?.find((it) => it.id === id);
  return JSON.stringify(body.widgets).replaceAll(new RegExp(variable?.pattern ?? '', 'g'), value);
}

test('needs nothing but the file system: it refers to no other stack and takes no parameter', () => {
  const template = templateOf(stack);
  expect(JSON.stringify(template)).not.toContain('Fn::ImportValue');
  expect(Object.keys(template.Parameters ?? {})).toEqual(['BootstrapVersion']);
  expect(stack.dependencies).toEqual([]);
});

test('changes nothing of the file system and can be removed without a trace', () => {
  const types = new Set(Object.values(resources).map(({ Type }) => Type));
  expect([...types].sort()).toEqual([
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::SNS::Topic',
    'AWS::SNS::TopicPolicy',
  ]);
});

test('can be pointed at any file system of the account: no trace of the first one stays, in searches neither', () => {
  const other = 'fs-0123456789abcdef0';
  const pointed = chosen('fileSystem', other);
  expect(pointed).not.toContain(FILE_SYSTEM);
  expect(pointed.split(other).length).toBe(JSON.stringify(body.widgets).split(FILE_SYSTEM).length);
  expect(
    expressionsOf(body)
      .flat()
      .filter((it) => it.includes(`FileSystemId="${FILE_SYSTEM}"`)).length,
  ).toBeGreaterThan(20);
});

test('takes other metadata IOPS of each target, and changes nothing else by it', () => {
  const changed = chosen('targetIops', '1500.0');
  const before = JSON.stringify(body.widgets);
  const differences = before.split('12000.0').length - 1;
  expect(differences).toBe(2);
  expect(changed.length).toBe(before.length - differences);
  // Prose about 12000 stays.
  expect(changed).toContain('at most 12000 (above');
});

test('counts disk operations of metadata targets apart from those of storage targets', () => {
  const graphs = expressionsOf(body)
    .flat()
    .filter((it) => /Disk(Read|Write)Operations/.test(it));
  expect(graphs.length).toBeGreaterThan(3);
  for (const expression of graphs) {
    for (const search of expression.match(/SEARCH\('[^']*'/g) ?? []) expect(search).toContain('StorageTargetId=MDT');
  }
});

test('shows used against provisioned in percent: of all targets together, and of the busiest', () => {
  const [all, busiest] = expressionsOf(body)
    .flat()
    .filter((it) => it.includes('12000.0'))
    .map((it) => it.replaceAll(/SEARCH\('\S+ MetricName="(\w+)"[^']*', 'Sum', 60\)/g, '<$1>'));
  expect(all).toBe(
    '100 * (SUM(<DiskReadOperations>) + SUM(<DiskWriteOperations>)) / 60 / (METRIC_COUNT(<DiskWriteOperations>) * 12000.0)',
  );
  expect(busiest).toBe('100 * (MAX(<DiskReadOperations>) + MAX(<DiskWriteOperations>)) / 60 / 12000.0');
});

describe('alarms', () => {
  const alarmsOf = (it = resources) => ofType(it, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);

  test('watch capacity, network, disks and metadata CPU of a file system of which nothing else is known', () => {
    const queries = alarmsOf().map(({ Metrics }) => /SELECT MAX\((\w+)\)/.exec(JSON.stringify(Metrics))?.[1]);
    expect(queries.sort()).toEqual([
      'CPUUtilization',
      'FileServerDiskThroughputUtilization',
      'NetworkThroughputUtilization',
      'StorageCapacityUtilization',
    ]);
  });

  test('watch the metadata IOPS, too, where somebody says how many there are', () => {
    const known = alarmsOf(resourcesOf(lustreDashboard({ metadataIops: 1500 })));
    const iops = known.filter(({ Metrics }) => JSON.stringify(Metrics).includes('DiskWriteOperations'));
    expect(iops).toHaveLength(1);
    expect(iops[0].Metrics[0].Expression).toMatch(/ \/ 1500$/);
    expect(iops[0].AlarmDescription).toContain(`npx fsxbench scale metadata ${FILE_SYSTEM} --iops 3000`);
  });

  test('have a recommendation, go to a topic, and to an address on request', () => {
    for (const { AlarmDescription, AlarmActions } of alarmsOf()) {
      expect(AlarmDescription).toContain(FILE_SYSTEM);
      expect(AlarmDescription.length).toBeLessThanOrEqual(1024);
      expect(AlarmActions).toHaveLength(1);
    }
    expect(ofType(resources, 'AWS::SNS::Subscription')).toEqual([]);
    const subscribed = resourcesOf(lustreDashboard({ alarmEmail: 'ops@example.com' }));
    expect(theOnly(subscribed, 'AWS::SNS::Subscription').Properties).toMatchObject({ Endpoint: 'ops@example.com' });
  });
});

test('matches its snapshot', () => {
  expect(masked(stack)).toMatchSnapshot();
});
