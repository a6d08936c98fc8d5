import { storageBench } from '../../../lib/benchmark/storage';
import { documentedPlan } from '../../../lib/cli/plan';
import type { StorageConfiguration } from '../../../lib/schema/deployment';
import { storageNamed } from '../../../lib/storage/lookup';
import { ofType, resourcesOf, stacksWith, theOnly } from '../../support/cdk';

const mountpoint = storageNamed('mountpoint-s3');
const S3 = { kind: 'mountpoint-s3' } as const;

const EFS = { kind: 'efs', throughputMode: 'bursting' };
const planOf = (storage: StorageConfiguration, plan: string, program: string[] = [], set: string[] = []) =>
  documentedPlan(
    {
      ...storageBench,
      arms: () => [
        { name: 's3', storage },
        { name: 'efs', storage: EFS },
      ],
    },
    { plan, scale: 'published', set, program },
  );
const errorsOf = (issues: readonly { readonly id: string; readonly severity: string }[]): string[] => [
  ...new Set(issues.filter(({ severity }) => severity === 'error').map(({ id }) => id)),
];

describe('a plan that a bucket cannot hold is refused before anything costs money', () => {
  test('each plan of StorageBench writes what it takes, its 100 GiB files too', () => {
    for (const plan of ['paired', 'published', 'pipeline']) expect(errorsOf(planOf(S3, plan).issues)).toEqual([]);
  });

  test('a file of more than 10,000 parts', () => {
    const { issues } = planOf(S3, 'published', [], ['largeBlocks=2000']);
    expect(issues).toContainEqual(
      expect.objectContaining({
        id: 'file-too-large',
        severity: 'error',
        message: 'A file of this size cannot be on arm s3.',
        expected: 'at most 156 GiB',
        actual: '195 GiB',
      }),
    );
  });

  test.each([
    ['fio-needs-rewriting', ['fio', '--name=a', '--directory={dir}', '--rw=randwrite', '--size=1g', '--end_fsync=1']],
    ['mdtest-needs-lasting-directories', ['mdtest', '-F', '-u', '-n', '1000', '-d', '{dir}']],
  ])('%s', (id, program) => {
    const found = planOf(S3, 'command', program).issues.filter((issue) => issue.id === id);
    expect(found).toEqual([expect.objectContaining({ severity: 'error', actual: program.join(' ') })]);
    const elsewhere = planOf(EFS, 'command', program);
    expect(elsewhere.issues.map((issue) => issue.id)).not.toContain(id);
  });
});

test('nothing is billed by the hour: storage and requests have a price, and how many there are only a run knows', () => {
  const lines = mountpoint.price.cost(S3, { region: 'us-east-1' });
  expect(lines.map(({ unit, unitPrice, hourly }) => [unit, unitPrice, hourly])).toEqual([
    ['GB-month', 0.023, null],
    ['1000 requests', 0.005, null],
    ['1000 requests', 0.0004, null],
  ]);
  expect(lines[1]?.reason).toMatch(/one for each 16 MiB/);
  const [stored] = mountpoint.price.cost(S3, { region: 'us-east-1', storedGiB: 1000 });
  expect(stored?.hourly).toBeCloseTo((1000 * 0.023) / 730, 9);
});

describe('deployed', () => {
  const stacks = stacksWith({ arms: ['s3', 'efs'] }, undefined, undefined, storageBench);
  const resources = resourcesOf(stacks.bench);

  test('the bucket is private, emptied when it goes, and publishes its requests', () => {
    const { Properties, DeletionPolicy } = theOnly(resources, 'AWS::S3::Bucket');
    expect(DeletionPolicy).toBe('Delete');
    expect(theOnly(resources, 'Custom::S3AutoDeleteObjects')).toBeDefined();
    expect(Properties).toMatchObject({
      MetricsConfigurations: [{ Id: 'EntireBucket' }],
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
    });
  });

  test('clients may read, write and remove its objects, and no other bucket’s', () => {
    const bucket = ofType(resources, 'AWS::S3::Bucket')[0]?.[0];
    const statements = ofType(resources, 'AWS::IAM::Policy').flatMap(
      ([, { Properties }]) => Properties.PolicyDocument.Statement,
    );
    const own = statements.filter((one) => JSON.stringify(one.Resource).includes(`"${bucket}"`));
    expect(own.map(({ Action }) => Action)).toEqual([
      's3:ListBucket',
      ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
    ]);
  });

  test('errors of S3 are watched', () => {
    expect(ofType(resources, 'AWS::CloudWatch::Alarm').map(([id]) => id)).toContainEqual(
      expect.stringContaining('Errorss3'),
    );
  });
});
