import { metadataBench } from '../../../lib/benchmark/metadata';
import { drawnGraph, graphsOf } from '../../../lib/observe/draw/graph';
import { Collected } from '../../../lib/observe/draw/source';
import type { CollectedSeries } from '../../../lib/schema/metrics';
import type { ModelLimits, ScaleModel } from '../../../lib/schema/model';
import { bodyInTemplate, widgetsIn } from '../../support/bodyInTemplate';
import { ofType, resourcesOf, stacksWith } from '../../support/cdk';
import { dashboardInTemplate } from '../../support/templateDashboard';

const REGION = { env: { region: 'us-east-1' } };
const ARM = 'p250-3000';
const FILE_SYSTEM = 'fs-0a1b2c3d4e5f60718';
const MODELS: ModelLimits = { [ARM]: { scale: 100, metadataIops: 240 } };
const START = Date.parse('2026-01-01T00:00:00Z');

const stack = (models?: ModelLimits) =>
  stacksWith(
    { storageCapacityGiB: 2400, metadataIopsSweep: [3000], arms: [ARM] },
    { ...REGION, ...(models && { models }) },
    undefined,
    metadataBench,
  ).bench;

/** The dashboard as it is deployed. */
const widgetsOf = (models?: ModelLimits) =>
  widgetsIn(bodyInTemplate(resourcesOf(stack(models)), { fileSystems: { [ARM]: FILE_SYSTEM } }));

/** The dashboard as it is drawn for a run. */
function graphNamed(title: string, models?: ModelLimits) {
  const { scale = 1, metadataIops = null } = models?.[ARM] ?? {};
  const model = { scale, metadata: { writesPerSecond: metadataIops } } as unknown as ScaleModel;
  const arm = { name: ARM, fileSystemId: FILE_SYSTEM, ...(models && { model }) };
  const run = { arms: [arm], fleet: {} };
  const found = graphsOf(dashboardInTemplate(resourcesOf(stack(models)), run)).find((graph) => graph.title === title);
  if (found === undefined) throw new Error(`no graph ${title}`);
  return found;
}

/** A minute in which a lab's metadata target counted so many operations per second. */
const operations = (metric: string, perSecond: number): CollectedSeries => ({
  namespace: 'AWS/FSx',
  metric,
  dimensions: { FileSystemId: FILE_SYSTEM, StorageTargetId: 'MDT0000' },
  statistic: 'Sum',
  unit: 'Count',
  periodSeconds: 60,
  points: [[new Date(START).toISOString(), perSecond * 60]],
});

const source = new Collected([operations('DiskReadOperations', 2), operations('DiskWriteOperations', 236)]);

const shown = (title: string, models?: ModelLimits): number | undefined =>
  drawnGraph(graphNamed(title, models), source).lines[0]?.series.points.get(START);

describe.each(['all targets together', 'the busiest target, at most'])('metadata IOPS used: %s', (which) => {
  const title = `Metadata IOPS used: ${which}`;
  test('are of what the model’s disk takes: 238 of 240 operations a second are 99 %', () =>
    expect(shown(title, MODELS)).toBeCloseTo(99.17, 2));
  test('are of what is provisioned without a model: the same operations are 8 % of 3,000', () =>
    expect(shown(title)).toBeCloseTo(7.93, 2));
});

test('alarms on metadata IOPS watch the same limit', () => {
  const expression = (models?: ModelLimits) =>
    ofType(resourcesOf(stack(models)), 'AWS::CloudWatch::Alarm')
      .filter(([id]) => id.startsWith('AlarmsMetadataIops'))
      .map(([, { Properties }]) => / \/ (\d+)$/.exec(Properties.Metrics[0].Expression)?.[1]);
  expect(expression(MODELS)).toEqual(['240']);
  expect(expression()).toEqual(['3000']);
});

test('ceilings are a hundredth in a 1:100 model: 6 MB/s of disks in the place of 600', () => {
  const title = 'Clients: write throughput';
  const sorted = (values: readonly number[] = []) => [...values].sort((a, b) => a - b);
  const ceilings = (models?: ModelLimits) => {
    const deployed = widgetsOf(models).find(({ properties }) => properties.title === title)?.properties.annotations;
    const drawn = sorted(graphNamed(title, models).ceilings.map(({ value }) => value));
    expect(sorted(deployed?.horizontal?.map(({ value }) => value))).toEqual(drawn);
    return drawn;
  };
  expect(ceilings()).toEqual([600, 1536]);
  expect(ceilings(MODELS)).toEqual([6, 15.36]);
});

test('a graph that FSx has no data for is not on the dashboard, and named in its last line', () => {
  const widgets = widgetsOf();
  const titles = widgets.map(({ properties }) => properties.title ?? '');
  expect(titles.filter((title) => /^(Space: (logical|ratio)|S3 links)/.test(title))).toEqual([]);
  const last = widgets.at(-1)?.properties.markdown;
  expect(last).toBe(
    'Not shown, since FSx publishes nothing for it: *Space: logical and physical*, *Space: ratio logical ÷ physical*, which it does only where LZ4 is or was on; ' +
      '*S3 links: age of the oldest waiting message*, *S3 links: renames*, which it does only for file systems linked to S3.',
  );
});
