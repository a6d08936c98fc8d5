import { storageBench } from '../../lib/benchmark/storage';
import { masked, ofType, resourcesOf, stacksWith, theOnly } from '../support/cdk';

const { bench } = stacksWith({}, undefined, undefined, storageBench);
const resources = resourcesOf(bench);

test('has one c5.2xlarge, since a volume of EBS is mounted by one instance', () => {
  const group = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup');
  expect(group.Properties).toMatchObject({ MinSize: '1', MaxSize: '1' });
});

test('has the four storages of the study, and the same volume with XFS and with two compressions', () => {
  const [lustre, ...more] = ofType(resources, 'AWS::FSx::FileSystem').map(([, { Properties }]) => Properties);
  expect([lustre?.StorageCapacity, lustre?.LustreConfiguration.DeploymentType, more]).toEqual([1200, 'SCRATCH_2', []]);
  expect(theOnly(resources, 'AWS::EFS::FileSystem').Properties.ThroughputMode).toBe('bursting');
  const volumes = ofType(resources, 'AWS::EC2::Volume').map(([, { Properties }]) => Properties);
  expect(volumes.filter(({ VolumeType }) => VolumeType === 'gp2').map(({ Size }) => Size)).toEqual([
    ...[1200, 1200, 1200, 1200],
  ]);
});

test('lets the clients read the inputs of a pipeline, and nothing beside them', () => {
  const text = JSON.stringify(
    resourcesOf(stacksWith({ inputs: ['s3://my-data/reads/'] }, undefined, undefined, storageBench).bench),
  );
  expect(text).toMatch(
    /"Action":"s3:GetObject","Effect":"Allow","Resource":\{[^}]*\},":s3:::my-data\/reads\/\*"\]\]\},"Sid":"Inputs"/,
  );
  expect(JSON.stringify(resources)).not.toContain('"Sid":"Inputs"');
});

test('matches its snapshot at scale smoke', () => {
  const settings = { scale: 'smoke' as const, arms: ['btrfs-zstd', 'efs'] };
  expect(masked(stacksWith(settings, undefined, undefined, storageBench).bench)).toMatchSnapshot();
});
