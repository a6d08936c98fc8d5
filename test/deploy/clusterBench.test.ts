import { clusterBench } from '../../lib/benchmark/cluster';
import { readSettings } from '../../lib/config/app';
import type { Settings } from '../../lib/config/fields';
import { masked, ofType, resourcesOf, stacksWith, theOnly } from '../support/cdk';

const stackWith = (settings: Settings = {}) => stacksWith(settings, undefined, undefined, clusterBench).bench;
const bench = stackWith({ import: 's3://nsf-ncar-era5/e5.oper.an.sfc' });
const resources = resourcesOf(bench);

test('has one file system of the size of the study, under a cluster with both its queues', () => {
  const { Properties } = theOnly(resources, 'AWS::FSx::FileSystem');
  expect(Properties.StorageCapacity).toBe(14_400);
  const { SlurmQueues } = theOnly(resources, 'Custom::PclusterCluster').Properties.ClusterConfiguration.Scheduling;
  // biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
  const queues = SlurmQueues.map(({ Name, ComputeResources: [only] }: any) => [
    Name,
    only.InstanceType,
    only.MaxCount,
    only.Efa,
  ]);
  expect(queues).toEqual([
    ['clients', 'c5n.18xlarge', 8, { Enabled: true }],
    ['c5-9xlarge', 'c5.9xlarge', 200, undefined],
  ]);
});

test('links the bucket to a directory of the file system: its metadata at once, and nothing the other way', () => {
  const [[fileSystem]] = ofType(resources, 'AWS::FSx::FileSystem') as [[string, unknown]];
  expect(theOnly(resources, 'AWS::FSx::DataRepositoryAssociation').Properties).toEqual({
    FileSystemId: { Ref: fileSystem },
    FileSystemPath: '/data',
    DataRepositoryPath: 's3://nsf-ncar-era5/e5.oper.an.sfc',
    BatchImportMetaDataOnCreate: true,
  });
});

test.each([
  [{ storageType: 'INTELLIGENT_TIERING', deploymentType: 'PERSISTENT_2' }, 'combined with INTELLIGENT_TIERING'],
  [{ import: 'nsf-ncar-era5' }, "'import' must be a bucket or a prefix in it"],
] as const)('refuses an import that FSx would refuse: %j', (settings, message) => {
  const tiered = { throughputCapacity: 4000, metadataIops: 6000, dataReadCache: 'none' } as const;
  const import_ = { import: 's3://nsf-ncar-era5' };
  const read = (): unknown =>
    'import' in settings
      ? readSettings({ ...settings }, 'ClusterBench')
      : stackWith({ ...import_, ...tiered, ...settings });
  expect(read).toThrow(message);
});

test('matches its snapshot', () => {
  const template = masked(bench) as { Resources: Record<string, { Type: string }> };
  // Resources that only a cluster has; the rest is in the snapshots of the other benchmarks.
  const own = /^(Custom::|AWS::CloudFormation::Stack$|AWS::IAM::ManagedPolicy$|AWS::FSx::)/;
  expect(
    Object.fromEntries(Object.entries(template.Resources).filter(([, { Type }]) => own.test(Type))),
  ).toMatchSnapshot();
});
