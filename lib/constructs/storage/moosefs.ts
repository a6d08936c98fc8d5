import { Duration, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import { DEFAULT_KERNEL } from '../../fleet/configuration';
import { gp3Of } from '../../storage/common/ebs';
import { moosefs } from '../../storage/moosefs';
import {
  checkMooseFs,
  MASTER_TYPE,
  type MooseFsStorage,
  ROOT_GIB,
  resolved,
  volumeOf,
} from '../../storage/moosefs/configuration';
import { MOOSEFS_METRICS, MOOSEFS_NAMESPACE } from '../../storage/moosefs/dashboard';
import { checked } from '../common';
import { PublishingStorage } from '../dashboard/render';
import { almostFull, saturated } from '../dashboard/watch';
import { bundleAsset } from '../machine/bundle';
import { encryptedGp3, newestImage, type ServerProps, serverInstance } from '../machine/server';
import type { DeployProps, MountValues, StorageConstruct, StorageDeployment } from './construct';

/** The master listens to clients here, chunkservers on the next; between the servers the two below are used as well (mfsmaster.cfg). */
const FIRST_PORT = 9419;
const CLIENT_PORT = 9421;
const LAST_PORT = 9422;

/**
 * The type that identifies a mount, and a time limit for waiting for a silent server in seconds (mfsmount(8)). The limit does not always hold: a write
 * to a full file system whose chunkserver was killed waited for nine minutes or more, so the driver checks by itself (lib/run/clients/reach.ts).
 */
const MOUNT_OPTIONS = 'subtype=mfs,mfstimeout=300';

/** Packages, one and a half minutes of a processor for the build, volumes. */
const BOOT_TIMEOUT = Duration.minutes(20);

const REASON =
  'It lives as long as the benchmark and holds data that can be written again; MooseFS reports its own load.';

type Props = Omit<DeployProps<MooseFsStorage>, 'smoke'>;

/** A master and chunkservers, each of which builds its release, joins, and only then counts as made. */
export class MooseFsServers extends PublishingStorage implements StorageConstruct {
  protected readonly published = MOOSEFS_METRICS;
  readonly configuration: MooseFsStorage;
  private readonly master: ec2.CfnInstance;
  private readonly group: ec2.SecurityGroup;
  private readonly props: Props;
  private readonly bundle: assets.Asset;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { vpc, configuration } = props;
    checked(this, checkMooseFs(configuration));
    this.configuration = configuration;
    this.props = props;
    this.bundle = bundleAsset(this);
    this.group = new ec2.SecurityGroup(this, 'Group', {
      vpc,
      description: 'Servers of MooseFS',
      allowAllOutbound: false,
    });
    this.group.connections.allowInternally(ec2.Port.tcpRange(FIRST_PORT, LAST_PORT), 'MooseFS between servers');
    this.group.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS services, packages, sources');

    this.master = this.makeMaster();
    for (let index = 0; index < configuration.chunkservers; index++) this.makeChunkserver(index);
  }

  get resourceId(): string {
    return this.master.ref;
  }

  mountValues(): MountValues {
    const { engine, copies } = resolved(this.configuration);
    return { engine, copies, master: this.master.attrPrivateIp, mountOptions: MOUNT_OPTIONS };
  }

  grantMount(clients: ec2.IConnectable): void {
    this.group.connections.allowFrom(clients, ec2.Port.tcpRange(CLIENT_PORT, LAST_PORT), 'MooseFS from clients');
  }

  private makeMaster(): ec2.CfnInstance {
    const { copies } = resolved(this.configuration);
    return this.server(new Construct(this, 'Master'), {
      what: 'master',
      role: 'Master of MooseFS',
      namespace: MOOSEFS_NAMESPACE,
      instanceType: MASTER_TYPE,
      rootVolumeGiB: ROOT_GIB.master,
      environment: {
        FSXBENCH_MOOSEFS_CLIENTS: this.props.subnet.ipv4CidrBlock,
        FSXBENCH_MOOSEFS_NAMESPACE: MOOSEFS_NAMESPACE,
        FSXBENCH_MOOSEFS_COPIES: String(copies),
      },
    });
  }

  private makeChunkserver(index: number): void {
    const { instanceType, volumesPerServer } = resolved(this.configuration);
    const { sizeGiB, iops, throughputMiBps } = gp3Of(volumeOf(this.configuration));
    // /dev/sdf to /dev/sdp (EC2 user guide, device_naming).
    const devices = Array.from(
      { length: volumesPerServer },
      (_, volume) => `/dev/sd${String.fromCharCode(102 + volume)}`,
    );
    this.server(new Construct(this, `Chunkserver${index}`), {
      what: `chunkserver ${index}`,
      role: 'Chunkserver of MooseFS',
      instanceType,
      rootVolumeGiB: ROOT_GIB.chunkserver,
      volumes: devices.map((deviceName) => ({
        deviceName,
        volume: encryptedGp3(sizeGiB, { iops, throughput: throughputMiBps, deleteOnTermination: true }),
      })),
      environment: { FSXBENCH_MOOSEFS_MASTER: this.master.attrPrivateIp, FSXBENCH_MOOSEFS_DEVICES: devices.join(' ') },
    });
  }

  private server(
    scope: Construct,
    options: Pick<ServerProps, 'role' | 'namespace' | 'instanceType' | 'rootVolumeGiB' | 'volumes' | 'environment'> & {
      readonly what: string;
    },
  ): ec2.CfnInstance {
    const { what, environment, ...rest } = options;
    const { subnet, egress, logGroup, configuration } = this.props;
    return serverInstance(scope, {
      subnet,
      egress,
      logGroup,
      ...rest,
      name: `${Stack.of(this).stackName} MooseFS ${what}`,
      image: newestImage(new ec2.InstanceType(rest.instanceType), DEFAULT_KERNEL),
      group: this.group,
      bundle: this.bundle,
      bootTimeout: BOOT_TIMEOUT,
      reason: REASON,
      boot: 'storage/moosefs/server/boot',
      environment: {
        FSXBENCH_ENGINE: resolved(configuration).engine,
        FSXBENCH_MOOSEFS_ROLE: what.split(' ')[0] as string,
        ...environment,
      },
    });
  }
}

/** Chunkservers refuse new chunks soon after (mfschunkserver.cfg, HDD_LEAVE_SPACE_DEFAULT). */
const LEAST_FREE = 0.05;

/** MooseFS in templates; its alarms are on the one thread of the master, and on the room of the chunkservers. */
export const moosefsDeployment: StorageDeployment<MooseFsStorage, MooseFsServers> = {
  kind: 'moosefs',
  deploy: (scope, id, { smoke: _, ...props }) => new MooseFsServers(scope, id, props),
  alarms: (scope, { name, storage }, words) => {
    const { configuration } = storage;
    const capacityBytes = (moosefs.documented.capacityBytes?.(configuration) ?? 0) * (configuration.copies ?? 1);
    return [
      saturated(scope, `Master-${name}`, {
        metric: storage.metric('MasterCpu'),
        what: 'master CPU',
        section: 'server-cpu-at-its-limit',
        words,
      }),
      almostFull(scope, `Space-${name}`, {
        metric: storage.metric('FreeBytes'),
        capacityBytes,
        minFree: LEAST_FREE,
        words,
      }),
    ];
  },
};
