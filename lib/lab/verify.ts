import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BOUNDED } from '../common/aws/connection';
import { LabError } from './error';

/**
 * Verifies a stack's template through the AWS SDK: all resources exist, and file systems, fleet, bucket, document, dashboard and alarms match.
 * @returns how many resources exist, and how many properties a service's own API confirmed @throws LabError naming the first differences
 */
export async function verifyStack(root: string, stackName: string) {
  const template = JSON.parse(readFileSync(join(root, 'cdk.out', `${stackName}.template.json`), 'utf8')) as {
    Resources: Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>;
  };
  const physical = await physicalIds(stackName);
  const differences: string[] = [];
  let properties = 0;
  let resources = 0;
  for (const [logicalId, { Type, Properties = {} }] of Object.entries(template.Resources)) {
    // It is nothing that exists.
    if (Type === 'AWS::CDK::Metadata') continue;
    resources++;
    const id = physical.get(logicalId);
    if (!id) differences.push(`${logicalId} (${Type}) was declared but does not exist`);
    else
      await INSPECTIONS[Type]?.(id, Properties, (name, declared, answer) => {
        properties++;
        if (isDeepStrictEqual(declared, answer)) return;
        const [wanted, found] = [declared, answer].map((value) => JSON.stringify(value));
        differences.push(`${logicalId}.${name}: declared ${wanted}, found ${found}`);
      });
  }
  if (differences.length > 0)
    throw new LabError(
      `${stackName}: what exists differs from what was declared:\n  ${differences.slice(0, 10).join('\n  ')}`,
    );
  return { resources, properties };
}

async function physicalIds(stackName: string): Promise<Map<string, string>> {
  const { CloudFormationClient, paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient(BOUNDED);
  const found = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stackName }))
    for (const { LogicalResourceId, PhysicalResourceId } of StackResourceSummaries)
      if (LogicalResourceId && PhysicalResourceId) found.set(LogicalResourceId, PhysicalResourceId);
  return found;
}

type Expect = (name: string, declared: unknown, found: unknown) => void;
type Inspect = (id: string, declared: Readonly<Record<string, unknown>>, expect: Expect) => Promise<void>;

/** Only literals can be compared; references to other resources are resolved only by CloudFormation. */
const isLiteral = (value: unknown): boolean => value !== undefined && (typeof value !== 'object' || value === null);

/** The resources verified through their own APIs, by type. */
const INSPECTIONS: Readonly<Record<string, Inspect>> = {
  'AWS::FSx::FileSystem': async (id, declared, expect) => {
    const { FSxClient, DescribeFileSystemsCommand } = await import('@aws-sdk/client-fsx');
    const found = (await new FSxClient(BOUNDED).send(new DescribeFileSystemsCommand({ FileSystemIds: [id] })))
      .FileSystems?.[0];
    expect('Lifecycle', 'AVAILABLE', found?.Lifecycle);
    for (const name of ['StorageCapacity', 'StorageType', 'FileSystemTypeVersion'] as const) {
      if (declared[name] !== undefined) expect(name, declared[name], found?.[name]);
    }
    const configuration = (declared.LustreConfiguration ?? {}) as Record<string, unknown>;
    const answered = (found?.LustreConfiguration ?? {}) as Record<string, unknown>;
    for (const [name, value] of Object.entries(configuration))
      if (isLiteral(value)) expect(`LustreConfiguration.${name}`, value, answered[name]);
  },

  'AWS::AutoScaling::AutoScalingGroup': async (id, declared, expect) => {
    const { AutoScalingClient, DescribeAutoScalingGroupsCommand } = await import('@aws-sdk/client-auto-scaling');
    const answer = await new AutoScalingClient(BOUNDED).send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [id] }),
    );
    const group = answer.AutoScalingGroups?.[0];
    expect('MinSize', Number(declared.MinSize), group?.MinSize);
    expect('MaxSize', Number(declared.MaxSize), group?.MaxSize);
    expect(
      'instances in service',
      Number(declared.MinSize),
      group?.Instances?.filter((instance) => instance.LifecycleState === 'InService').length,
    );
  },

  'AWS::CloudWatch::Dashboard': async (id, _declared, expect) => {
    const { CloudWatchClient, GetDashboardCommand } = await import('@aws-sdk/client-cloudwatch');
    const body =
      (await new CloudWatchClient(BOUNDED).send(new GetDashboardCommand({ DashboardName: id }))).DashboardBody ?? '{}';
    expect('has widgets', true, ((JSON.parse(body) as { widgets?: unknown[] }).widgets ?? []).length > 0);
  },

  'AWS::CloudWatch::Alarm': async (id, declared, expect) => {
    const { CloudWatchClient, DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
    const alarm = (await new CloudWatchClient(BOUNDED).send(new DescribeAlarmsCommand({ AlarmNames: [id] })))
      .MetricAlarms?.[0];
    for (const name of ['Threshold', 'EvaluationPeriods', 'ComparisonOperator', 'TreatMissingData'] as const) {
      if (isLiteral(declared[name])) expect(name, declared[name], alarm?.[name]);
    }
  },

  'AWS::S3::Bucket': async (id, declared, expect) => {
    const { S3Client, GetBucketVersioningCommand, GetPublicAccessBlockCommand } = await import('@aws-sdk/client-s3');
    const client = new S3Client({ ...BOUNDED, forcePathStyle: true });
    const { Status } = (declared.VersioningConfiguration ?? {}) as { readonly Status?: string };
    expect('versioning', Status, (await client.send(new GetBucketVersioningCommand({ Bucket: id }))).Status);
    const block = (await client.send(new GetPublicAccessBlockCommand({ Bucket: id }))).PublicAccessBlockConfiguration;
    expect(
      'public access',
      [true, true, true, true],
      [block?.BlockPublicAcls, block?.BlockPublicPolicy, block?.IgnorePublicAcls, block?.RestrictPublicBuckets],
    );
  },

  'AWS::SSM::Document': async (id, declared, expect) => {
    const { SSMClient, GetDocumentCommand } = await import('@aws-sdk/client-ssm');
    const content = (await new SSMClient(BOUNDED).send(new GetDocumentCommand({ Name: id }))).Content;
    expect('Content', declared.Content, JSON.parse(content ?? 'null'));
  },
};
