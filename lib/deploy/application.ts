import {
  Annotations,
  type App,
  CfnOutput,
  CfnResource,
  Duration,
  type Environment,
  RemovalPolicy,
  Stack,
  type StackProps,
  type Stage,
  Validations,
} from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { BENCHMARKS } from '../benchmark/registry';
import { ConfigurationError } from '../common/configurationError';
import { collectRefusals, resolveAll } from '../config/app';
import { guardOperations, tagAll } from '../constructs/guards';
import { bucketEncryption } from '../constructs/machine/role';
import { DEPLOYABLE_KINDS, WATCH_STACKS } from '../constructs/storage/registry';
import { type PriceBook, PUBLISHED } from '../price/prices';
import type { ModelLimits } from '../schema/model';
import { BenchmarkStack } from './benchmarkStack';

const RESULTS_STACK = 'BenchResults';

/** For what of a run was overwritten. */
const KEPT_DAYS = 400;

export interface BenchResultsProps extends StackProps {
  /** ARN of the bucket's key. @default - the S3 managed key */
  readonly kmsKeyArn?: string;
}

/** The results bucket, which outlives benchmarks: their stacks refer to it, and while one uses its export, CloudFormation does not delete this stack. */
export class BenchResults extends Stack {
  readonly bucket: s3.IBucket;

  constructor(scope: Construct, id: string = RESULTS_STACK, props: BenchResultsProps = {}) {
    const { kmsKeyArn, ...stackProps } = props;
    super(scope, id, { description: 'Results of fsxbench, kept when the benchmarks are gone', ...stackProps });
    guardOperations(this, { kmsKeyArn });
    const key = kmsKeyArn === undefined ? undefined : kms.Key.fromKeyArn(this, 'Key', kmsKeyArn);

    const bucket = new s3.Bucket(this, 'Bucket', {
      // Results cost money and hours, so not even deleting this stack deletes them.
      removalPolicy: RemovalPolicy.RETAIN,
      versioned: true,
      ...bucketEncryption(key),
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
      reason: 'Readers are the people and instances of this account; to log each read, use CloudTrail data events.',
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

/** Stands for a stack whose settings are refused: the CDK CLI can destroy it, and reports its problems instead of deploying it. */
class RefusedStack extends Stack {
  /** @param problems each one line with the next step; at least one */
  constructor(scope: Construct, id: string, problems: readonly string[], props: StackProps) {
    super(scope, id, props);
    for (const problem of problems) Annotations.of(this).addError(problem);
    // `cdk deploy --ignore-errors` would take a template without resources as an order to delete the stack; this one CloudFormation rejects.
    new CfnResource(this, 'Refused', { type: 'Fsxbench::Settings::Refused' });
  }
}

/**
 * Creates every stack of the application's context, since the CDK CLI does not pass on the requested ones. One with invalid settings is created with its
 * problems, which the CLI reports if it is selected. @throws ConfigurationError with those that all benchmarks share, before any stack is created
 * @param scope the application, or a stage of it: a pipeline deploys several
 * @param models limits of the lab's scale models, by arm @param user owner of stacks that name none
 */
export function makeStacks(
  scope: App | Stage,
  env: Environment,
  book: PriceBook = PUBLISHED,
  models: ModelLimits = {},
  user?: string,
) {
  const context = scope.node.getAllContext() ?? {};
  const { benchmarks, refused, watches, shared } = resolveAll(BENCHMARKS, context, DEPLOYABLE_KINDS, env.region);
  const { kmsKeyArn, tags = {} } = shared;
  // Commands find a stack by its name, which a stage would put its own before.
  const placed = (stackName: string): StackProps => ({ env, stackName });
  const results = collectRefusals(
    refused,
    RESULTS_STACK,
    () => new BenchResults(scope, undefined, { ...placed(RESULTS_STACK), kmsKeyArn }),
  );
  if (results !== undefined) tagAll(results, tags);
  const resultsProblems = refused.find(({ name }) => name === RESULTS_STACK)?.problems ?? [];
  const stacks = benchmarks.flatMap((configuration) => {
    const { name } = configuration.definition;
    return (
      collectRefusals(refused, name, () => {
        if (results === undefined) throw new ConfigurationError(resultsProblems);
        return new BenchmarkStack(scope, name, {
          ...placed(name),
          configuration,
          results: results.bucket,
          book,
          models,
          user,
        });
      }) ?? []
    );
  });
  for (const { stack, watched } of watches) {
    const WatchStack = WATCH_STACKS[stack];
    collectRefusals(refused, stack, () => tagAll(new WatchStack(scope, stack, { ...placed(stack), ...watched }), tags));
  }
  for (const { name, problems } of refused) {
    // Half-built where a construct refused the settings.
    scope.node.tryRemoveChild(name);
    new RefusedStack(scope, name, problems, placed(name));
  }
  return { benchmarks: stacks, refused } as const;
}
