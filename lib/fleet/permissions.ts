import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../dashboard/runMetrics';

/** The prefixes of the results bucket that clients use. */
const RUNS_PREFIX = 'runs';
export const BUILD_CACHE_PREFIX = 'build-cache';

export interface ClientPermissions {
  readonly results: s3.IBucket;
  readonly bundle: assets.Asset;
  readonly logGroup: logs.ILogGroup;
  /** ARN of the parameter that holds the fleet's private key. */
  readonly keyParameterArn: string;
}

/**
 * What a client may do, and nothing else.
 *
 * In place of the managed policy AmazonSSMManagedInstanceCore, which lets an instance read every parameter of the account,
 * stand the actions that the agent needs for Run Command and Session Manager.
 */
export function clientStatements(scope: Construct, given: ClientPermissions): Record<string, iam.PolicyStatement[]> {
  const { results, bundle, logGroup, keyParameterArn } = given;
  const stack = Stack.of(scope);
  const allow = (sid: string, actions: string[], resources: string[], conditions?: Record<string, unknown>) =>
    new iam.PolicyStatement({ sid, actions, resources, ...(conditions && { conditions }) });

  return {
    Agent: [
      allow('Agent', ['ssm:UpdateInstanceInformation', 'ssm:ListAssociations', 'ssm:ListInstanceAssociations'], ['*']),
      allow(
        'AgentChannels',
        [
          'ssmmessages:CreateControlChannel',
          'ssmmessages:CreateDataChannel',
          'ssmmessages:OpenControlChannel',
          'ssmmessages:OpenDataChannel',
        ],
        ['*'],
      ),
      // Agents before 3.3.40, as on a pinned image, take their commands here.
      allow(
        'OlderAgentChannels',
        [
          'ec2messages:AcknowledgeMessage',
          'ec2messages:DeleteMessage',
          'ec2messages:FailMessage',
          'ec2messages:GetEndpoint',
          'ec2messages:GetMessages',
          'ec2messages:SendReply',
        ],
        ['*'],
      ),
    ],
    Fleet: [
      allow('FleetKey', ['ssm:GetParameter'], [keyParameterArn]),
      allow(
        'Bundle',
        ['s3:GetObject'],
        [
          stack.formatArn({
            service: 's3',
            region: '',
            account: '',
            resource: bundle.s3BucketName,
            resourceName: bundle.s3ObjectKey,
          }),
        ],
      ),
    ],
    Results: [
      allow(
        'ResultObjects',
        ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        [results.arnForObjects(`${RUNS_PREFIX}/*`), results.arnForObjects(`${BUILD_CACHE_PREFIX}/*`)],
      ),
      // Without it S3 answers 403, not 404, for an object that isn't there; a condition on the prefix would take that away again.
      allow('ResultList', ['s3:ListBucket'], [results.bucketArn]),
    ],
    Telemetry: [
      allow('Metrics', ['cloudwatch:PutMetricData'], ['*'], {
        StringEquals: { 'cloudwatch:namespace': METRIC_NAMESPACE },
      }),
      allow('Logs', ['logs:CreateLogStream', 'logs:PutLogEvents', 'logs:DescribeLogStreams'], [logGroup.logGroupArn]),
    ],
  };
}

/** Why the wildcards in {@link clientStatements} are what they must be, for cdk-nag. */
export function acknowledgeWildcards(role: iam.Role, results: s3.IBucket): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'ssmmessages, ec2messages, ssm:UpdateInstanceInformation and the lists of associations know no narrower resource ' +
      'that a role for all clients could name; cloudwatch:PutMetricData is narrowed by its namespace.',
  });
  const bucket = results.node.defaultChild as CfnElement | undefined;
  if (bucket === undefined) return;
  for (const prefix of [RUNS_PREFIX, BUILD_CACHE_PREFIX]) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${Stack.of(results).getLogicalId(bucket)}.Arn>/${prefix}/*]`,
      reason: `Clients read and write objects below ${prefix}/, whose names only the run knows.`,
    });
  }
}
