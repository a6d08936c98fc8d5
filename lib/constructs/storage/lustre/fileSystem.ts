import { ArnFormat, Aws, Names, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as fsx from 'aws-cdk-lib/aws-fsx';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct, IDependable } from 'constructs';
import { requireThat } from '../../../common/configurationError';
import { LUSTRE_MOUNT_OPTIONS } from '../../../storage/common/lustre';
import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration } from '../../../storage/lustre/configuration';
import { metadataIopsOf } from '../../../storage/lustre/documented';
import { efaViolation } from '../../../storage/lustre/prediction';
import { isLinked } from '../../../storage/lustre/rule/repositories';
import { isScratch } from '../../../storage/lustre/rule/type';
import { validateLustre } from '../../../storage/lustre/rules';
import { stackDigits, warn } from '../../common';
import type { MountableStorage, MountValues, SharedStorage } from '../construct';
import { ForeignLustre, type ILustreFileSystem, type LustreFileSystemAttributes, PublishingLustre } from './metrics';
import { lustrePorts, refuseAllOutbound, refuseTokens, rulesAmong, rulesOf } from './ports';

/** The properties of a configuration as CloudFormation has them. @param logGroup gets the events, if they are logged */
function lustreProperties(
  configuration: LustreConfiguration,
  logGroup: logs.ILogGroup | undefined,
): fsx.CfnFileSystem.LustreConfigurationProperty {
  const { metadata, backups, s3Link, dataReadCache, logLevel } = configuration;
  return {
    deploymentType: configuration.deploymentType,
    perUnitStorageThroughput: configuration.perUnitStorageThroughput,
    throughputCapacity: configuration.throughputCapacity,
    dataCompressionType: configuration.dataCompressionType ?? 'NONE',
    metadataConfiguration: metadata && {
      mode: metadata.mode,
      iops: metadata.mode === 'USER_PROVISIONED' ? metadata.iops : undefined,
    },
    // Left out rather than false: the property belongs to PERSISTENT_2.
    efaEnabled: configuration.efaEnabled || undefined,
    driveCacheType: configuration.driveCacheType,
    dataReadCacheConfiguration: dataReadCache && {
      sizingMode: dataReadCache.sizingMode,
      sizeGiB: dataReadCache.sizingMode === 'USER_PROVISIONED' ? dataReadCache.sizeGiB : undefined,
    },
    importPath: s3Link?.importPath,
    exportPath: s3Link?.exportPath,
    autoImportPolicy: s3Link?.autoImportPolicy,
    importedFileChunkSize: s3Link?.importedFileChunkSizeMiB,
    automaticBackupRetentionDays: backupDays(configuration),
    dailyAutomaticBackupStartTime: backups?.dailyStartTime,
    copyTagsToBackups: backups?.copyTags,
    weeklyMaintenanceStartTime: configuration.weeklyMaintenanceStartTime,
    logConfiguration:
      logLevel === undefined ? undefined : { level: logLevel, destination: logGroup && destinationOf(logGroup) },
  };
}

/** 0 where backups are possible and not wanted: AWS's pages name both 0 and 30 days as what the service would choose. */
function backupDays(configuration: LustreConfiguration): number | undefined {
  if (isScratch(configuration.deploymentType) || isLinked(configuration)) return undefined;
  return configuration.backups?.retentionDays ?? 0;
}

/** The ARN of the group itself; its attribute `Arn` means the streams in it and ends in `:*`. */
const destinationOf = (logGroup: logs.ILogGroup): string =>
  Stack.of(logGroup).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: logGroup.logGroupName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** Place, configuration and life of a file system. */
export interface LustreFileSystemProps {
  readonly vpc: ec2.IVpc;
  /** Every kind of file system lives in exactly one subnet. */
  readonly subnet: ec2.ISubnet;
  /** Configuration of the file system, checked against all of AWS's known rules. */
  readonly configuration: LustreConfiguration;
  /** Gets rules; with EFA it needs `allowAllOutbound: false`. @default - its own group that lets nothing in or out but Lustre */
  readonly securityGroup?: ec2.ISecurityGroup;
  /**
   * IPv4 range of clients outside the subnet, such as `vpc.vpcCidrBlock`, with billed traffic between zones. Not with EFA, whose clients are in the
   * subnet (LustreGuide, efa-file-systems). @default - clients of the subnet only
   */
  readonly clientRange?: string;
  /** Key of persistent file systems: scratch ones always use the key of the service (FSx API reference, KmsKeyId). @default - the key of the service */
  readonly kmsKey?: kms.IKey;
  /**
   * Removal policy of the file system, its log group and its own security group when they leave the stack: `RETAIN`,
   * `RETAIN_ON_UPDATE_OR_DELETE` or `DESTROY`. FSx makes a final backup of a Lustre file system only on request
   * (API reference, DeleteFileSystemLustreConfiguration), and CloudFormation does not request it. A retained file system continues to incur charges,
   * and its subnet cannot be deleted. With `RETAIN`, CloudFormation also leaves a file system that it made in a failed deployment.
   * @default RETAIN_ON_UPDATE_OR_DELETE
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * An FSx for Lustre file system. CDK's own construct has no metadata configuration, EFA, Intelligent-Tiering, read cache,
 * logging or data repositories, and does not reject most of what AWS refuses.
 *
 * To compare two configurations, create two of these with different ids: AWS updates some properties in
 * place, replaces the file system for others, and its documents disagree about which.
 */
export class LustreFileSystem extends PublishingLustre implements MountableStorage, ec2.IConnectable {
  readonly kind = 'lustre';
  readonly vpc: ec2.IVpc;
  readonly subnet: ec2.ISubnet;
  readonly fileSystemId: string;
  /** Name that clients inside the VPC resolve. */
  readonly dnsName: string;
  /** Path after the colon in a mount command: `<dnsName>@tcp:/<mountName>`. */
  readonly mountName: string;
  readonly configuration: LustreConfiguration;
  readonly metadataIops: number | null;
  readonly connections: ec2.Connections;
  /** Log group of the data repositories' events, when they are logged. */
  readonly logGroup?: logs.ILogGroup;
  private readonly resource: fsx.CfnFileSystem;
  /** The other side of every rule where groups need not be named: AWS allows the group itself, or the range of the subnet. */
  private readonly subnetRange: ec2.IPeer | undefined;

  /** A file system that exists already: for dashboards, alarms and metrics. */
  static fromFileSystemAttributes(
    scope: Construct,
    id: string,
    attributes: LustreFileSystemAttributes,
  ): ILustreFileSystem {
    return new ForeignLustre(scope, id, attributes);
  }

  /** @throws Error with everything that AWS would refuse, each with its value and what is allowed */
  constructor(scope: Construct, id: string, props: LustreFileSystemProps) {
    super(scope, id);
    const { vpc, subnet, configuration, securityGroup, clientRange, kmsKey } = props;
    const { removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE } = props;
    checkRemoval(removalPolicy);
    refuseTokens(configuration);
    checkKey(configuration, kmsKey);
    const warnings = validateLustre(configuration);
    const { logLevel = 'DISABLED', efaEnabled = false } = configuration;

    const group = securityGroup ?? this.ownGroup(vpc, removalPolicy);
    const logGroup = logLevel === 'DISABLED' ? undefined : this.ownLogGroup(removalPolicy);
    const resource = new fsx.CfnFileSystem(this, 'Resource', {
      fileSystemType: 'LUSTRE',
      fileSystemTypeVersion: configuration.version ?? DEFAULT_LUSTRE_VERSION,
      storageType: configuration.storageType ?? 'SSD',
      storageCapacity: configuration.storageCapacityGiB,
      subnetIds: [subnet.subnetId],
      securityGroupIds: [group.securityGroupId],
      kmsKeyId: kmsKey?.keyArn,
      lustreConfiguration: lustreProperties(configuration, logGroup),
    });
    resource.applyRemovalPolicy(removalPolicy);
    // FSx checks the rules when it creates a file system, and refuses one whose group does not yet let Lustre pass. Rules that
    // name a group are separate resources, and nothing else creates them first (aws/aws-parallelcluster#6181, #6342).
    resource.node.addDependency(rulesOf(group));

    this.vpc = vpc;
    this.subnet = subnet;
    this.resource = resource;
    this.subnetRange = efaEnabled ? undefined : ec2.Peer.ipv4(subnet.ipv4CidrBlock);
    this.configuration = configuration;
    this.metadataIops = metadataIopsOf(configuration);
    this.fileSystemId = resource.ref;
    // Assembled: the template reference describes the attribute DNSName for Windows file systems only.
    this.dnsName = `${this.fileSystemId}.fsx.${Stack.of(this).region}.${Aws.URL_SUFFIX}`;
    this.mountName = resource.attrLustreMountName;
    this.logGroup = logGroup;
    this.connections = new ec2.Connections({ securityGroups: [group] });
    this.allowItself(group);
    if (clientRange !== undefined) this.allowRange(group, clientRange);
    // At this point they are those by which the servers reach one another; rules for clients go with the clients.
    if (securityGroup === undefined && removalPolicy !== RemovalPolicy.DESTROY)
      for (const rule of rulesAmong(group)) rule.applyRemovalPolicy(removalPolicy);
    this.linkRepositories(configuration, removalPolicy);
    warn(this, warnings);
  }

  /**
   * Lets clients of the same subnet, or of `clientRange`, mount the file system: Lustre's ports both ways or, with EFA, all traffic between the groups.
   * Lustre does not use IAM permissions: whoever reaches the servers can mount, and files have owners and modes as on any Linux.
   *
   * @param settled for EFA only: the rules that name groups are added to these, and FSx need not see them at once
   * @throws Error when EFA is on and a group of the clients allows all outbound traffic
   */
  grantMount(clients: ec2.IConnectable, settled?: IDependable): void {
    const { subnetRange } = this;
    if (subnetRange === undefined) {
      this.allowEfaClients(clients);
      if (settled !== undefined) this.createAfter(settled);
      return;
    }
    // The group of the file system lets its clients in and out already. Its servers call their clients too, to take back locks for one.
    for (const port of lustrePorts(false)) {
      clients.connections.allowFrom(subnetRange, port, 'Lustre in the subnet');
      clients.connections.allowTo(subnetRange, port, 'Lustre in the subnet');
    }
  }

  readonly efaViolation: MountableStorage['efaViolation'] = (type) =>
    this.configuration.efaEnabled
      ? efaViolation(type)
      : {
          property: 'efa',
          must: `false with ${this.node.path}, which was made without EFA`,
          got: true,
          next: "Set 'efaEnabled' in its configuration.",
        };

  get resourceId(): string {
    return this.fileSystemId;
  }

  get sharedStorage(): SharedStorage {
    return { StorageType: 'FsxLustre', FsxLustreSettings: { FileSystemId: this.fileSystemId } };
  }

  /** Values with which the mount script of a client is called. */
  mountValues(): MountValues {
    const { dnsName, mountName, configuration } = this;
    const { stripeCount = -1 } = configuration;
    return { dnsName, mountName, mountOptions: LUSTRE_MOUNT_OPTIONS, stripeCount };
  }

  /**
   * Commands for the user data of a client of Amazon Linux 2023, run as root: they install the Lustre client, mount the file system, and have
   * it mounted after a reboot. The client must be let in ({@link grantMount}).
   *
   * @param mountPoint absolute path of the folder, which is made
   * @throws Error when it is not one
   */
  mountCommands(mountPoint = '/fsx'): string[] {
    if (!/^(?:\/[A-Za-z0-9._-]+)+$/.test(mountPoint))
      throw new Error(`'mountPoint' must be an absolute path of letters, digits and ._-/, got ${mountPoint}`);
    const source = `${this.dnsName}@tcp:/${this.mountName}`;
    // Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/mount-fs-auto-mount-onreboot.html.
    const atBoot = `defaults,${LUSTRE_MOUNT_OPTIONS},_netdev,x-systemd.automount,x-systemd.requires=systemd-networkd-wait-online.service`;
    return [
      'dnf install -y lustre-client',
      `mkdir -p ${mountPoint}`,
      `echo '${source} ${mountPoint} lustre ${atBoot} 0 0' >> /etc/fstab`,
      `mount -t lustre -o ${LUSTRE_MOUNT_OPTIONS} ${source} ${mountPoint}`,
    ];
  }

  /** Has the file system created only after something else is there. @param others must not need the file system */
  createAfter(...others: IDependable[]): void {
    this.resource.node.addDependency(...others);
  }

  private allowEfaClients(clients: ec2.IConnectable): void {
    for (const group of clients.connections.securityGroups) {
      refuseAllOutbound(group, 'the client group');
      this.createAfter(rulesOf(group));
    }
    for (const port of lustrePorts(true)) {
      this.connections.allowFrom(clients, port, 'Lustre from clients');
      this.connections.allowTo(clients, port, 'Lustre to clients');
    }
  }

  private ownGroup(vpc: ec2.IVpc, removalPolicy: RemovalPolicy): ec2.SecurityGroup {
    // With `allowAllOutbound`, CDK would drop the outbound rules that name a group, and EFA wants nothing else.
    const group = new ec2.SecurityGroup(this, 'Group', { vpc, description: 'FSx for Lustre', allowAllOutbound: false });
    // EC2 refuses to delete the group of a file system that stays.
    if (removalPolicy !== RemovalPolicy.DESTROY) group.applyRemovalPolicy(removalPolicy);
    return group;
  }

  private allowItself(group: ec2.ISecurityGroup): void {
    const { subnetRange } = this;
    if (subnetRange === undefined) refuseAllOutbound(group, "'securityGroup'");
    // A range can stand in the group itself, which is then complete as soon as it is there; a rule that names the group cannot.
    const peer = subnetRange ?? group;
    const description = subnetRange === undefined ? 'Lustre between servers' : 'Lustre in the subnet';
    this.open(group, peer, [description, description]);
  }

  private allowRange(group: ec2.ISecurityGroup, range: string): void {
    if (this.subnetRange === undefined)
      throw new Error(`'clientRange' cannot be combined with EFA, whose rules name groups, got ${range}`);
    this.open(group, ec2.Peer.ipv4(range), ['Lustre from clients', 'Lustre to clients']);
  }

  private open(group: ec2.ISecurityGroup, peer: ec2.IPeer, [from, to]: readonly [string, string]): void {
    for (const port of lustrePorts(this.subnetRange === undefined)) {
      group.addIngressRule(peer, port, from);
      if (!group.allowAllOutbound) group.addEgressRule(peer, port, to);
    }
  }

  /**
   * FSx writes only to groups whose name begins with /aws/fsx, so CloudFormation cannot choose this name. A group that stays would block
   * the next stack of this name, and a second attempt after a failed creation, so the name has digits of the stack's id.
   */
  private ownLogGroup(removalPolicy: RemovalPolicy): logs.LogGroup {
    const name = Names.uniqueResourceName(this, { maxLength: 200, separator: '-' });
    return new logs.LogGroup(this, 'Logs', {
      logGroupName: `/aws/fsx/${name}-${stackDigits()}`,
      retention: logs.RetentionDays.ONE_MONTH,
      // The log is about files that stay or are deleted with the file system.
      removalPolicy,
    });
  }

  private linkRepositories({ dataRepositories = [] }: LustreConfiguration, removalPolicy: RemovalPolicy): void {
    for (const repository of dataRepositories) {
      const { fileSystemPath, dataRepositoryPath, autoImport, autoExport } = repository;
      // The id comes from the directory, so adding one link does not replace the others. /a/b and /a-b would have the same one.
      const id = `Repository${fileSystemPath}`.replaceAll('/', '-');
      const association = new fsx.CfnDataRepositoryAssociation(
        this,
        this.node.tryFindChild(id) === undefined ? id : `Repository${encodeURIComponent(fileSystemPath)}`,
        {
          fileSystemId: this.fileSystemId,
          fileSystemPath,
          dataRepositoryPath,
          batchImportMetaDataOnCreate: repository.importMetadataOnCreate,
          importedFileChunkSize: repository.importedFileChunkSizeMiB,
          s3:
            autoImport || autoExport
              ? {
                  autoImportPolicy: autoImport && { events: [...autoImport] },
                  autoExportPolicy: autoExport && { events: [...autoExport] },
                }
              : undefined,
        },
      );
      association.applyRemovalPolicy(removalPolicy);
    }
  }
}

/** @throws ConfigurationError for a type that cannot be encrypted with a key of the account */
export function checkKey(
  { deploymentType }: LustreConfiguration,
  key: kms.IKey | undefined,
  { name, next } = { name: 'kmsKey', next: 'Use a persistent type.' },
): void {
  const conflict = `${deploymentType}: FSx encrypts it with a key of the service only`;
  requireThat(key === undefined || !isScratch(deploymentType), name, { conflict }, key?.keyArn, next);
}

/** @throws Error for a policy that FSx has nothing for */
function checkRemoval(policy: RemovalPolicy): void {
  const allowed = [RemovalPolicy.RETAIN, RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, RemovalPolicy.DESTROY];
  if (allowed.includes(policy)) return;
  throw new Error(
    `'removalPolicy' must be ${allowed.join(', ')}, got ${policy}: CloudFormation cannot make a snapshot of a file system; set 'backups' in the configuration for daily backups`,
  );
}
