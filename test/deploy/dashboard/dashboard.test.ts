import { ARM_COLOURS } from '../../../lib/common/page/drawing';
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

test('says what good looks like, and what it costs', () => {
  const text = widgets
    .filter(({ type }) => type === 'text')
    .map(({ properties }) => properties.markdown)
    .join('\n');
  expect(text).toContain('What good looks like');
  expect(text).toMatch(/\*\*\d+\.\d\d USD per hour\*\* at list prices/);
  expect(text).toContain('npx cdk destroy CompressionBench');
});

test('leaves no hole and nothing beyond the 24 columns', () => {
  for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
  const width = graphs.reduce((sum, it) => sum + it.width, 0);
  expect(width % 24).toBe(0);
});
