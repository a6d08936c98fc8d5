import { Annotations, Match } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { EbsVolumes } from '../../../lib/constructs/storage/ebs';
import { EfsFileSystem } from '../../../lib/constructs/storage/efs';
import type { EfsStorage } from '../../../lib/storage/efs/configuration';
import { ebsStacks, GP2 } from '../../storage/ebs/bench';
import { BURSTING, ELASTIC, efsStacks, PROVISIONED } from '../../storage/efs/bench';
import { emptyStack, ofType, resourcesOf, theOnly } from '../../support/cdk';
import { bodyOf, dashboardBody } from '../../support/dashboardBody';

describe('EBS', () => {
  test('volumes that EBS would refuse are never deployed', () => {
    const stack = emptyStack({ env: { region: 'us-east-1' } });
    const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
    const subnet = vpc.privateSubnets[0] as ec2.ISubnet;
    expect(() => new EbsVolumes(stack, 'Storage', { subnet, configuration: { ...GP2, iops: 1 } })).toThrow(
      "'iops' (1) cannot be combined with gp2",
    );
    const text = { ...GP2, volumeGiB: '500' as unknown as number };
    expect(() => new EbsVolumes(stack, 'Text', { subnet, configuration: text })).toThrow(
      "got '500' (a string): make it a number",
    );
  });

  describe('a benchmark with arms of EBS', () => {
    const { bench } = ebsStacks();
    const resources = resourcesOf(bench);
    const volumes = ofType(resources, 'AWS::EC2::Volume');

    test('makes the volumes that were asked for in the zone of the client, encrypted, and lets them go with the stack', () => {
      expect(volumes.map(([, { Properties, DeletionPolicy }]) => [Properties, DeletionPolicy])).toMatchSnapshot();
    });

    test('watches each volume by an alarm of its own', () => {
      const watched = ofType(resources, 'AWS::CloudWatch::Alarm').flatMap(
        ([, { Properties }]) =>
          JSON.stringify(Properties).match(/VolumeThroughputExceededCheck/) &&
          JSON.stringify(Properties.Metrics ?? Properties.Dimensions),
      );
      const text = watched.join();
      for (const [id] of volumes) expect(text).toContain(`{"Ref":"${id}"}`);
    });

    test('lets its client attach these volumes and no other', () => {
      const statements = ofType(resources, 'AWS::IAM::Policy').flatMap(
        ([, { Properties }]) => Properties.PolicyDocument.Statement,
      );
      const attach = statements.filter(({ Action }: { Action: unknown }) => Action === 'ec2:AttachVolume');
      expect(attach).toHaveLength(1);
      const text = JSON.stringify(attach);
      for (const [id] of volumes) expect(text).toContain(`{"Ref":"${id}"}`);
      expect(text).not.toMatch(/volume\/\*/);
    });

    test('starts no client before its volumes, so that they outlive it when the stack goes', () => {
      const group = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup');
      expect(group.DependsOn).toEqual(expect.arrayContaining(volumes.map(([id]) => id)));
    });

    test('tells the client what to attach and how to mount it', () => {
      const text = JSON.stringify(resources).replaceAll('\\', '');
      expect(text).toContain('"kind":"ebs"');
      expect(text).toContain('"filesystem":"xfs"');
      expect(text).toContain('"mountOptions":"noatime,compress-force=zstd:3"');
    });

    test('watches what each volume may do, the credits of gp2, and that a run moves bytes on any arm', () => {
      const ids = ofType(resources, 'AWS::CloudWatch::Alarm').map(([id]) => id);
      for (const name of ['Throughputgp31', 'Throughputgp32', 'Operationsio21', 'Creditsgp21', 'StalledWrittenxfs'])
        expect(ids).toContainEqual(expect.stringContaining(name));
      expect(ids).not.toContainEqual(expect.stringContaining('Creditsgp3'));
    });
  });
});

describe('EFS', () => {
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

    test.each([PROVISIONED, ELASTIC, BURSTING])(
      'has what was asked for, and goes with its stack: %j',
      (configuration) => {
        const [[, fileSystem] = []] = ofType(resourcesOf(made(configuration).stack), 'AWS::EFS::FileSystem');
        expect(fileSystem).toMatchSnapshot();
      },
    );

    test('opens NFS to its clients alone', () => {
      const resources = resourcesOf(made(BURSTING).stack);
      for (const rules of ['AWS::EC2::SecurityGroupIngress', 'AWS::EC2::SecurityGroupEgress'])
        expect(ofType(resources, rules)).toMatchSnapshot();
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
});
