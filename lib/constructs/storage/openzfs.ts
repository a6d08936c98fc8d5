import { Aws, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as fsx from 'aws-cdk-lib/aws-fsx';
import type { Construct } from 'constructs';
import { checkOpenZfs, type OpenZfsStorage } from '../../storage/openzfs/configuration';
import { OPENZFS_METRICS, type OpenZfsMetricName } from '../../storage/openzfs/dashboard';
import { STACK_TAG } from '../../storage/search';
import { checked } from '../common';
import { PublishingStorage } from '../dashboard/render';
import { saturated } from '../dashboard/watch';
import type { DeployProps, MountValues, StorageConstruct, StorageDeployment } from './construct';

/** NFS 4.2 needs no other port. Source: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/limit-access-security-groups.html. */
const NFS = ec2.Port.tcp(2049);

/** Mount options of the guide; several connections, since one carries 5 Gbit/s. Source: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/attach-linux-client.html. */
const MOUNT_OPTIONS = 'nfsvers=4.2,nconnect=16,rsize=1048576,wsize=1048576,timeo=600,noatime';

/** An FSx for OpenZFS file system, whose root volume the clients mount. CDK has no construct for it. */
export class OpenZfsFileSystem extends PublishingStorage<OpenZfsMetricName> implements StorageConstruct {
  protected readonly published = OPENZFS_METRICS;
  readonly configuration: OpenZfsStorage;
  readonly resourceId: string;
  private readonly group: ec2.SecurityGroup;

  constructor(
    scope: Construct,
    id: string,
    props: Pick<DeployProps<OpenZfsStorage>, 'vpc' | 'subnet' | 'configuration' | 'kmsKey'>,
  ) {
    super(scope, id);
    const { vpc, subnet, configuration, kmsKey } = props;
    checked(this, checkOpenZfs(configuration));
    const { deploymentType, storageCapacityGiB, throughputMBps, compression = 'none', iops } = configuration;

    this.group = new ec2.SecurityGroup(this, 'Group', { vpc, description: 'FSx for OpenZFS', allowAllOutbound: false });
    const resource = new fsx.CfnFileSystem(this, 'Resource', {
      fileSystemType: 'OPENZFS',
      storageType: 'SSD',
      storageCapacity: storageCapacityGiB,
      subnetIds: [subnet.subnetId],
      securityGroupIds: [this.group.securityGroupId],
      kmsKeyId: kmsKey?.keyArn,
      openZfsConfiguration: {
        deploymentType,
        throughputCapacity: throughputMBps,
        diskIopsConfiguration: iops === undefined ? undefined : { mode: 'USER_PROVISIONED', iops },
        rootVolumeConfiguration: {
          dataCompressionType: compression.toUpperCase(),
          // The clients' boot gives data directories to the user of the benchmarks.
          nfsExports: [{ clientConfigurations: [{ clients: '*', options: ['rw', 'crossmnt', 'no_root_squash'] }] }],
        },
        // Its data can be written again, and a backup would read all of it while a run measures.
        automaticBackupRetentionDays: 0,
        // The final backup when it is deleted cannot be declined in a template. With the tags it is found, by `fsxbench leftovers`.
        copyTagsToBackups: true,
        options: ['DELETE_CHILD_VOLUMES_AND_SNAPSHOTS'],
      },
    });
    // A file system that is left over is billed on.
    resource.applyRemovalPolicy(RemovalPolicy.DESTROY);
    Tags.of(resource).add(STACK_TAG, Stack.of(this).stackName);

    this.configuration = configuration;
    this.resourceId = resource.ref;
  }

  mountValues(): MountValues {
    // Assembled: the template reference describes the attribute DNSName for Windows file systems only.
    const dnsName = `${this.resourceId}.fsx.${Stack.of(this).region}.${Aws.URL_SUFFIX}`;
    return { dnsName, mountOptions: MOUNT_OPTIONS };
  }

  grantMount(clients: ec2.IConnectable): void {
    this.group.connections.allowFrom(clients, NFS, 'NFS from clients');
  }
}

const WATCHED: readonly (readonly [id: string, metric: OpenZfsMetricName, what: string])[] = [
  ['Network', 'NetworkThroughputUtilization', 'network throughput'],
  ['Disk', 'FileServerDiskThroughputUtilization', 'disk throughput'],
  ['Operations', 'FileServerDiskIopsUtilization', 'disk IOPS'],
  ['Cpu', 'CPUUtilization', 'server CPU'],
];

/** FSx for OpenZFS in templates; its alarms are on the server against what its throughput capacity gives it. */
export const openzfsDeployment: StorageDeployment<OpenZfsStorage, OpenZfsFileSystem> = {
  kind: 'openzfs',
  deploy: (scope, id, props) => new OpenZfsFileSystem(scope, id, props),
  alarms: (scope, { name, storage }, words) =>
    WATCHED.map(([id, metric, what]) =>
      saturated(scope, `${id}-${name}`, {
        metric: storage.metric(metric),
        section: id === 'Cpu' ? 'server-cpu-at-its-limit' : 'a-volume-or-file-system-at-its-limit',
        what,
        words,
      }),
    ),
};
