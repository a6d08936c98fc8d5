/** A linter rule that a stack breaks on purpose. docs/security.md lists them; those of AwsSolutions are next to the resource's code. */
export interface Exception {
  readonly rule: string;
  /** End of the construct's path, or of the resource's type and logical id. */
  readonly where: RegExp;
  readonly reason: string;
}

const BUCKET =
  'Readers are the people and instances of this account; who must log each read turns on data events of CloudTrail.';
const KEY = 'Encrypted with a key of AWS by default; `kmsKeyArn` sets your own, which costs 1 USD per month.';

/** cdk-nag's NIST 800-53 R5, without the prefix `NIST.800.53.R5-`. */
export const NIST: readonly Exception[] = [
  { rule: 'S3BucketLoggingEnabled', where: /^BenchResults\/Bucket/, reason: BUCKET },
  {
    rule: 'S3BucketReplicationEnabled',
    where: /^BenchResults\/Bucket/,
    reason:
      'Versioned and retained; a measurement that is lost can be repeated, and a second Region would double its price.',
  },
  {
    rule: 'S3DefaultEncryptionKMS',
    where: /^BenchResults\/Bucket/,
    reason: 'Encrypted with S3-managed keys: figures of synthetic data need no key whose use is logged and paid for.',
  },
  ...['LoggingEnabled', 'ReplicationEnabled', 'VersioningEnabled'].map((what) => ({
    rule: `S3Bucket${what}`,
    where: /^StorageBench\/Storage-[\w-]+\/Bucket/,
    reason:
      'Generated data of a benchmark for some hours: they are written again, and older versions would continue to incur charges.',
  })),
  {
    rule: 'S3DefaultEncryptionKMS',
    where: /^StorageBench\/Storage-[\w-]+\/Bucket/,
    reason: 'Encrypted with S3-managed keys: requests to KMS would be a part of what is measured.',
  },
  { rule: 'CloudWatchLogGroupEncrypted', where: /Logs\/Resource$/, reason: KEY },
  { rule: 'SNSEncryptedKMS', where: /Topic\/Resource$/, reason: KEY },
  {
    rule: 'VPCFlowLogsEnabled',
    where: /\/Network\/Vpc\/Resource$/,
    reason:
      'No address accepts connections from outside, and the VPC lives as long as a benchmark; `flowLogs` turns them on.',
  },
  {
    rule: 'VPCDefaultSecurityGroupClosed',
    where: /\/Network\/Vpc\/Resource$/,
    reason: 'Nothing uses the default group; to empty it would cost a Lambda function with a role in each stack.',
  },
  {
    rule: 'VPCNoUnrestrictedRouteToIGW',
    where: /\/Network\/Vpc\/PublicSubnet1\/DefaultRoute$/,
    reason: 'It is the way of the NAT gateway, alone in its subnet; `egress=endpoints` has neither.',
  },
  {
    rule: 'IAMNoInlinePolicy',
    where: /\/\w*Role(\/DefaultPolicy)?\/Resource$/,
    reason:
      'A policy for one role of one stack is read and deleted with it; a managed one could be attached elsewhere.',
  },
  {
    rule: 'EC2InstanceProfileAttached',
    where: /\/Instance$|Instance\/Resource$|\/(Master|Chunkserver\d+|Server\d+)\/Instance$/,
    reason: 'The profile is attached by the launch template, which the rule does not follow.',
  },
  {
    rule: 'CloudWatchAlarmAction',
    where:
      /\/(Alarms\/(IdleFleet(Again|Clients|NoRun)|Stalled(RunActive|Read|Written|Metadata)[\w-]*)|Expiry\/NoSuccess)\/Resource$/,
    reason: 'An input of a composite alarm, which notifies: by itself it would send mail without a fault.',
  },
  {
    rule: 'EC2RestrictedCommonPorts',
    where: /Group\/from [\w<>.]+:ALL TRAFFIC$/,
    reason:
      'EFA has no ports: it needs all traffic, and only between the clients and one file system (FSx for Lustre user guide).',
  },
  {
    rule: 'EC2EBSInBackupPlan',
    where: /^StorageBench\/Storage-[\w-]+\/Volume\d+$/,
    reason: 'Data of a benchmark are written again; a backup would disturb what is measured, and bill after it.',
  },
  {
    rule: 'EFSInBackupPlan',
    where: /^StorageBench\/Storage-efs\/Resource$/,
    reason: 'Data of a benchmark are written again; a backup would disturb what is measured, and bill after it.',
  },
];
