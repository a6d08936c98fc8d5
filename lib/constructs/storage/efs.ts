import { RemovalPolicy } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as efs from 'aws-cdk-lib/aws-efs';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { sentenceCase } from '../../common/format/text';
import { named, perSecond, product, ratio } from '../../dashboard/expression';
import { idOf } from '../../dashboard/graph';
import { metricOf, type Published } from '../../storage/common/graphs';
import { checkEfs, type EfsStorage } from '../../storage/efs/configuration';
import { EFS_METRICS, type EfsMetricName, isPublished } from '../../storage/efs/dashboard';
import { checked, zoneOf } from '../common';
import { PublishingStorage, toExpression } from '../dashboard/render';
import { runningOut, saturated } from '../dashboard/watch';
import type { AlarmWords, ArmView, DeployProps, MountValues, StorageConstruct, StorageDeployment } from './construct';

/** NFS. Source: https://docs.aws.amazon.com/efs/latest/ug/network-access.html. */
const NFS = ec2.Port.tcp(2049);

/** The mount helper encrypts, and the policy of the file system takes nothing else. */
const MOUNT_OPTIONS = 'tls';

/** An EFS file system with a mount target next to its clients. CDK's construct has one in every zone, and no rules for this one. */
export class EfsFileSystem extends PublishingStorage<EfsMetricName> implements StorageConstruct {
  readonly configuration: EfsStorage;
  readonly resourceId: string;
  private readonly group: ec2.SecurityGroup;

  constructor(
    scope: Construct,
    id: string,
    props: Pick<DeployProps<EfsStorage>, 'vpc' | 'subnet' | 'configuration' | 'kmsKey'>,
  ) {
    super(scope, id);
    const { vpc, subnet, configuration, kmsKey } = props;
    checked(this, checkEfs(configuration));
    const { throughputMode, provisionedThroughputMiBps, availability } = configuration;

    const resource = new efs.CfnFileSystem(this, 'Resource', {
      encrypted: true,
      kmsKeyId: kmsKey?.keyArn,
      throughputMode,
      provisionedThroughputInMibps: provisionedThroughputMiBps,
      performanceMode: 'generalPurpose',
      availabilityZoneName: availability === 'one-zone' ? zoneOf(subnet) : undefined,
      // Its data can be written again, and a backup would read all of it while a run measures.
      backupPolicy: { status: 'DISABLED' },
      fileSystemPolicy: policy(),
    });
    // A file system that is left over is billed on.
    resource.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.group = new ec2.SecurityGroup(this, 'Group', { vpc, description: 'EFS', allowAllOutbound: false });
    new efs.CfnMountTarget(this, 'MountTarget', {
      fileSystemId: resource.ref,
      subnetId: subnet.subnetId,
      securityGroups: [this.group.securityGroupId],
    });

    this.configuration = configuration;
    this.resourceId = resource.ref;
  }

  protected get published(): Published {
    return { ...EFS_METRICS, table: EFS_METRICS.table.filter((metric) => isPublished(metric, this.configuration)) };
  }

  mountValues(): MountValues {
    return { fileSystemId: this.resourceId, mountOptions: MOUNT_OPTIONS };
  }

  grantMount(clients: ec2.IConnectable): void {
    this.group.connections.allowFrom(clients, NFS, 'NFS from clients');
  }
}

/** Clients reach it by its mount target and over TLS; who they are, the security groups decide. */
function policy(): iam.PolicyDocument {
  return new iam.PolicyDocument({
    statements: [
      new iam.PolicyStatement({
        sid: 'ThroughMountTarget',
        principals: [new iam.AnyPrincipal()],
        actions: [
          'elasticfilesystem:ClientMount',
          'elasticfilesystem:ClientWrite',
          // Data directories are given to the user of the benchmarks.
          'elasticfilesystem:ClientRootAccess',
        ],
        conditions: { Bool: { 'elasticfilesystem:AccessedViaMountTarget': 'true' } },
      }),
      new iam.PolicyStatement({
        sid: 'OverTlsOnly',
        effect: iam.Effect.DENY,
        principals: [new iam.AnyPrincipal()],
        actions: ['*'],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ],
  });
}

/** At 100 MiB/s they are gone half an hour later: time to end a run before its figures mean something else. */
const FEW_CREDITS_BYTES = 180 * 2 ** 30;

/** Metered against permitted throughput, and what else the file system has a limit of. */
function alarms(scope: Construct, arm: ArmView<EfsFileSystem>, words: AlarmWords): cloudwatch.Alarm[] {
  const { name, storage } = arm;
  const { throughputMode } = storage.configuration;
  const atLimit = (id: string, metric: cloudwatch.IMetric, what: string) =>
    saturated(scope, `${id}-${name}`, { metric, what, words, section: 'a-volume-or-file-system-at-its-limit' });
  const metric = (name: EfsMetricName) => metricOf(EFS_METRICS, arm.resourceId, name);
  const used = toExpression(
    ratio(
      product(100, perSecond(metric('MeteredIOBytes'), `metered_${idOf(arm)}`)),
      named(metric('PermittedThroughput'), `permitted_${idOf(arm)}`),
    ),
    { label: 'metered throughput (%)' },
  );
  const credits = () =>
    runningOut(scope, `Credits-${name}`, {
      metric: storage.metric('BurstCreditBalance'),
      threshold: FEW_CREDITS_BYTES,
      title: `Burst credits of ${words.name} below half an hour`,
      meaning: `${sentenceCase(words.subject)} has burst credits for less than half an hour: what a run measures afterwards is the baseline.`,
      first: 'end the run.',
      section: 'burst-credits-almost-used-up',
    });
  return [
    atLimit('Throughput', used, 'permitted throughput'),
    atLimit('Operations', storage.metric('PercentIOLimit'), 'operations'),
    ...(throughputMode === 'bursting' ? [credits()] : []),
  ];
}

export const efsDeployment: StorageDeployment<EfsStorage, EfsFileSystem> = {
  kind: 'efs',
  deploy: (scope, id, props) => new EfsFileSystem(scope, id, props),
  alarms,
};
