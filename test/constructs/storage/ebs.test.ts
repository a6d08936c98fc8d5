import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { EbsVolumes } from '../../../lib/constructs/storage/ebs';
import { ebsStacks, GP2 } from '../../storage/ebs/bench';
import { emptyStack, ofType, resourcesOf, theOnly } from '../../support/cdk';

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
    expect(volumes.map(([, { Properties }]) => [Properties.VolumeType, Properties.Size])).toEqual([
      ['gp2', 500],
      ['gp3', 200],
      ['gp3', 200],
      ['io2', 100],
      ['gp3', 200],
    ]);
    for (const [, { Properties, DeletionPolicy }] of volumes) {
      expect(Properties.Encrypted).toBe(true);
      expect(Properties.AvailabilityZone).toEqual({ 'Fn::GetAtt': [expect.any(String), 'AvailabilityZone'] });
      expect(DeletionPolicy).toBe('Delete');
    }
    expect(volumes[1]?.[1].Properties).toMatchObject({ Iops: 6000, Throughput: 500 });
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
