import { createHash } from 'node:crypto';
import { Duration, Lazy, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import { Construct, Dependable } from 'constructs';
import { assetPath } from '../../common/files';
import { LUSTRE_MOUNT_OPTIONS, LUSTRE_PORTS } from '../../storage/common/lustre';
import {
  capacityBytes,
  checkLustreZfs,
  hardwareOf,
  type LustreZfsStorage,
  ROOT_GIB,
  resolved,
} from '../../storage/lustre-zfs/configuration';
import { LUSTRE_ZFS_METRICS, LUSTRE_ZFS_NAMESPACE } from '../../storage/lustre-zfs/dashboard';
import { checked } from '../common';
import { PublishingStorage } from '../dashboard/render';
import { almostFull, saturated } from '../dashboard/watch';
import { bundleAsset } from '../machine/bundle';
import { allow } from '../machine/role';
import { imageOf, serverInstance } from '../machine/server';
import { bootScript, CLIENT_SCRIPT } from '../machine/userData';
import type { DeployProps, MountValues, StorageConstruct, StorageDeployment } from './construct';

/** Brings what the first boot of a client takes for granted and other distributions lack. */
const PRELUDE = assetPath('server/prelude.sh');

/** iperf3 (its manual, -p) and fi_pingpong (fi_pingpong(1), -B), which measure the network below Lustre. */
const BASELINE_PORTS = [5201, 47592] as const;

const SSH_PORT = 22;

/** Time for packages, and for the ZFS and Lustre kernel modules, which are built for the running kernel. */
const BOOT_TIMEOUT = Duration.minutes(45);

const REASON =
  'It lives as long as the benchmark, holds data that can be written again, and publishes its own counters.';

type Props = Omit<DeployProps<LustreZfsStorage>, 'smoke'>;

/** The servers of an arm: those that an arm before it has brought into the stack, or new ones. */
function serversOf(scope: Construct, props: Props): LustreZfsServers {
  const id = `LustreZfs${createHash('sha256').update(hardwareOf(props.configuration)).digest('hex').slice(0, 8)}`;
  const found = scope.node.tryFindChild(id);
  return found instanceof LustreZfsServers ? found : new LustreZfsServers(scope, id, props);
}

/** One or more Lustre servers, of which the first has MGS and MDTs, and all have OSTs, on their local NVMe. */
class LustreZfsServers extends Construct {
  /** Id of the first server, which identifies these servers. */
  readonly id: string;
  readonly address: string;
  /** Addresses of the servers without it. */
  readonly otherAddresses: readonly string[];
  /** Name of the parameter with the key by which clients run programs on the servers. */
  readonly keyParameter: string;
  private readonly group: ec2.SecurityGroup;
  private readonly bundle: assets.Asset;
  private readonly props: Props;
  /** `NAME:COMPRESSION:RECORD_KIB` of each file system. */
  private readonly fileSystems: string[] = [];

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { vpc, configuration } = props;
    checked(this, checkLustreZfs(configuration));
    this.props = props;
    this.bundle = bundleAsset(this);
    this.group = this.securityGroup(vpc);
    const key = new ec2.KeyPair(this, 'Key', { type: ec2.KeyPairType.ED25519 });
    this.keyParameter = `/ec2/keypair/${key.keyPairId}`;
    const { servers } = resolved(configuration);
    const first = this.server(0);
    this.id = first.ref;
    this.address = first.attrPrivateIp;
    const others = Array.from({ length: servers - 1 }, (_, index) => this.server(index + 1, first));
    this.otherAddresses = others.map(({ attrPrivateIp }) => attrPrivateIp);
  }

  /** @returns the name of a new file system, which Lustre wants to have at most eight characters */
  add({ compression, recordSizeKiB }: LustreZfsStorage): string {
    const { recordSizeKiB: kib } = resolved({ ...this.props.configuration, ...(recordSizeKiB && { recordSizeKiB }) });
    const name = compression.replace('-', '');
    const known = this.fileSystems.filter((one) => one.split(/[_:]/)[0] === name).length;
    const unique = known === 0 ? name : `${name}_${known + 1}`;
    this.fileSystems.push(`${unique}:${compression}:${kib}`);
    return unique;
  }

  grantMount(clients: ec2.IConnectable): void {
    const ports = LUSTRE_PORTS.map(([first, last]) => ec2.Port.tcpRange(first, last));
    for (const port of ports) this.group.connections.allowFrom(clients, port, 'Lustre from clients');
    // Servers call their clients back.
    for (const port of ports) this.group.connections.allowTo(clients, port, 'Lustre to clients');
    for (const port of [SSH_PORT, ...BASELINE_PORTS])
      this.group.connections.allowFrom(clients, ec2.Port.tcp(port), 'Programs, and baselines of the network');
  }

  /** Lets a machine read the key, of which a server needs the public half. */
  keyStatement(): iam.PolicyStatement {
    const resourceName = this.keyParameter.slice(1);
    return allow(
      // A client reads the keys of several arms.
      `ServerKey${this.node.addr.slice(-8)}`,
      ['ssm:GetParameter'],
      [Stack.of(this).formatArn({ service: 'ssm', resource: 'parameter', resourceName })],
    );
  }

  private securityGroup(vpc: ec2.IVpc): ec2.SecurityGroup {
    const group = new ec2.SecurityGroup(this, 'Group', {
      vpc,
      description: 'Servers of Lustre on ZFS',
      allowAllOutbound: false,
    });
    for (const [first, last] of LUSTRE_PORTS)
      group.connections.allowInternally(ec2.Port.tcpRange(first, last), 'Lustre between servers');
    group.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS services, packages');
    return group;
  }

  private server(index: number, first?: ec2.CfnInstance): ec2.CfnInstance {
    const { subnet, egress, logGroup, configuration } = this.props;
    const { instanceType, raidDisks, offload, build, image } = resolved(configuration);
    const { stackName, stackId } = Stack.of(this);
    const readBuild = (url: string): iam.PolicyStatement => {
      const resource = url.slice('s3://'.length);
      return allow(
        'Build',
        ['s3:GetObject'],
        [Stack.of(this).formatArn({ service: 's3', region: '', account: '', resource })],
      );
    };
    return serverInstance(new Construct(this, `Server${index}`), {
      subnet,
      egress,
      logGroup,
      instanceType,
      rootVolumeGiB: ROOT_GIB,
      role: 'Server of Lustre on ZFS',
      name: `${stackName} Lustre on ZFS ${index}`,
      image: image.startsWith('ami-') ? imageOf(image) : ec2.MachineImage.resolveSsmParameterAtLaunch(image),
      rootDevice: '/dev/sda1',
      group: this.group,
      bundle: this.bundle,
      bootTimeout: BOOT_TIMEOUT,
      reason: REASON,
      namespace: LUSTRE_ZFS_NAMESPACE,
      statements: {
        Key: [this.keyStatement()],
        // Its prelude signals through the AWS CLI.
        Signal: [allow('Signal', ['cloudformation:SignalResource'], [stackId])],
        ...(build && { Build: [readBuild(build.url)] }),
      },
      boot: 'server/bin/boot',
      environment: {
        FSXBENCH_SERVER_INDEX: String(index),
        FSXBENCH_FILE_SYSTEMS: Lazy.string({ produce: () => this.fileSystems.join(' ') }),
        FSXBENCH_RAID_DISKS: String(raidDisks),
        FSXBENCH_OFFLOAD: offload,
        FSXBENCH_KEY_PARAMETER: this.keyParameter,
        FSXBENCH_NETWORK_CIDR: subnet.ipv4CidrBlock,
        FSXBENCH_METRICS_NAMESPACE: LUSTRE_ZFS_NAMESPACE,
        ...(first && { FSXBENCH_MGS: first.attrPrivateIp, FSXBENCH_METRICS_ID: first.ref }),
        ...(build && { FSXBENCH_BUILD_URL: build.url, FSXBENCH_BUILD_SHA256: build.sha256 }),
      },
      script: `${bootScript(PRELUDE)}\n${CLIENT_SCRIPT}`,
    });
  }
}

/** The file system of one arm: datasets with its compression and record size on servers that it may share with other arms. */
class LustreZfsFileSystem extends PublishingStorage implements StorageConstruct {
  protected readonly published = LUSTRE_ZFS_METRICS;
  readonly resourceId: string;
  private readonly mountName: string;

  constructor(
    scope: Construct,
    id: string,
    readonly configuration: LustreZfsStorage,
    private readonly servers: LustreZfsServers,
  ) {
    super(scope, id);
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
      dnsName,
      mountName,
      mountOptions: LUSTRE_MOUNT_OPTIONS,
      keyParameter,
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

/** A Lustre 2.15.8 on ZFS refused writes when its fullest target was at 88 %. */
const LEAST_FREE = 0.12;

/** Lustre on ZFS in templates; its alarms are on the processors that compress, and on the room of the pools. */
export const lustreZfsDeployment: StorageDeployment<LustreZfsStorage, LustreZfsFileSystem> = {
  kind: 'lustre-zfs',
  deploy: (scope, id, { smoke: _, ...props }) =>
    new LustreZfsFileSystem(scope, id, props.configuration, serversOf(scope, props)),
  alarms: (scope, { name, storage }, words) => [
    saturated(scope, `ServerCpu-${name}`, {
      metric: storage.metric('ServerCpu'),
      what: 'server CPU',
      section: 'server-cpu-at-its-limit',
      words,
    }),
    almostFull(scope, `Space-${name}`, {
      metric: storage.metric('FreeBytes'),
      capacityBytes: capacityBytes(storage.configuration) ?? 0,
      minFree: LEAST_FREE,
      words,
    }),
  ],
};
