// A benchmark of one's own: two file systems that differ in one property, a client that mounts both, and a program that is measured on each.
// The stack deletes itself after eight hours, with everything in it. docs/package.md says how to install the package.
//
//   npx cdk deploy --app "npx tsx two-arms.ts" -c tarball=fsxbench-1.0.0.tgz
//
// Then start a session on the client (output Session), and there the program (output Run).
import { App, CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { ExpiringStack, LustreClients, type LustreConfiguration, LustreFileSystem } from 'fsxbench/constructs';

const app = new App();
const tarball: unknown = app.node.tryGetContext('tarball');
if (typeof tarball !== 'string')
  throw new Error('name the package of fsxbench: -c tarball=fsxbench-1.0.0.tgz, got none');

const COMMON = { deploymentType: 'PERSISTENT_2', storageCapacityGiB: 1200, perUnitStorageThroughput: 250 } as const;
const ARMS: Readonly<Record<string, LustreConfiguration>> = {
  none: { ...COMMON, dataCompressionType: 'NONE' },
  lz4: { ...COMMON, dataCompressionType: 'LZ4' },
};
/** The program, which gets an empty directory of an arm as {dir}. */
const PROGRAM = 'cp -r /usr/share {dir}';

const stack = new ExpiringStack(app, 'TwoArms', { expiresAfter: Duration.hours(8) });
const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
const [subnet] = vpc.privateSubnets;
if (subnet === undefined) throw new Error('the VPC must have a private subnet, found none');

const mounts = Object.fromEntries(
  Object.entries(ARMS).map(([name, configuration]) => [
    `/fsx/${name}`,
    new LustreFileSystem(stack, name, { vpc, subnet, configuration, removalPolicy: RemovalPolicy.DESTROY }),
  ]),
);
const bundle = new Asset(stack, 'Fsxbench', { path: tarball });
const clients = new LustreClients(stack, 'Clients', {
  mounts,
  instanceType: new ec2.InstanceType('m6i.4xlarge'),
  setup: [
    `aws s3 cp --region ${stack.region} ${bundle.s3ObjectUrl} /opt/fsxbench.tgz`,
    'dnf install -y nodejs22-npm',
    'npm install --global /opt/fsxbench.tgz',
  ],
});
bundle.grantRead(clients);

const arms = Object.keys(ARMS).map((name) => `${name}=/fsx/${name}`);
const group = clients.autoScalingGroup.autoScalingGroupName;
const ids = `aws autoscaling describe-auto-scaling-groups --auto-scaling-group-names ${group} --query 'AutoScalingGroups[].Instances[0].InstanceId' --output text`;
new CfnOutput(stack, 'Session', { value: `aws ssm start-session --target "$(${ids})"` });
new CfnOutput(stack, 'Run', { value: `sudo fsxbench run CompressionBench --local ${arms.join(' ')} -- ${PROGRAM}` });
