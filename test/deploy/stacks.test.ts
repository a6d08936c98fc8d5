import { Stage } from 'aws-cdk-lib';
import { clusterBench } from '../../lib/benchmark/cluster';
import { offloadBench } from '../../lib/benchmark/offload';
import { storageBench } from '../../lib/benchmark/storage';
import { readSettings } from '../../lib/config/app';
import type { Settings } from '../../lib/config/fields';
import { BenchResults, makeStacks } from '../../lib/deploy/application';
import { appWithFlags, masked, ofType, resourcesOf, stacksWith, theOnly } from '../support/cdk';

describe('BenchResults', () => {
  const stack = new BenchResults(appWithFlags());
  const resources = resourcesOf(stack);
  const bucket = theOnly(resources, 'AWS::S3::Bucket');

  test('keeps the bucket and its policy when the stack goes', () => {
    for (const type of ['AWS::S3::Bucket', 'AWS::S3::BucketPolicy']) {
      expect(theOnly(resources, type)).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  test('refuses connections without TLS 1.2', () => {
    const { Statement } = theOnly(resources, 'AWS::S3::BucketPolicy').Properties.PolicyDocument;
    expect(
      Statement.map(({ Effect, Condition }: { Effect: string; Condition: object }) => [Effect, Condition]),
    ).toEqual([
      ['Deny', { Bool: { 'aws:SecureTransport': 'false' } }],
      ['Deny', { NumericLessThan: { 's3:TlsVersion': 1.2 } }],
    ]);
  });

  test('keeps what a client overwrote of a run, or a start record, for more than a year, and it can be read at once', () => {
    const rules: Record<string, unknown>[] = bucket.Properties.LifecycleConfiguration.Rules;
    // As S3 does it: each rule whose prefix a key has applies, and the earliest expiry holds.
    const daysOf = (key: string): number =>
      Math.min(
        ...rules
          .filter(({ Prefix = '' }) => key.startsWith(Prefix as string))
          .flatMap(({ NoncurrentVersionExpiration: old }) => (old as { NoncurrentDays: number } | undefined) ?? [])
          .map(({ NoncurrentDays }) => NoncurrentDays),
      );
    for (const file of ['samples.jsonl', 'plan.json', 'manifest.json', 'raw/r1-write.out'])
      expect(daysOf(`runs/CompressionBench/20261122T090000Z-abcd/${file}`)).toBe(400);
    expect(daysOf('started/CompressionBench/20261122T090000Z-abcd.json')).toBe(400);
    expect(daysOf('build-cache/CompressionBench/ior.tar.gz')).toBe(30);
    const classes = rules.flatMap(({ NoncurrentVersionTransitions: moved = [] }) =>
      (moved as { StorageClass: string }[]).map(({ StorageClass }) => StorageClass),
    );
    expect(new Set(classes)).toEqual(new Set(['GLACIER_IR']));
  });

  test('removes what costs without use: old versions, broken uploads, old builds, but no run', () => {
    const rules: Record<string, unknown>[] = bucket.Properties.LifecycleConfiguration.Rules;
    const expiring = rules.filter((rule) => 'ExpirationInDays' in rule);
    expect(expiring.map(({ Prefix }) => Prefix)).toEqual(['build-cache/']);
    expect(rules.some((rule) => 'NoncurrentVersionExpiration' in rule)).toBe(true);
    expect(rules.some((rule) => 'AbortIncompleteMultipartUpload' in rule)).toBe(true);
  });

  test('matches its snapshot', () => {
    expect(masked(stack)).toMatchSnapshot();
  });
});

describe('ClusterBench', () => {
  const stackWith = (settings: Settings = {}) => stacksWith(settings, undefined, undefined, clusterBench).bench;
  const bench = stackWith({ import: 's3://nsf-ncar-era5/e5.oper.an.sfc' });

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

  // One file system of the size of the study, a cluster with both its queues, and a link whose metadata come at once, and nothing the other way.
  test('matches its snapshot', () => {
    const template = masked(bench) as { Resources: Record<string, { Type: string }> };
    // Resources that only a cluster has; the rest is in the snapshots of the other benchmarks.
    const own = /^(Custom::|AWS::CloudFormation::Stack$|AWS::IAM::ManagedPolicy$|AWS::FSx::)/;
    expect(
      Object.fromEntries(Object.entries(template.Resources).filter(([, { Type }]) => own.test(Type))),
    ).toMatchSnapshot();
  });
});

describe('OffloadBench', () => {
  const stackWith = (settings: Settings) => stacksWith(settings, undefined, undefined, offloadBench).bench;
  const serversIn = (settings: Settings): string[] =>
    ofType(resourcesOf(stackWith(settings)), 'AWS::EC2::Instance').flatMap(([id]) =>
      /^LustreZfs/.test(id) ? [id] : [],
    );

  test('has one server for all compressions, since its processors are what is compared', () => {
    expect(serversIn({})).toHaveLength(1);
  });

  test('has a server of its own for what hardware compresses', () => {
    expect(serversIn({ lustreZfsOffload: 'qat', arms: ['off', 'gzip-6-qat'] })).toHaveLength(2);
  });

  test('matches its snapshot at scale smoke', () => {
    expect(masked(stackWith({ scale: 'smoke', arms: ['off', 'gzip-6', 'client-zstd-3'] }))).toMatchSnapshot();
  });
});

describe('StorageBench', () => {
  const { bench } = stacksWith({}, undefined, undefined, storageBench);
  const resources = resourcesOf(bench);

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
});

const env = { account: '123456789012', region: 'us-east-1' };
const CONTEXT = { CompressionBench: { scale: 'smoke' }, fileSystemId: 'fs-0a1b2c3d4e5f60718' };

test('a stage has the stacks of an application, with their names and resources, so that commands find them', () => {
  const app = appWithFlags(CONTEXT);
  makeStacks(app, env);
  const stage = new Stage(appWithFlags(CONTEXT), 'Trial', { env });
  makeStacks(stage, env);
  const resources = (assembly: ReturnType<Stage['synth']>) =>
    Object.fromEntries(
      assembly.stacks.map(({ stackName, template }) => [
        stackName,
        Object.values<{ Type: string }>(template.Resources)
          .map(({ Type }) => Type)
          .sort(),
      ]),
    );
  const staged = resources(stage.synth());
  expect(Object.keys(staged)).toEqual(expect.arrayContaining(['BenchResults', 'CompressionBench', 'LustreDashboard']));
  expect(staged).toEqual(resources(app.synth()));
});
