import { RemovalPolicy } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as efs from 'aws-cdk-lib/aws-efs';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { checked } from '../../../constructs/checked';
import { PublishingStorage } from '../../../constructs/dashboard/publishing';
import { zoneOf } from '../../../constructs/zone';
import type { MountValues, StorageConstruct } from '../../construct';
import type { Published } from '../../kit/graphs';
import type { EfsStorage } from '../configuration';
import { EFS_METRICS, type EfsMetricName, isPublished } from '../metricTable';
import { checkEfs } from '../rules';

/** NFS. Source: https://docs.aws.amazon.com/efs/latest/ug/network-access.html. */
const NFS = ec2.Port.tcp(2049);

/** The mount helper encrypts, and the policy of the file system takes nothing else. */
const MOUNT_OPTIONS = 'tls';

/** Throughput and performance modes by their names in the template. */
const THROUGHPUT = { bursting: 'bursting', elastic: 'elastic', provisioned: 'provisioned' } as const;
const PERFORMANCE = { 'general-purpose': 'generalPurpose', 'max-io': 'maxIO' } as const;

export interface EfsFileSystemProps {
  readonly vpc: ec2.IVpc;
  /** Subnet of the clients, which gets a mount target. */
  readonly subnet: ec2.ISubnet;
  readonly configuration: EfsStorage;
}

/**
 * A file system of EFS with a mount target beside its clients. CDK's own construct makes a mount target in every zone and leaves the rules
 * of this one to the service.
 */
export class EfsFileSystem extends PublishingStorage<EfsMetricName> implements StorageConstruct {
  readonly configuration: EfsStorage;
  readonly resourceId: string;
  private readonly group: ec2.SecurityGroup;

  constructor(scope: Construct, id: string, props: EfsFileSystemProps) {
    super(scope, id);
    const { vpc, subnet, configuration } = props;
    checked(this, checkEfs(configuration));
    const {
      throughputMode,
      provisionedThroughputMiBps,
      availability,
      performanceMode = 'general-purpose',
    } = configuration;

    const resource = new efs.CfnFileSystem(this, 'Resource', {
      encrypted: configuration.encrypted ?? true,
      throughputMode: THROUGHPUT[throughputMode],
      provisionedThroughputInMibps: provisionedThroughputMiBps,
      performanceMode: PERFORMANCE[performanceMode],
      availabilityZoneName: availability === 'one-zone' ? zoneOf(subnet) : undefined,
      // What lies there can be written again, and a backup would read all of it while a run measures.
      backupPolicy: { status: 'DISABLED' },
      fileSystemPolicy: policy(),
    });
    // A file system under test that is left over goes on billing.
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
