import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** Name of the stack with the results of all benchmarks. */
const RESULTS_STACK = 'BenchResults';

/** For what of a run was overwritten. */
const KEPT_DAYS = 400;

/**
 * The results bucket. It outlives every benchmark: a benchmark's stack only refers to it, so deleting that stack keeps it,
 * and CloudFormation refuses to delete this stack while a benchmark still uses its export.
 */
export class BenchResults extends Stack {
  readonly bucket: s3.IBucket;

  constructor(scope: Construct, id: string = RESULTS_STACK, props: StackProps = {}) {
    super(scope, id, { description: 'Results of fsxbench, kept when the benchmarks are gone', ...props });

    const bucket = new s3.Bucket(this, 'Bucket', {
      // Results cost money and hours, so not even deleting this stack deletes them.
      removalPolicy: RemovalPolicy.RETAIN,
      versioned: true,
      encryption: s3.BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        // Clients may overwrite the runs of their benchmark, so what was measured must outlast the day on which somebody notices; what a
        // run rewrites itself costs little there (docs/decisions/overwritten-runs.md). Of two rules that match, S3 takes the earlier
        // expiry (S3 user guide, lifecycle-conflicts): none may cover the whole bucket.
        ...['runs/', 'started/'].map((prefix) => ({
          id: `Overwritten-${prefix.slice(0, -1)}`,
          prefix,
          noncurrentVersionTransitions: [
            { storageClass: s3.StorageClass.GLACIER_INSTANT_RETRIEVAL, transitionAfter: Duration.days(30) },
          ],
          noncurrentVersionExpiration: Duration.days(KEPT_DAYS),
        })),
        { id: 'OldMarkers', expiredObjectDeleteMarker: true },
        { id: 'BrokenUploads', abortIncompleteMultipartUploadAfter: Duration.days(2) },
        {
          id: 'ColdRuns',
          prefix: 'runs/',
          // A report is read in the weeks after its run; S3 moves no object to this class before 30 days (S3 docs).
          transitions: [{ storageClass: s3.StorageClass.INFREQUENT_ACCESS, transitionAfter: Duration.days(60) }],
        },
        // Builds can be repeated in minutes.
        {
          id: 'OldBuilds',
          prefix: 'build-cache/',
          expiration: Duration.days(365),
          noncurrentVersionExpiration: Duration.days(30),
        },
      ],
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Readers are the people and instances of this account; CloudTrail data events serve who must log each read.',
    });
    // A retained bucket keeps its policy that every connection must be encrypted.
    bucket.policy?.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.bucket = bucket;

    new CfnOutput(this, 'BucketName', {
      value: bucket.bucketName,
      description: 'Bucket with the runs of all benchmarks',
    });
  }
}
