import { ARM_COLOURS } from '../../../lib/common/page/drawing';
import { LUSTRE_METRICS } from '../../../lib/storage/lustre/metricTable';
import { resourcesOf, stacksWith, theOnly } from '../../support/cdk';

interface Widget {
  readonly type: string;
  readonly width: number;
  readonly x: number;
  // biome-ignore lint/suspicious/noExplicitAny: the dashboard's JSON of any shape
  readonly properties: any;
}

/** The dashboard as CloudWatch would get it, with `<logical id>` for what CloudFormation fills in. */
function widgetsOf(): Widget[] {
  const { DashboardBody } = theOnly(resourcesOf(stacksWith().bench), 'AWS::CloudWatch::Dashboard').Properties;
  const parts = DashboardBody['Fn::Join'][1] as (string | { Ref?: string; 'Fn::GetAtt'?: [string, string] })[];
  const text = parts.map((it) => (typeof it === 'string' ? it : `<${it.Ref ?? it['Fn::GetAtt']?.[0]}>`)).join('');
  return JSON.parse(text).widgets;
}

const widgets = widgetsOf();
const graphs = widgets.filter(({ type }) => type === 'metric');
const graphNamed = (title: string) => {
  const found = graphs.find(({ properties }) => properties.title.startsWith(title));
  if (found === undefined) throw new Error(`no graph ${title}`);
  return found.properties;
};
const arms = ['<StoragenoneDF1E501C>', '<Storagelz4FBD20F69>'];

test('shows both arms on each graph of the file systems', () => {
  const ofStorage = graphs.filter(({ properties }) => JSON.stringify(properties).includes('AWS/FSx'));
  expect(ofStorage.length).toBeGreaterThan(10);
  for (const { properties } of ofStorage) {
    // FSx publishes logical and physical bytes only where LZ4 is on.
    const compressed = /^Space: (logical|ratio)/.test(properties.title);
    for (const arm of compressed ? arms.slice(1) : arms) expect(JSON.stringify(properties)).toContain(arm);
  }
});

test('draws an arm in the same colour everywhere', () => {
  const lines = graphs.flatMap(({ properties }) => properties.metrics.map((line: unknown[]) => line.at(-1)));
  const colours = (label: string) => new Set(lines.filter((it) => it.label === label).map(({ color }) => color));
  expect([...colours('none')]).toEqual([ARM_COLOURS[0]]);
  expect([...colours('lz4')]).toEqual([ARM_COLOURS[1]]);
});

test.each([
  ['Clients: write throughput', 'DataWriteBytes'],
  ['Clients: read throughput', 'DataReadBytes'],
  ['Clients: operations', 'MetadataOperations'],
  ['File servers: network', 'NetworkThroughputUtilization'],
  ['File servers: disk throughput', 'FileServerDiskThroughputUtilization'],
  ['Metadata servers: CPU', 'CPUUtilization'],
  ['Space: logical and physical', 'LogicalDiskUsage'],
  ['Space: ratio', 'PhysicalDiskUsage'],
  ['Space: free capacity', 'FreeDataStorageCapacity'],
  ['Targets: capacity used', 'StorageCapacityUtilization'],
])('has a graph "%s" from %s', (title, metric) => {
  expect(JSON.stringify(graphNamed(title).metrics)).toContain(metric);
});

test('has every metadata operation that FSx counts, a line for each metadata target', () => {
  const operations = LUSTRE_METRICS.filter(({ scope }) => scope === 'mdt').map(({ name }) => name);
  expect(operations).toHaveLength(7);
  for (const name of operations) {
    const found = graphs.filter(({ properties }) =>
      properties.metrics.some(([{ expression }]: [{ expression: string }]) =>
        expression?.includes(`MetricName="${name}"`),
      ),
    );
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found[0]?.properties.metrics)).toContain("PROP('Dim.StorageTargetId')");
  }
});

test('shows throughput in MB of 10^6 bytes a second', () => {
  const { metrics, yAxis } = graphNamed('Clients: write throughput');
  expect(
    metrics.filter(([{ expression }]: [{ expression?: string }]) => expression?.endsWith('/ 1000000')),
  ).toHaveLength(2);
  expect(yAxis.left.label).toBe('MB/s');
});

test('draws what the servers promise, as the study has it', () => {
  // AWS compression blog, table 1: network 10,800 and disks 2,880 MB/s.
  for (const title of ['Clients: write throughput', 'Clients: read throughput']) {
    expect(graphNamed(title).annotations.horizontal).toEqual([
      { label: 'network, sustained', value: 10_800, color: '#d62728', yAxis: 'left' },
      { label: 'disks, sustained', value: 2880, color: '#d62728', yAxis: 'left' },
    ]);
  }
});

test('shows when a run was active', () => {
  expect(graphNamed('Run').metrics.map((it: string[]) => it.slice(0, 4))).toEqual([
    ['fsxbench', 'RunActive', 'Stack', 'CompressionBench'],
    ['fsxbench', 'StepsDone', 'Stack', 'CompressionBench'],
  ]);
});

test('says what good looks like, and what it costs', () => {
  const text = widgets
    .filter(({ type }) => type === 'text')
    .map(({ properties }) => properties.markdown)
    .join('\n');
  expect(text).toContain('What good looks like');
  expect(text).toMatch(/\*\*\d+\.\d\d USD per hour\*\* at list prices/);
  expect(text).toContain('npx cdk destroy CompressionBench');
});

test('shows the state of every alarm', () => {
  const alarms = widgets.find(({ type }) => type === 'alarm')?.properties.alarms;
  expect(alarms).toHaveLength(11);
});

test('keeps each SEARCH within the 1,024 characters that CloudWatch takes, at the longest id', () => {
  const searches = graphs.flatMap(({ properties }) =>
    properties.metrics.flatMap((line: { expression?: string }[]) => line.at(-1)?.expression ?? []),
  );
  for (const search of searches) expect(search.replace(/<\w+>/, 'fs-0123456789abcdef0').length).toBeLessThan(1024);
});

test('leaves no hole and nothing beyond the 24 columns', () => {
  for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
  const width = graphs.reduce((sum, it) => sum + it.width, 0);
  expect(width % 24).toBe(0);
});
