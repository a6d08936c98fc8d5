import { type CfnResource, Duration, RemovalPolicy, Stack, Tags, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { sentenceCase } from '../../common/format/text';
import { checkMountpoint, type MountpointStorage, PART_BYTES } from '../../storage/mountpoint-s3/configuration';
import { ARM_TAG } from '../../storage/mountpoint-s3/cost';
import { FILTER_ID, S3_METRICS, type S3MetricName } from '../../storage/mountpoint-s3/dashboard';
import { checked } from '../common';
import { PublishingStorage } from '../dashboard/render';
import { reached } from '../dashboard/watch';
import { bucketEncryption, bucketKeyStatements } from '../machine/role';
import type { DeployProps, MountValues, StorageConstruct, StorageDeployment } from './construct';

/** A bucket of one arm, emptied when its stack goes: what lies there can be written again, and storage continues to incur charges. */
class MountpointBucket extends PublishingStorage<S3MetricName> implements StorageConstruct {
  protected readonly published = S3_METRICS;
  readonly configuration: MountpointStorage;
  private readonly bucket: s3.Bucket;

  constructor(
    scope: Construct,
    id: string,
    { configuration, kmsKey }: Pick<DeployProps<MountpointStorage>, 'configuration' | 'kmsKey'>,
  ) {
    super(scope, id);
    checked(this, checkMountpoint());
    this.configuration = configuration;
    this.bucket = new s3.Bucket(this, 'Bucket', {
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
      ...bucketEncryption(kmsKey),
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // An upload that was cut off is invisible, and billed.
      lifecycleRules: [{ id: 'BrokenUploads', abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      metrics: [{ id: FILTER_ID }],
    });
    Tags.of(this.bucket).add(ARM_TAG, id);
    this.quietLint();
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds generated data of a benchmark for some hours; a log of each request would cost more than the data.',
    });
  }

  /** CDK's function that empties buckets names a dependency twice, which cfn-lint notes. */
  private quietLint(): void {
    const provider = Stack.of(this).node.findChild('Custom::S3AutoDeleteObjectsCustomResourceProvider');
    const handler = provider.node.findChild('Handler') as CfnResource;
    handler.addMetadata('cfn-lint', { config: { ignore_checks: ['W3005'] } });
  }

  get resourceId(): string {
    return this.bucket.bucketName;
  }

  mountValues(): MountValues {
    return { bucket: this.bucket.bucketName, partBytes: PART_BYTES };
  }

  /** Grants nothing: clients reach S3 by the gateway of the network, so no port is opened. */
  grantMount(): void {}

  /** Grants what Mountpoint needs to read, write and remove (its CONFIGURATION.md, IAM permissions). */
  grantClients(clients: iam.IRole): void {
    const { bucket } = this;
    clients.addToPrincipalPolicy(
      new iam.PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
    );
    clients.addToPrincipalPolicy(
      new iam.PolicyStatement({
        actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
        resources: [bucket.arnForObjects('*')],
      }),
    );
    for (const statement of bucketKeyStatements(bucket)) clients.addToPrincipalPolicy(statement);
    Validations.of(clients).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${Stack.of(this).getLogicalId(bucket.node.defaultChild as s3.CfnBucket)}.Arn>/*]`,
      reason: 'The bucket is the file system of the clients: its objects are the files that they write.',
    });
  }
}

export const mountpointS3Deployment: StorageDeployment<MountpointStorage, MountpointBucket> = {
  kind: 'mountpoint-s3',
  deploy: (scope, id, props) => new MountpointBucket(scope, id, props),
  alarms: (scope, { name, storage }, { subject, saturated, first, ...words }) => [
    reached(scope, `Errors-${name}`, {
      metric: storage.metric('5xxErrors'),
      threshold: 1,
      title: `S3 errors on ${words.name}`,
      meaning: `${sentenceCase(subject)} has received S3 errors for 15 minutes, with which S3 asks for fewer requests: ${saturated}`,
      first,
      section: 'a-volume-or-file-system-at-its-limit',
    }),
  ],
};
