import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { type Construct, Dependable } from 'constructs';
import { PublishingStorage } from '../../../constructs/dashboard/publishing';
import type { MountValues, StorageConstruct } from '../../construct';
import { LUSTRE_MOUNT_OPTIONS } from '../../kit/lustre';
import type { LustreZfsStorage } from '../configuration';
import { LUSTRE_ZFS_METRICS } from '../metricTable';
import type { LustreZfsServers } from './servers';

export interface LustreZfsFileSystemProps {
  readonly configuration: LustreZfsStorage;
  readonly servers: LustreZfsServers;
}

/** The file system of one arm: datasets with its compression and record size on servers that it may share with other arms. */
export class LustreZfsFileSystem extends PublishingStorage implements StorageConstruct {
  protected readonly published = LUSTRE_ZFS_METRICS;
  readonly configuration: LustreZfsStorage;
  readonly resourceId: string;
  private readonly servers: LustreZfsServers;
  private readonly mountName: string;

  constructor(scope: Construct, id: string, { configuration, servers }: LustreZfsFileSystemProps) {
    super(scope, id);
    this.configuration = configuration;
    this.servers = servers;
    this.mountName = servers.add(configuration);
    // As publish-counters on the servers names the series.
    this.resourceId = `${servers.id}.${this.mountName}`;
    // Waiting for it means waiting for its servers.
    Dependable.implement(this, { dependencyRoots: [servers] });
  }

  mountValues(): MountValues {
    const { mountName } = this;
    const { address: dnsName, otherAddresses, keyParameter } = this.servers;
    return {
      ...{ dnsName, mountName, mountOptions: LUSTRE_MOUNT_OPTIONS, keyParameter },
      ...(otherAddresses.length > 0 && { otherServers: otherAddresses.join(' ') }),
      // Its files lie as the file system has it: each on one OST, and the next on another.
      stripeCount: 0,
    };
  }

  grantMount(clients: ec2.IConnectable): void {
    this.servers.grantMount(clients);
  }

  grantClients(clients: iam.IRole): void {
    clients.addToPrincipalPolicy(this.servers.keyStatement());
  }
}
