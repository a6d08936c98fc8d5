import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { IConstruct } from 'constructs';
import { DRIVER_METRICS } from '../../schema/metrics';
import { allow, bucketKeyStatements, bundleStatement } from './role';

/** Prefix of a benchmark's runs in the results bucket: the only objects that its clients may write. */
const runsPrefix = (benchmark: string): string => `runs/${benchmark}`;

/** Prefix of the builds for a benchmark's clients: its builder writes them, its clients read them and run them as root. */
export const buildCachePrefix = (benchmark: string): string => `build-cache/${benchmark}`;

/** Resources that both a client and a builder are given. */
export interface MachinePermissions {
  /** Name of the benchmark: whatever its machines touch is theirs alone. */
  readonly benchmark: string;
  readonly results: s3.IBucket;
  readonly bundle: assets.Asset;
  readonly logGroup: logs.ILogGroup;
}

export interface ClientPermissions extends MachinePermissions {
  /** ARN of the parameter that holds the fleet's private key. @default - its clients do not reach one another by ssh */
  readonly keyParameterArn?: string;
}

const logsOf = ({ logGroup }: Pick<MachinePermissions, 'logGroup'>): iam.PolicyStatement =>
  allow('Logs', ['logs:CreateLogStream', 'logs:PutLogEvents', 'logs:DescribeLogStreams'], [logGroup.logGroupArn]);
// Without it S3 answers 403, not 404, for an object that isn't there; a condition on the prefix would take that away again.
const listOf = ({ results }: MachinePermissions): iam.PolicyStatement =>
  allow('ResultList', ['s3:ListBucket'], [results.bucketArn]);

const metricsOf = (namespace: string): iam.PolicyStatement =>
  allow('Metrics', ['cloudwatch:PutMetricData'], ['*'], { StringEquals: { 'cloudwatch:namespace': namespace } });

/** The SSM agent's permissions for Run Command and Session Manager, without AmazonSSMManagedInstanceCore's right to read all parameters. */
const agentStatements = (): iam.PolicyStatement[] => [
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
];

/** Permissions of a client, and no others. */
export function clientStatements(machine: ClientPermissions): Record<string, iam.PolicyStatement[]> {
  const { benchmark, results, keyParameterArn } = machine;
  return {
    Agent: [
      ...agentStatements(),
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
      ...(keyParameterArn === undefined ? [] : [allow('FleetKey', ['ssm:GetParameter'], [keyParameterArn])]),
      bundleStatement(machine.bundle),
    ],
    Results: [
      allow(
        'ResultObjects',
        ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
        [results.arnForObjects(`${runsPrefix(benchmark)}/*`)],
      ),
      allow('Builds', ['s3:GetObject'], [results.arnForObjects(`${buildCachePrefix(benchmark)}/*`)]),
      listOf(machine),
      ...bucketKeyStatements(results),
    ],
    Telemetry: [metricsOf(DRIVER_METRICS.namespace), logsOf(machine)],
  };
}

/** Permissions of the builder: fill the build cache of its benchmark. Nobody may log in to it, and it reads no run. */
export function builderStatements(machine: MachinePermissions): Record<string, iam.PolicyStatement[]> {
  const { benchmark, results } = machine;
  const builds = [results.arnForObjects(`${buildCachePrefix(benchmark)}/*`)];
  return {
    Bundle: [bundleStatement(machine.bundle)],
    Builds: [
      allow('BuildObjects', ['s3:GetObject', 's3:PutObject'], builds),
      listOf(machine),
      ...bucketKeyStatements(results),
    ],
    Telemetry: [logsOf(machine)],
  };
}

/** Permissions of a storage's server, without those that its storage adds. A server with a namespace may publish metrics. */
export function serverStatements(
  server: Pick<MachinePermissions, 'bundle' | 'logGroup'> & { readonly namespace?: string },
): Record<string, iam.PolicyStatement[]> {
  const { bundle, logGroup, namespace } = server;
  return {
    Agent: agentStatements(),
    Bundle: [bundleStatement(bundle)],
    Telemetry: [...(namespace === undefined ? [] : [metricsOf(namespace)]), logsOf({ logGroup })],
  };
}

/** Acknowledges the wildcards in {@link serverStatements} for cdk-nag. */
export function acknowledgeServerWildcards(role: IConstruct): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'ssmmessages, ec2messages, ssm:UpdateInstanceInformation and the lists of associations support no narrower resource ' +
      'that a role could name before its instances exist; cloudwatch:PutMetricData is narrowed by its namespace.',
  });
}

/** Acknowledges the wildcards in {@link clientStatements} for cdk-nag. */
export function acknowledgeClientWildcards(role: IConstruct, { results, benchmark }: MachinePermissions): void {
  acknowledgeServerWildcards(role);
  acknowledgeObjects(role, results, runsPrefix(benchmark), 'Clients read and write the files of runs');
  acknowledgeObjects(role, results, buildCachePrefix(benchmark), 'Clients read builds');
}

/** Acknowledges the wildcards in {@link builderStatements} for cdk-nag. */
export function acknowledgeBuilderWildcards(role: iam.Role, { results, benchmark }: MachinePermissions): void {
  acknowledgeObjects(role, results, buildCachePrefix(benchmark), 'The builder reads and writes builds');
}

function acknowledgeObjects(role: IConstruct, results: s3.IBucket, prefix: string, who: string): void {
  const bucket = results.node.defaultChild as CfnElement | undefined;
  if (bucket === undefined) return;
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${Stack.of(results).getLogicalId(bucket)}.Arn>/${prefix}/*]`,
    reason: `${who} below ${prefix}/, whose names are known only then.`,
  });
}
