import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { EfsFileSystem } from '../../../lib/constructs/storage/efs';
import type { EfsStorage } from '../../../lib/storage/efs/configuration';
import { BURSTING, ELASTIC, efsStacks, PROVISIONED } from '../../storage/efs/bench';
import { emptyStack, ofType, resourcesOf, theOnly } from '../../support/cdk';
import { bodyOf, dashboardBody } from '../../support/dashboardBody';

/** A file system that is deployed here, with the clients' group. */
function made(configuration: EfsStorage) {
  const stack = emptyStack({ env: { region: 'us-east-1' } });
  const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
  const storage = new EfsFileSystem(stack, 'Storage', {
    vpc,
    subnet: vpc.privateSubnets[0] as ec2.ISubnet,
    configuration,
  });
  const clients = new ec2.SecurityGroup(stack, 'Clients', { vpc, allowAllOutbound: false });
  storage.grantMount(clients);
  return { stack, storage };
}

const fileSystemOf = (configuration: EfsStorage) =>
  theOnly(resourcesOf(made(configuration).stack), 'AWS::EFS::FileSystem').Properties;

describe('a file system', () => {
  test.each<[EfsStorage, string]>([
    [{ kind: 'efs', throughputMode: 'provisioned' }, "'provisionedThroughputMiBps' must be a whole number of MiB/s"],
    [
      { ...BURSTING, provisionedThroughputMiBps: 5 },
      "'provisionedThroughputMiBps' (5) cannot be combined with bursting throughput",
    ],
    [{ ...PROVISIONED, provisionedThroughputMiBps: 3415 }, 'from 1 to 3414 with provisioned throughput, got 3415'],
  ])('that EFS would refuse is never deployed: %j', (configuration, message) => {
    expect(() => made(configuration)).toThrow(message);
  });

  test('has what was asked for, and goes with its stack', () => {
    expect(fileSystemOf(PROVISIONED)).toMatchObject({
      Encrypted: true,
      ThroughputMode: 'provisioned',
      ProvisionedThroughputInMibps: 256,
      PerformanceMode: 'generalPurpose',
      BackupPolicy: { Status: 'DISABLED' },
    });
    expect(fileSystemOf(ELASTIC).AvailabilityZoneName).toEqual({
      'Fn::GetAtt': [expect.any(String), 'AvailabilityZone'],
    });
    expect(fileSystemOf(BURSTING)).not.toHaveProperty('AvailabilityZoneName');
    Template.fromStack(made(BURSTING).stack).hasResource('AWS::EFS::FileSystem', { DeletionPolicy: 'Delete' });
  });

  test('takes nobody who does not encrypt, and opens NFS to its clients alone', () => {
    const { FileSystemPolicy } = fileSystemOf(BURSTING);
    expect(FileSystemPolicy.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
    const resources = resourcesOf(made(BURSTING).stack);
    expect(ofType(resources, 'AWS::EC2::SecurityGroupIngress').map(([, { Properties }]) => Properties)).toEqual([
      expect.objectContaining({ FromPort: 2049, ToPort: 2049, SourceSecurityGroupId: expect.anything() }),
    ]);
    expect(ofType(resources, 'AWS::EC2::SecurityGroupEgress').map(([, { Properties }]) => Properties)).toEqual([
      expect.objectContaining({ FromPort: 2049, ToPort: 2049, DestinationSecurityGroupId: expect.anything() }),
    ]);
  });

  test('warns that burst credits run out', () => {
    const found = Annotations.fromStack(made(BURSTING).stack).findWarning('*', Match.stringLikeRegexp('credits'));
    expect(found.map(({ id }) => id)).toEqual(['/Test/Storage']);
  });

  test('has a metric for each role that it publishes, and none for others', () => {
    const { storage } = made(PROVISIONED);
    expect(storage.metricOf('metadata_operations')).toMatchObject({
      metricName: 'MetadataIOBytes',
      statistic: 'SampleCount',
    });
    expect(storage.metricOf('burst_credits')).toBeNull();
    expect(storage.metricOf('disk_utilisation')).toBeNull();
    expect(made(BURSTING).storage.metricOf('burst_credits')).toMatchObject({ metricName: 'BurstCreditBalance' });
  });
});

describe('a benchmark with arms of EFS and of Lustre', () => {
  const { bench } = efsStacks();
  const resources = resourcesOf(bench);

  test('makes a file system for each, and a mount target beside the clients', () => {
    // One of Lustre, one of OpenZFS.
    expect(ofType(resources, 'AWS::FSx::FileSystem')).toHaveLength(2);
    expect(ofType(resources, 'AWS::EFS::FileSystem')).toHaveLength(3);
    expect(ofType(resources, 'AWS::EFS::MountTarget')).toHaveLength(3);
  });

  test('tells clients to mount each by its own kind', () => {
    const text = JSON.stringify(resources);
    expect(text.match(/\\"kind\\":\\"efs\\"/g)?.length).toBeGreaterThan(0);
    expect(text).toMatch(/\\"mountPoint\\":\\"\/fsx\/provisioned\\"/);
  });

  test('shows each kind on the dashboard, under a heading of its own', () => {
    const parsed = dashboardBody.parse(bodyOf(theOnly(resources, 'AWS::CloudWatch::Dashboard')));
    const body = JSON.stringify(parsed);
    expect(body).toContain('## EFS: bursting, elastic, provisioned');
    expect(body).toContain('## FSx for Lustre: none');
  });

  test('watches permitted throughput, operations and credits, and that a run moves bytes on any arm', () => {
    const ids = ofType(resources, 'AWS::CloudWatch::Alarm').map(([id]) => id);
    for (const name of ['Throughputelastic', 'Operationselastic', 'Creditsbursting', 'StalledReadprovisioned']) {
      expect(ids).toContainEqual(expect.stringContaining(name));
    }
    expect(ids).not.toContainEqual(expect.stringContaining('Creditsprovisioned'));
  });
});
