import { PUBLISHED } from '../../lib/cost/prices';
import { findLeftovers, leftoverFindings } from '../../lib/doctor/aws/leftovers';
import type { Account } from '../../lib/kit/aws/account';
import { recordedAccount } from './recorded';

const tag = (Value: string) => [{ Key: 'aws:cloudformation:stack-name', Value }];

/** Of a bucket with an arm's files, and of one that is only called alike; no other may be asked for. */
function tagsOf(bucket: string): object {
  if (bucket === 'compressionbench-s3-abc')
    return { TagSet: [...tag('CompressionBench'), { Key: 'fsxbench:mountpoint-s3', Value: 'Storage-s3' }] };
  if (bucket === 'compressionbench-logs') throw Object.assign(new Error('no tags'), { name: 'NoSuchTagSet' });
  throw new TypeError(`the tags of ${bucket} are nobody's business`);
}

/** An account with one of everything that a gone CompressionBench may leave, and the same of somebody else. */
function account(refused: readonly string[] = []): Account {
  const base = recordedAccount('all-well').account;
  const [ours, others] = [tag('CompressionBench'), tag('Website')];
  const answers: Readonly<Record<string, object>> = {
    'fsx:DescribeBackups': {
      Backups: [
        { BackupId: 'backup-1', Tags: ours, FileSystem: { FileSystemId: 'fs-1', FileSystemType: 'LUSTRE' } },
        { BackupId: 'backup-2', Tags: ours, FileSystem: { FileSystemId: 'fs-2', FileSystemType: 'WINDOWS' } },
      ],
    },
    'ec2:DescribeVolumes': {
      Volumes: [
        {
          VolumeId: 'vol-1',
          VolumeType: 'gp3',
          Size: 100,
          Iops: 3000,
          Throughput: 125,
          State: 'available',
          Tags: ours,
        },
        { VolumeId: 'vol-2', VolumeType: 'gp3', Size: 100, State: 'in-use', Tags: others },
        { VolumeId: 'vol-3', VolumeType: 'st1', Size: 500, State: 'available', Tags: ours },
      ],
    },
    'ec2:DescribeSnapshots': { Snapshots: [{ SnapshotId: 'snap-1', VolumeId: 'vol-9', Tags: ours }] },
    'ec2:DescribeNatGateways': { NatGateways: [{ NatGatewayId: 'nat-1', Tags: ours }] },
    'ec2:DescribeAddresses': { Addresses: [{ AllocationId: 'eipalloc-1', Tags: ours }] },
    'elasticfilesystem:DescribeFileSystems': {
      FileSystems: [
        {
          FileSystemId: 'fs-3',
          ThroughputMode: 'elastic',
          SizeInBytes: { Value: 2 ** 40 },
          LifeCycleState: 'available',
          Tags: ours,
        },
      ],
    },
    'logs:DescribeLogGroups': {
      logGroups: [
        { logGroupName: 'CompressionBench-LogsABC', storedBytes: 3e6, retentionInDays: 30 },
        { logGroupName: '/aws/lambda/website' },
      ],
    },
    's3:ListBuckets': {
      Buckets: ['benchresults-bucket83908e77-abc', 'compressionbench-s3-abc', 'compressionbench-logs', 'website'].map(
        (Name) => ({ Name }),
      ),
    },
  };
  return {
    region: 'us-east-1',
    ask: async (call, input) => {
      if (refused.includes(call))
        throw Object.assign(new Error(`not authorized to perform: ${call}`), { name: 'AccessDeniedException' });
      if (call === 's3:GetBucketTagging') return tagsOf((input as { Bucket: string }).Bucket) as never;
      return (answers[call] ?? (await base.ask(call, input))) as never;
    },
  };
}

const find = (refused?: readonly string[]) =>
  findLeftovers({ account: account(refused), region: 'us-east-1', book: PUBLISHED });

test('a service that does not answer is named, and nothing counts as absent for it', async () => {
  const { unknown, found } = await find(['ec2:DescribeSnapshots']);
  expect(unknown).toEqual([{ search: 'EBS', reason: expect.stringContaining('not authorized to perform') }]);
  expect(found.map(({ id }) => id)).toContain('nat-1');
  const states = leftoverFindings({ found: [], fileSystems: [], unknown }).map(({ state }) => state);
  expect(states).toEqual(['unknown']);
});

test('finds what a gone stack left in each service, and nothing of others', async () => {
  const { found, unknown } = await find();
  expect(unknown).toEqual([]);
  expect(found.map(({ id }) => id).sort()).toEqual([
    ...[
      'CompressionBench-LogsABC',
      'backup-1',
      'benchresults-bucket83908e77-abc',
      'compressionbench-s3-abc',
      'eipalloc-1',
    ],
    ...['fs-3', 'nat-1', 'snap-1', 'vol-1', 'vol-3'],
  ]);
  expect(found.filter(({ kept }) => kept).map(({ id }) => id)).toEqual([
    'CompressionBench-LogsABC',
    'benchresults-bucket83908e77-abc',
  ]);
});

test('names the price where there is one, and otherwise the reason', async () => {
  const { found } = await find();
  const by = new Map(found.map((one) => [one.id, one]));
  // 100 GB-month of gp3, and 1 TiB of EFS: list prices of us-east-1.
  expect(by.get('vol-1')?.monthlyUsd).toBeCloseTo(8, 2);
  expect(by.get('fs-3')?.monthlyUsd).toBeCloseTo(0.3 * 1024, 0);
  expect(by.get('vol-3')).toMatchObject({ hourlyUsd: null, reason: 'volume: the price of st1 volumes is unknown' });
  expect(by.get('compressionbench-s3-abc')).toMatchObject({
    hourlyUsd: null,
    reason: expect.stringContaining('storage'),
  });
  expect(by.get('backup-1')).toMatchObject({ hourlyUsd: null, reason: expect.stringContaining('how much a backup') });
});

test('doctor lists them with the command that removes each, except what is kept on purpose', async () => {
  const findings = leftoverFindings(await find());
  expect(findings).toHaveLength(8);
  expect(findings.find(({ found }) => found.startsWith('nat-1'))).toMatchObject({
    state: 'limited',
    found: expect.stringMatching(/^nat-1 of CompressionBench, NAT gateway: 0\.0\d USD\/h; its stack is gone$/),
    command: 'aws ec2 delete-nat-gateway --nat-gateway-id nat-1 --region us-east-1',
  });
});
