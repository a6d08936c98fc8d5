import { Duration, Lazy, Stack, Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import { Construct, type IDependable } from 'constructs';
import { checked } from '../../../deploy/checked';
import { PublishingStorage } from '../../../deploy/dashboard/publishing';
import { bundleAsset } from '../../../deploy/machine/bundle';
import { encryptedGp3, newestImage, signallingInstance } from '../../../deploy/machine/instance';
import { allow, bundleStatement, instanceRole } from '../../../deploy/machine/role';
import { machineUserData } from '../../../deploy/machine/userData';
import { DEFAULT_KERNEL } from '../../../fleet/image';
import type { MountValues, StorageConstruct } from '../../construct';
import { gp3Of } from '../../kit/gp3';
import { type MooseFsStorage, ROOT_GIB, resolved, volumeOf } from '../configuration';
import { MOOSEFS_METRICS, MOOSEFS_NAMESPACE } from '../metricTable';
import { checkMooseFs } from '../rules';

/** The master listens to clients here, chunkservers on the next; between the servers the two below are used as well (mfsmaster.cfg). */
const FIRST_PORT = 9419;
const CLIENT_PORT = 9421;
const LAST_PORT = 9422;

/**
 * The type by which a mount is known, and an end to waiting for a silent server (mfsmount(8)). It does not hold in each case: a write to a
 * full file system whose chunkserver was killed waited for nine minutes and more, so that the driver looks after itself (lib/run/answering.ts).
 */
const MOUNT_OPTIONS = 'subtype=mfs,mfstimeout=300';

/** Packages, one and a half minutes of a processor for the build, volumes. */
const BOOT_TIMEOUT = Duration.minutes(20);

const REASON =
  'It lives as long as the benchmark and holds data that can be written again; MooseFS says itself how busy it is.';

export interface MooseFsProps {
  readonly vpc: ec2.IVpc;
  /** Where the clients are. */
  readonly subnet: ec2.ISubnet;
  readonly egress: IDependable;
  readonly configuration: MooseFsStorage;
}

/** A master and chunkservers, each of which builds its release, joins, and only then counts as made. */
export class MooseFsServers extends PublishingStorage implements StorageConstruct {
  protected readonly published = MOOSEFS_METRICS;
  readonly configuration: MooseFsStorage;
  private readonly master: ec2.CfnInstance;
  private readonly group: ec2.SecurityGroup;
  private readonly props: MooseFsProps;
  private readonly bundle: assets.Asset;

  constructor(scope: Construct, id: string, props: MooseFsProps) {
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

  allowClients(clients: ec2.IConnectable): void {
    this.group.connections.allowFrom(clients, ec2.Port.tcpRange(CLIENT_PORT, LAST_PORT), 'MooseFS from clients');
  }

  private makeMaster(): ec2.CfnInstance {
    const { masterInstanceType, copies } = resolved(this.configuration);
    const scope = new Construct(this, 'Master');
    const publish = allow('Metrics', ['cloudwatch:PutMetricData'], ['*'], {
      StringEquals: { 'cloudwatch:namespace': MOOSEFS_NAMESPACE },
    });
    const role = instanceRole(scope, 'Master of MooseFS', {
      Bundle: [bundleStatement(this.bundle)],
      Telemetry: [publish],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'cloudwatch:PutMetricData knows no resource; it is narrowed by its namespace.',
    });
    return this.server(scope, {
      what: 'master',
      role,
      instanceType: masterInstanceType,
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
    const scope = new Construct(this, `Chunkserver${index}`);
    // /dev/sdf to /dev/sdp (EC2 user guide, device_naming).
    const devices = Array.from(
      { length: volumesPerServer },
      (_, volume) => `/dev/sd${String.fromCharCode(102 + volume)}`,
    );
    this.server(scope, {
      what: `chunkserver ${index}`,
      role: instanceRole(scope, 'Chunkserver of MooseFS', { Bundle: [bundleStatement(this.bundle)] }),
      instanceType,
      rootVolumeGiB: ROOT_GIB.chunkserver,
      volumes: devices.map((deviceName) => ({
        deviceName,
        volume: encryptedGp3(sizeGiB, { iops, throughput: throughputMiBps, deleteOnTermination: true }),
      })),
      environment: {
        FSXBENCH_MOOSEFS_MASTER: this.master.attrPrivateIp,
        FSXBENCH_MOOSEFS_DEVICES: devices.join(' '),
      },
    });
  }

  private server(
    scope: Construct,
    options: {
      readonly what: string;
      readonly role: ReturnType<typeof instanceRole>;
      readonly instanceType: string;
      readonly rootVolumeGiB: number;
      readonly volumes?: readonly ec2.BlockDevice[];
      readonly environment: Readonly<Record<string, string>>;
    },
  ): ec2.CfnInstance {
    const { what, role, rootVolumeGiB, volumes, environment } = options;
    const { subnet, egress, configuration } = this.props;
    const { region, stackName } = Stack.of(this);
    const instanceType = new ec2.InstanceType(options.instanceType);
    const instance: ec2.CfnInstance = signallingInstance(scope, {
      ...{ subnet, instanceType, role, rootVolumeGiB },
      ...(volumes && { volumes }),
      name: `${stackName} MooseFS ${what}`,
      image: newestImage(instanceType, DEFAULT_KERNEL),
      group: this.group,
      bootTimeout: BOOT_TIMEOUT,
      reason: REASON,
      userData: machineUserData({
        FSXBENCH_BOOT: 'storage/moosefs/server/boot',
        FSXBENCH_BUNDLE_URL: this.bundle.s3ObjectUrl,
        FSXBENCH_REGION: region,
        FSXBENCH_STACK: stackName,
        FSXBENCH_SIGNAL_RESOURCE: Lazy.string({ produce: () => instance.logicalId }),
        // Less than CloudFormation waits, so that the reason of a slow boot arrives before the deployment times out.
        FSXBENCH_BOOT_SECONDS: String(BOOT_TIMEOUT.minus(Duration.minutes(5)).toSeconds()),
        FSXBENCH_ENGINE: resolved(configuration).engine,
        FSXBENCH_MOOSEFS_ROLE: what.split(' ')[0] as string,
        ...environment,
      }),
    });
    // Rules and routes are there before it boots.
    instance.node.addDependency(role, this.group, egress);
    return instance;
  }
}
