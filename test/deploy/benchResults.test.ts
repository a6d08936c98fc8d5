import { BenchResults } from '../../lib/deploy/application';
import { appWithFlags, masked, resourcesOf, theOnly } from '../support/cdk';

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
  expect(Statement.map(({ Effect, Condition }: { Effect: string; Condition: object }) => [Effect, Condition])).toEqual([
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
