/** A linter rule that a stack breaks on purpose. docs/security.md lists them; those of AwsSolutions are next to the resource's code. */
export interface Exception {
  readonly rule: string;
  /** End of the construct's path, or of the resource's type and logical id. */
  readonly where: RegExp;
  readonly reason: string;
}

const BUCKET = 'Read by this account only; data events of CloudTrail log each read.';
const KEY = 'Encrypted with a key of AWS by default; `kmsKeyArn` sets your own.';
const DATA = 'Generated data of a benchmark, kept for some hours.';

/** cdk-nag's NIST 800-53 R5, without the prefix `NIST.800.53.R5-`. */
export const NIST: readonly Exception[] = [
  { rule: 'S3BucketLoggingEnabled', where: /^BenchResults\/Bucket/, reason: BUCKET },
  {
    rule: 'S3BucketReplicationEnabled',
    where: /^BenchResults\/Bucket/,
    reason: 'Versioned and retained; a lost measurement can be repeated.',
  },
  { rule: 'S3DefaultEncryptionKMS', where: /^BenchResults\/Bucket/, reason: 'Encrypted with S3-managed keys.' },
  ...['LoggingEnabled', 'ReplicationEnabled', 'VersioningEnabled'].map((what) => ({
    rule: `S3Bucket${what}`,
    where: /^StorageBench\/Storage-[\w-]+\/Bucket/,
    reason: DATA,
  })),
  {
    rule: 'S3DefaultEncryptionKMS',
    where: /^StorageBench\/Storage-[\w-]+\/Bucket/,
    reason: 'Encrypted with S3-managed keys.',
  },
  { rule: 'CloudWatchLogGroupEncrypted', where: /Logs\/Resource$/, reason: KEY },
  { rule: 'SNSEncryptedKMS', where: /Topic\/Resource$/, reason: KEY },
  {
    rule: 'VPCFlowLogsEnabled',
    where: /\/Network\/Vpc\/Resource$/,
    reason: 'No address accepts connections from outside; `flowLogs` turns them on.',
  },
  {
    rule: 'VPCDefaultSecurityGroupClosed',
    where: /\/Network\/Vpc\/Resource$/,
    reason: 'Nothing uses the default group; to empty it takes a Lambda function in each stack.',
  },
  {
    rule: 'VPCNoUnrestrictedRouteToIGW',
    where: /\/Network\/Vpc\/PublicSubnet1\/DefaultRoute$/,
    reason: 'The route of the NAT gateway, alone in its subnet; `egress=endpoints` has neither.',
  },
  {
    rule: 'IAMNoInlinePolicy',
    where: /\/\w*Role(\/DefaultPolicy)?\/Resource$/,
    reason: 'Deleted with its role; a managed policy could be attached elsewhere.',
  },
  {
    rule: 'EC2InstanceProfileAttached',
    where: /\/Instance$|Instance\/Resource$|\/(Master|Chunkserver\d+|Server\d+)\/Instance$/,
    reason: 'Attached by the launch template, which the rule does not follow.',
  },
  {
    rule: 'CloudWatchAlarmAction',
    where:
      /\/(Alarms\/(IdleFleet(Again|Clients|NoRun)|Stalled(RunActive|Read|Written|Metadata)[\w-]*)|Expiry\/NoSuccess)\/Resource$/,
    reason: 'An input of a composite alarm, which notifies.',
  },
  {
    rule: 'EC2RestrictedCommonPorts',
    where: /Group\/from [\w<>.]+:ALL TRAFFIC$/,
    reason: 'EFA needs all traffic, between the clients and one file system only.',
  },
  { rule: 'EC2EBSInBackupPlan', where: /^StorageBench\/Storage-[\w-]+\/Volume\d+$/, reason: DATA },
  { rule: 'EFSInBackupPlan', where: /^StorageBench\/Storage-efs\/Resource$/, reason: DATA },
];
