// A service control policy (AWS Organizations) for accounts with file systems and their clients, and a stack that satisfies it.
// docs/platform-teams.md has the steps. Deploy the policy in the management account, the stack in an account of the organizational unit.
//
//   npx cdk deploy --app "npx tsx organization.ts" Guardrails -c unit=ou-…
//   npx cdk deploy --app "npx tsx organization.ts" Trial
import { App, Duration, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { CfnPolicy } from 'aws-cdk-lib/aws-organizations';
import { ExpiringStack, LustreClients, LustreFileSystem } from 'fsxbench/constructs';

const TAG = 'CostCenter';
const REGIONS = ['us-east-1', 'eu-west-1'];

/** Services without a Region, or whose calls go to us-east-1: a Region rule must leave them out. */
const GLOBAL = ['budgets:*', 'ce:*', 'cloudfront:*', 'iam:*', 'organizations:*', 'route53:*', 'sts:*', 'support:*'];

const content = {
  Version: '2012-10-17',
  Statement: [
    {
      Sid: 'TagFileSystems',
      Effect: 'Deny',
      Action: ['fsx:CreateFileSystem', 'fsx:CreateFileSystemFromBackup'],
      Resource: 'arn:aws:fsx:*:*:file-system/*',
      Condition: { Null: { [`aws:RequestTag/${TAG}`]: 'true' } },
    },
    {
      Sid: 'TagInstances',
      Effect: 'Deny',
      Action: 'ec2:RunInstances',
      Resource: ['arn:aws:ec2:*:*:instance/*', 'arn:aws:ec2:*:*:volume/*'],
      Condition: { Null: { [`aws:RequestTag/${TAG}`]: 'true' } },
    },
    {
      Sid: 'InstanceMetadataVersion2',
      Effect: 'Deny',
      Action: 'ec2:RunInstances',
      Resource: 'arn:aws:ec2:*:*:instance/*',
      Condition: { StringNotEquals: { 'ec2:MetadataHttpTokens': 'required' } },
    },
    {
      Sid: 'Regions',
      Effect: 'Deny',
      NotAction: GLOBAL,
      Resource: '*',
      Condition: { StringNotEquals: { 'aws:RequestedRegion': REGIONS } },
    },
  ],
};

const app = new App();
const unit: unknown = app.node.tryGetContext('unit');
const guardrails = new Stack(app, 'Guardrails', { env: { region: 'us-east-1' } });
new CfnPolicy(guardrails, 'Policy', {
  name: 'file-systems',
  type: 'SERVICE_CONTROL_POLICY',
  content,
  targetIds: typeof unit === 'string' ? [unit] : undefined,
});

const stack = new ExpiringStack(app, 'Trial', { env: { region: 'us-east-1' }, expiresAfter: Duration.hours(8) });
// On the file system, the instances and their volumes.
Tags.of(stack).add(TAG, '42');
const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
const [subnet] = vpc.privateSubnets;
if (subnet === undefined) throw new Error('the VPC must have a private subnet, found none');
const fileSystem = new LustreFileSystem(stack, 'FileSystem', {
  vpc,
  subnet,
  configuration: { deploymentType: 'PERSISTENT_2', storageCapacityGiB: 1200, perUnitStorageThroughput: 125 },
  removalPolicy: RemovalPolicy.DESTROY,
});
new LustreClients(stack, 'Clients', {
  mounts: { '/fsx': fileSystem },
  instanceType: new ec2.InstanceType('m6i.xlarge'),
});
