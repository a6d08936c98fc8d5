import { Duration } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { toExpression } from '../../../../lib/constructs/dashboard/render';
import { ForeignLustre } from '../../../../lib/constructs/storage/lustre/metrics';
import * as expressions from '../../../../lib/storage/lustre/dashboard/expressions';
import { dimensionsOf, isPublished, LUSTRE_METRICS } from '../../../../lib/storage/lustre/metricTable';
import { MIN } from '../../../storage/lustre/configurations';
import { emptyStack } from '../../../support/cdk';

const ID = 'fs-0123456789abcdef0';
const fs = { fileSystemId: ID, key: 'lz4' };
const foreign = new ForeignLustre(emptyStack(), 'FileSystem', { fileSystemId: ID });

const { compressionRatio, freeCapacity, iops, metadataIopsUtilization, readThroughput, writeThroughput } = expressions;

test('the table has each metric of the service once, and none of other kinds of FSx', () => {
  const names = LUSTRE_METRICS.map(({ name }) => name as string);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(30);
  for (const foreign of [
    'StorageCapacity',
    'FreeStorageCapacity',
    'MemoryUtilization',
    'FileServerDiskIopsUtilization',
  ]) {
    expect(names).not.toContain(foreign);
  }
});

test('each metric has the dimensions and the statistic of the user guide', () => {
  const told = LUSTRE_METRICS.map(({ name, scope, statistic }) => [name, statistic, ...dimensionsOf(scope)].join(' '));
  expect(told.join('\n')).toMatchSnapshot();
});

test('percentages and levels are never added up over time', () => {
  const percentages = LUSTRE_METRICS.filter(({ unit }) => unit === 'Percent');
  expect(percentages.filter(({ gauge, statistic }) => !gauge || statistic === 'Sum')).toEqual([]);
});

test('what a file system does not publish is known, so that its absence is not taken for zero', () => {
  const missing = (configuration: Parameters<typeof isPublished>[1]) =>
    LUSTRE_METRICS.filter((metric) => !isPublished(metric, configuration)).map(({ name }) => name);
  const links = ['AgeOfOldestQueuedMessage', 'RepositoryRenameOperations'];
  const usage = ['LogicalDiskUsage', 'PhysicalDiskUsage'];
  const lz4 = { dataCompressionType: 'LZ4' } as const;
  expect(missing({ ...MIN.persistent2, ...lz4 })).toEqual(links);
  expect(missing(MIN.persistent2)).toEqual([...usage, ...links]);
  expect(missing({ ...MIN.hdd12, ...lz4 })).toEqual(['DiskIopsUtilization', ...links]);
  expect(missing({ ...MIN.scratch2, ...lz4 })).toEqual([
    'DiskReadOperations',
    'DiskWriteOperations',
    'DiskIopsUtilization',
    ...links,
  ]);
  const dataRepositories = [{ fileSystemPath: '/', dataRepositoryPath: 's3://bucket' }];
  expect(missing({ ...MIN.persistent2, ...lz4, dataRepositories })).toEqual([]);
});

test('a metric is read once a minute with its own dimensions, unless told otherwise', () => {
  const metric = foreign.metric('NetworkThroughputUtilization', { fileServer: 'OSS0000' });
  expect(metric).toMatchObject({
    namespace: 'AWS/FSx',
    metricName: 'NetworkThroughputUtilization',
    dimensions: { FileSystemId: ID, FileServer: 'OSS0000' },
    statistic: 'Average',
  });
  expect(metric.period.toSeconds()).toBe(60);
  const other = foreign.metric('DataReadBytes', { statistic: 'SampleCount', period: Duration.minutes(5) });
  expect([other.statistic, other.period.toMinutes()]).toEqual(['SampleCount', 5]);
});

test.each([
  ['CPUUtilization', 'fileServer'],
  ['FileCreateOperations', 'storageTargetId'],
  ['AgeOfOldestQueuedMessage', 'publisher'],
] as const)('%s without its server or target is refused: CloudWatch would show nothing for ever', (name, property) => {
  expect(() => foreign.metric(name)).toThrow(
    `'${property}' must be given for ${name}, got nothing: use metricEach or metricAcross for all of them`,
  );
});

test('a search names the dimensions that the metric has, and stays below what CloudWatch takes', () => {
  expect(foreign.metricEach('DiskReadBytes').expression).toBe(
    `SEARCH('{AWS/FSx,FileSystemId,StorageTargetId} MetricName="DiskReadBytes" FileSystemId="${ID}"', 'Sum', 60)`,
  );
  for (const { name } of LUSTRE_METRICS) expect(foreign.metricEach(name).expression.length).toBeLessThan(1024);
});

test('an alarm can watch the busiest server without knowing its name', () => {
  const stack = emptyStack();
  foreign
    .metricAcross('NetworkThroughputUtilization', 'MAX')
    .createAlarm(stack, 'Busy', { threshold: 90, evaluationPeriods: 5 });
  Template.fromStack(stack).hasResourceProperties('AWS::CloudWatch::Alarm', {
    Metrics: [
      Match.objectLike({
        Expression: `SELECT MAX(NetworkThroughputUtilization) FROM SCHEMA("AWS/FSx", FileSystemId, FileServer) WHERE FileSystemId = '${ID}'`,
        Period: 60,
      }),
    ],
  });
  Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
});

test.each([
  ['read throughput', readThroughput],
  ['write throughput', writeThroughput],
  ['IOPS', iops],
  ['compression ratio', compressionRatio],
  ['free capacity', freeCapacity],
])('%s is computed as the user guide recommends', (_, made) => {
  const metric = toExpression(made(fs));
  expect(metric.expression).toMatchSnapshot();
  expect(metric.warnings).toBeUndefined();
  // Every name in the expression is a metric of it.
  for (const [name] of metric.expression.matchAll(/m_lz4_\w+/g))
    expect(Object.keys(metric.usingMetrics)).toContain(name);
});

test('metadata use is that of the busiest target against the IOPS of one', () => {
  const metric = toExpression(metadataIopsUtilization(fs, ['MDT0000', 'MDT0001'], 12_000));
  const target = (n: number) =>
    `(m_lz4_diskReadOperations_mdt000${n} + m_lz4_diskWriteOperations_mdt000${n}) / PERIOD(m_lz4_diskReadOperations_mdt000${n})`;
  expect(metric.expression).toBe(`100 * MAX([${target(0)}, ${target(1)}]) / 12000`);
  expect(Object.keys(metric.usingMetrics)).toHaveLength(4);
});

test('metadata use of a file system with one target is that of its series', () => {
  const { expression } = toExpression(metadataIopsUtilization(fs, ['MDT0000'], 6000));
  expect(expression).not.toContain('MAX');
  expect(expression).toMatch(/^100 \* \(m_lz4_diskReadOperations_mdt0000 \+ .*\) \/ PERIOD\(.*\) \/ 6000$/);
});

test('two file systems fit on one graph: their expressions share no name', () => {
  const stack = emptyStack();
  const [none, lz4] = ['fs-00000000', 'fs-11111111'].map((id) => new ForeignLustre(stack, id, { fileSystemId: id }));
  const left = [none, lz4].flatMap((it) => (it ? [it.metricReadThroughput(), it.metricCompressionRatio()] : []));
  new cloudwatch.Dashboard(stack, 'Dashboard', { widgets: [[new cloudwatch.GraphWidget({ left })]] });
  expect(() => Template.fromStack(stack)).not.toThrow();
});
