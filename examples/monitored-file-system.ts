// A file system on an existing VPC, with its dashboard and alarms. docs/package.md says how to install the package.
//
//   npx cdk deploy --app "npx tsx monitored-file-system.ts" -c vpcId=vpc-… -c email=you@example.com
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { LustreAlarms, LustreDashboard, LustreFileSystem } from 'fsxbench/constructs';

const app = new App();
const env = { account: process.env.CDK_DEFAULT_ACCOUNT, region: process.env.CDK_DEFAULT_REGION };
const stack = new Stack(app, 'MonitoredFileSystem', { env });

const vpcId: unknown = app.node.tryGetContext('vpcId');
if (typeof vpcId !== 'string') throw new Error('name the VPC: -c vpcId=vpc-…, got none');
const vpc = Vpc.fromLookup(stack, 'Vpc', { vpcId });
const [subnet] = vpc.privateSubnets;
if (subnet === undefined) throw new Error(`${vpcId} must have a private subnet, found none`);

// It stays when the stack is deleted: removalPolicy is RETAIN_ON_UPDATE_OR_DELETE.
const fileSystem = new LustreFileSystem(stack, 'Projects', {
  vpc,
  subnet,
  configuration: {
    deploymentType: 'PERSISTENT_2',
    storageCapacityGiB: 4800,
    perUnitStorageThroughput: 250,
    dataCompressionType: 'LZ4',
    metadata: { mode: 'USER_PROVISIONED', iops: 6000 },
    backups: { retentionDays: 7, dailyStartTime: '03:00' },
  },
});
const { alarms, topic } = new LustreAlarms(stack, 'Alarms', {
  fileSystem,
  name: 'projects',
  email: app.node.tryGetContext('email') as string | undefined,
});
const { dashboardName } = new LustreDashboard(stack, 'Dashboard', { fileSystem, alarms });

new CfnOutput(stack, 'Mount', { value: fileSystem.mountCommands('/mnt/projects').join('\n') });
new CfnOutput(stack, 'DashboardName', { value: dashboardName });
new CfnOutput(stack, 'AlarmTopic', { value: topic.topicArn });
