// A small application with a resource of every family that the project deploys. CLIENTS is the size of its fleet,
// THROUGHPUT that of its file system: changing them is the update of the test. ODD adds a type that the lab does not know.
const { App, CfnOutput, CfnResource, Duration, RemovalPolicy, Stack } = require('aws-cdk-lib');
const autoscaling = require('aws-cdk-lib/aws-autoscaling');
const cloudwatch = require('aws-cdk-lib/aws-cloudwatch');
const ec2 = require('aws-cdk-lib/aws-ec2');
const fsx = require('aws-cdk-lib/aws-fsx');
const iam = require('aws-cdk-lib/aws-iam');
const logs = require('aws-cdk-lib/aws-logs');
const s3 = require('aws-cdk-lib/aws-s3');
const s3deploy = require('aws-cdk-lib/aws-s3-deployment');
const scheduler = require('aws-cdk-lib/aws-scheduler');
const sns = require('aws-cdk-lib/aws-sns');
const subscriptions = require('aws-cdk-lib/aws-sns-subscriptions');
const ssm = require('aws-cdk-lib/aws-ssm');

const clients = Number(process.env.CLIENTS ?? 2);
const throughput = Number(process.env.THROUGHPUT ?? 50);

const app = new App();
const results = new Stack(app, 'SmallResults');
const bucket = new s3.Bucket(results, 'Bucket', {
  versioned: true,
  enforceSSL: true,
  autoDeleteObjects: true,
  removalPolicy: RemovalPolicy.DESTROY,
  blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
  lifecycleRules: [
    { abortIncompleteMultipartUploadAfter: Duration.days(7), noncurrentVersionExpiration: Duration.days(30) },
  ],
});
new s3deploy.BucketDeployment(results, 'Readme', {
  destinationBucket: bucket,
  sources: [s3deploy.Source.data('README', 'what this bucket holds')],
});

const stack = new Stack(app, 'SmallBench');
const vpc = new ec2.Vpc(stack, 'Vpc', {
  maxAzs: 1,
  natGateways: 1,
  restrictDefaultSecurityGroup: true,
  subnetConfiguration: [
    { name: 'public', subnetType: ec2.SubnetType.PUBLIC },
    { name: 'compute', subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
  ],
});
vpc.addGatewayEndpoint('S3', { service: ec2.GatewayVpcEndpointAwsService.S3 });
vpc.addInterfaceEndpoint('Ssm', { service: ec2.InterfaceVpcEndpointAwsService.SSM });
const group = new ec2.SecurityGroup(stack, 'Group', { vpc, allowAllOutbound: false });
group.connections.allowInternally(ec2.Port.tcpRange(988, 1023));
const [subnet] = vpc.privateSubnets;
const fileSystem = new fsx.CfnFileSystem(stack, 'FileSystem', {
  fileSystemType: 'LUSTRE',
  fileSystemTypeVersion: '2.15',
  storageCapacity: 1200,
  subnetIds: [subnet.subnetId],
  securityGroupIds: [group.securityGroupId],
  lustreConfiguration: {
    deploymentType: 'PERSISTENT_1',
    perUnitStorageThroughput: throughput,
    dataCompressionType: 'LZ4',
  },
});
// The rules are separate resources, and FSx checks them when it makes the file system.
fileSystem.node.addDependency(group);
new fsx.CfnDataRepositoryAssociation(stack, 'Link', {
  fileSystemId: fileSystem.ref,
  fileSystemPath: '/in',
  dataRepositoryPath: `s3://${bucket.bucketName}/in`,
});
const role = new iam.Role(stack, 'Role', { assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com') });
role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore'));
bucket.grantReadWrite(role);
const fleet = new autoscaling.AutoScalingGroup(stack, 'Fleet', {
  vpc,
  vpcSubnets: { subnets: [subnet] },
  minCapacity: clients,
  maxCapacity: clients,
  launchTemplate: new ec2.LaunchTemplate(stack, 'Template', {
    instanceType: new ec2.InstanceType('c5n.large'),
    machineImage: ec2.MachineImage.latestAmazonLinux2023(),
    keyPair: new ec2.KeyPair(stack, 'Key'),
    securityGroup: group,
    requireImdsv2: true,
    role,
    userData: ec2.UserData.custom(`#!/bin/bash\necho ${clients}\n`),
  }),
});
new ec2.PlacementGroup(stack, 'Placement', { strategy: ec2.PlacementGroupStrategy.CLUSTER });
new autoscaling.CfnLifecycleHook(stack, 'Hook', {
  autoScalingGroupName: fleet.autoScalingGroupName,
  lifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
});
fleet.scaleOnSchedule('Night', {
  schedule: autoscaling.Schedule.cron({ hour: '22', minute: '0' }),
  desiredCapacity: clients,
});
fleet.scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 50 });

const topic = new sns.Topic(stack, 'Topic', { enforceSSL: true });
topic.addSubscription(new subscriptions.EmailSubscription('someone@example.com'));
const log = new logs.LogGroup(stack, 'Log', {
  retention: logs.RetentionDays.ONE_WEEK,
  removalPolicy: RemovalPolicy.DESTROY,
});
log.addMetricFilter('Errors', {
  filterPattern: logs.FilterPattern.literal('ERROR'),
  metricNamespace: 'fsxbench',
  metricName: 'Errors',
});
const free = new cloudwatch.Metric({
  namespace: 'AWS/FSx',
  metricName: 'FreeDataStorageCapacity',
  dimensionsMap: { FileSystemId: fileSystem.ref },
});
new cloudwatch.Alarm(stack, 'Alarm', { metric: free, threshold: 1, evaluationPeriods: 1 });
new cloudwatch.Alarm(stack, 'MathAlarm', {
  metric: new cloudwatch.MathExpression({ expression: 'free / 2', usingMetrics: { free } }),
  threshold: 1,
  evaluationPeriods: 1,
});
new cloudwatch.Dashboard(stack, 'Dashboard', { widgets: [[new cloudwatch.GraphWidget({ left: [free] })]] });
new scheduler.CfnSchedule(stack, 'Schedule', {
  flexibleTimeWindow: { mode: 'OFF' },
  scheduleExpression: 'rate(1 day)',
  target: { arn: topic.topicArn, roleArn: role.roleArn },
});
new ssm.CfnDocument(stack, 'Document', {
  documentType: 'Command',
  content: {
    schemaVersion: '2.2',
    mainSteps: [{ action: 'aws:runShellScript', name: 'go', inputs: { runCommand: [`echo ${clients}`] } }],
  },
});
const parameter = new ssm.StringParameter(stack, 'Parameter', { stringValue: `clients=${clients}` });
new CfnOutput(stack, 'ParameterName', { value: parameter.parameterName });
if (process.env.ODD) new CfnResource(stack, 'Odd', { type: 'AWS::Foo::Bar' });
