import { Annotations, Lazy, Stack, Tags, Validations } from 'aws-cdk-lib';
import * as autoscaling from 'aws-cdk-lib/aws-autoscaling';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import { Construct, type IDependable } from 'constructs';
import { LIMITS } from '../../../common/aws/services';
import { type Builds, DEFAULT_KERNEL, type Placement, type Purchase } from '../../../fleet/configuration';
import { BootSignals } from '../../machine/bootSignals';
import { bundleAsset } from '../../machine/bundle';
import {
  acknowledgeClientWildcards,
  acknowledgeServerWildcards,
  buildCachePrefix,
  clientStatements,
  serverStatements,
} from '../../machine/permissions';
import { armsText, instanceRole } from '../../machine/role';
import { imageOf, launchDefaults, newestImage } from '../../machine/server';
import { bootSeconds, buildEnvironment, CLIENT_SCRIPT, machineUserData } from '../../machine/userData';
import type { ClientMount, FleetConstruct, INetwork } from '../construct';
import { LaunchGuard } from './launchGuard';
import type { StorageClientsProps } from './storageClients';

/** Software of a benchmark that clients have next to their mounts. */
interface FleetPrograms extends Builds {
  /** Name of the benchmark: below it are the runs that clients write and the builds that they read. */
  readonly benchmark: string;
  /** Bucket for runs and builds. */
  readonly results: s3.IBucket;
}

/** Difference between the clients of a benchmark and those that only mount: rights, inputs of the boot, and traffic among clients. */
interface Duty {
  /** Description of their group and role, for people. */
  readonly description: string;
  readonly statements: Record<string, iam.PolicyStatement[]>;
  /** Variables of the boot, in the order in which user data exports them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ports that clients open to one another over TCP. @default - none */
  readonly between?: { readonly port: ec2.Port; readonly description: string };
  /** Next step if the environment is too long for user data. @default - the one for authors of these scripts */
  readonly shorten?: string;
  /** Tells cdk-nag why the wildcards of the rights are there. */
  acknowledge(role: iam.Role): void;
}

interface Shared {
  readonly bundle: assets.Asset;
  readonly logGroup: logs.ILogGroup;
}

/** Clients that run IOR, mdtest and the driver, and start processes on one another. */
function measuring(scope: Construct, { bundle, logGroup }: Shared, programs: FleetPrograms): Duty {
  const { benchmark, results } = programs;
  // mpirun starts its daemons over ssh; the private half stays in Parameter Store, readable by this fleet alone.
  const key = new ec2.KeyPair(scope, 'Key', { type: ec2.KeyPairType.ED25519 });
  const keyParameter = `/ec2/keypair/${key.keyPairId}`;
  const keyParameterArn = Stack.of(scope).formatArn({
    service: 'ssm',
    resource: 'parameter',
    resourceName: keyParameter.slice(1),
  });
  const permissions = { benchmark, results, bundle, logGroup, keyParameterArn };
  return {
    description: 'Clients of the benchmark',
    statements: clientStatements(permissions),
    environment: {
      FSXBENCH_CACHE_URL: results.s3UrlForObject(buildCachePrefix(benchmark)),
      ...buildEnvironment(programs),
      FSXBENCH_KEY_PARAMETER: keyParameter,
    },
    // MPI listens on ports of the kernel's choice, and starts its daemons over ssh.
    between: { port: ec2.Port.allTcp(), description: 'MPI and ssh between clients' },
    acknowledge: (role) => acknowledgeClientWildcards(role, permissions),
  };
}

/** Clients with mounted and tuned file systems, without benchmark tools. @param setup commands that each runs as root after the mounts */
function mounting(shared: Shared, setup: readonly string[]): Duty {
  return {
    description: 'Clients of the file systems',
    statements: serverStatements(shared),
    environment: { FSXBENCH_ROLE: 'mount', ...(setup.length > 0 && { FSXBENCH_SETUP: setup.join('\n') }) },
    shorten:
      "Shorten 'setup': put the commands into a script, upload that as an Asset (aws-cdk-lib/aws-s3-assets) which the clients may read (grantRead), and have 'setup' fetch and run it.",
    acknowledge: acknowledgeServerWildcards,
  };
}

/** Props that a fleet has no default of. */
type Decided = 'clients' | 'placement' | 'bootTimeout' | 'logGroup';

export interface FleetProps
  extends Omit<StorageClientsProps, 'mounts' | Decided>,
    Required<Pick<StorageClientsProps, Decided>> {
  readonly network: INetwork;
  readonly mounts: readonly ClientMount[];
  /** @default - none: clients have the file systems mounted and tuned, and nothing of a benchmark */
  readonly programs?: FleetPrograms;
}

/**
 * The placement group of each placement: close together, one flow between two clients reaches 10 Gbit/s, and a zone has seven
 * partitions at most (EC2 user guide, placement-strategies). Each has its own id, since a group cannot change its strategy.
 */
const PLACEMENT_GROUPS: Readonly<Record<Placement, ({ readonly id: string } & ec2.PlacementGroupProps) | null>> = {
  cluster: { id: 'PlacementGroup', strategy: ec2.PlacementGroupStrategy.CLUSTER },
  partition: { id: 'PartitionGroup', strategy: ec2.PlacementGroupStrategy.PARTITION, partitions: 7 },
  none: null,
};

/** The clients: an Auto Scaling group of fixed size, next to the file systems. All are alike, so the template is the same for 8 or 800. */
export class Fleet extends Construct implements FleetConstruct {
  readonly connections: ec2.Connections;
  readonly autoScalingGroup: autoscaling.AutoScalingGroup;
  readonly role: iam.Role;
  readonly instanceProfile: iam.InstanceProfile;
  /** Image of the clients: its id, or `resolve:ssm:` and the parameter that holds it when one is launched. */
  readonly imageId: string;
  readonly bundle: assets.Asset;

  constructor(scope: Construct, id: string, props: FleetProps) {
    super(scope, id);
    const { network, programs, setup = [], clients, mounts, logGroup, tuning = 'advised', efa = false } = props;
    const { instanceType, image, kernel = DEFAULT_KERNEL, rootVolumeGiB = 30, bootTimeout, placement } = props;
    const { purchase = { kind: 'on-demand' } } = props;
    const stack = Stack.of(this);

    const bundle = bundleAsset(this);
    this.bundle = bundle;
    const shared = { bundle, logGroup };
    const duty = programs === undefined ? mounting(shared, setup) : measuring(this, shared, programs);
    const group = this.securityGroup(network, efa, duty);
    this.connections = new ec2.Connections({ securityGroups: [group] });
    this.role = instanceRole(this, duty.description, duty.statements);
    duty.acknowledge(this.role);
    this.instanceProfile = new iam.InstanceProfile(this, 'Profile', { role: this.role });

    const boots = BootSignals.of(this);
    const environment = {
      FSXBENCH_BUNDLE_URL: bundle.s3ObjectUrl,
      FSXBENCH_REGION: stack.region,
      FSXBENCH_STACK: stack.stackName,
      ...boots.environment(clients),
      FSXBENCH_SIGNAL_RESOURCE: Lazy.string({ produce: () => this.groupResource().logicalId }),
      FSXBENCH_CLIENTS: String(clients),
      FSXBENCH_BOOT_SECONDS: bootSeconds(bootTimeout),
      FSXBENCH_ARMS: armsText(mounts),
      ...duty.environment,
      // Not that of the VPC, which may have several ranges.
      FSXBENCH_NETWORK_CIDR: network.subnet.ipv4CidrBlock,
      FSXBENCH_LOG_GROUP: logGroup.logGroupName,
      // Defaults of the client scripts are left out.
      ...(tuning !== 'advised' && { FSXBENCH_TUNING: tuning }),
      ...(efa && { FSXBENCH_EFA: 'true' }),
    };
    const userData = machineUserData(environment, CLIENT_SCRIPT, duty.shorten);

    const template = new ec2.LaunchTemplate(this, 'Template', {
      ...launchDefaults(instanceType, rootVolumeGiB),
      instanceType,
      // A template that held the newest image's id would change with each new image, and the next `cdk deploy`, for whatever reason, would
      // replace the clients of a run (docs/decisions/newest-image.md).
      machineImage: image === undefined ? newestImage(instanceType, kernel) : imageOf(image),
      userData,
      instanceProfile: this.instanceProfile,
      securityGroup: group,
      placementGroup: this.placementGroup(purchase, placement),
      detailedMonitoring: true,
      // Auto Scaling accepts one-time requests only, and needs no more: it asks again itself.
      spotOptions: purchase.kind === 'spot' ? { requestType: ec2.SpotRequestType.ONE_TIME } : undefined,
    });
    const launched = template.node.defaultChild as ec2.CfnLaunchTemplate;
    if (efa) {
      // Groups belong to the interface then (EC2 API, CreateLaunchTemplate).
      launched.addPropertyDeletionOverride('LaunchTemplateData.SecurityGroupIds');
      launched.addPropertyOverride('LaunchTemplateData.NetworkInterfaces', [
        { DeviceIndex: 0, NetworkCardIndex: 0, InterfaceType: 'efa', Groups: [group.securityGroupId] },
      ]);
    }
    if (purchase.kind === 'capacity-reservation')
      launched.addPropertyOverride('LaunchTemplateData.CapacityReservationSpecification', {
        CapacityReservationTarget: { CapacityReservationId: purchase.id },
      });
    this.imageId = template.imageId ?? '';

    this.autoScalingGroup = new autoscaling.AutoScalingGroup(this, 'Group', {
      vpc: network.vpc,
      vpcSubnets: { subnets: [network.subnet] },
      launchTemplate: template,
      minCapacity: clients,
      maxCapacity: clients,
      // Every client must have run IOR before the deployment counts as done; one that fails says why and fails all.
      signals: autoscaling.Signals.waitForAll({ timeout: bootTimeout }),
      // A new script replaces as many clients at once as it may: there is no service to keep up, and a half-new fleet measures nothing.
      updatePolicy: autoscaling.UpdatePolicy.rollingUpdate({
        minInstancesInService: 0,
        maxBatchSize: Math.min(clients, LIMITS.updateBatch.max),
        pauseTime: bootTimeout,
        waitOnResourceSignals: true,
      }),
      groupMetrics: [
        new autoscaling.GroupMetrics(
          autoscaling.GroupMetric.IN_SERVICE_INSTANCES,
          autoscaling.GroupMetric.DESIRED_CAPACITY,
        ),
      ],
    });
    // A client that boots before it may read its key or reach its packages fails the deployment.
    const guard = new LaunchGuard(this, 'LaunchGuard', {
      group: this.groupResource().logicalId,
      waitCondition: boots.logicalId,
    });
    this.autoScalingGroup.node.addDependency(this.role, group, network.egress, guard.rule);
    Tags.of(template).add('Name', `${stack.stackName} client`);
    for (const [tag, value] of Object.entries(this.leaders)) Tags.of(template).add(tag, value);
    Validations.of(this.autoScalingGroup).acknowledge({
      id: 'AwsSolutions-AS3',
      reason:
        'The group neither scales nor heals by rule: its size is part of the experiment; the idle alarm watches its cost.',
    });

    if (instanceType.isBurstable())
      Annotations.of(this).addWarningV2(
        'fsxbench:burstableClient',
        `'instanceType' ${instanceType} earns CPU credits, so results depend on the hours before the run; prefer a fixed-performance type such as c5n.large`,
      );
  }

  get metricDimensions() {
    return { AutoScalingGroupName: this.autoScalingGroup.autoScalingGroupName };
  }

  get inService(): cloudwatch.Metric {
    const dimensionsMap = this.metricDimensions;
    return new cloudwatch.Metric({
      namespace: 'AWS/AutoScaling',
      metricName: 'GroupInServiceInstances',
      dimensionsMap,
      statistic: cloudwatch.Stats.MAXIMUM,
    });
  }

  /** Any client may have been the leader of a run. */
  get leaders() {
    return { 'fsxbench:clients-of': Stack.of(this).stackName };
  }

  get found() {
    return { autoScalingGroup: this.autoScalingGroup.autoScalingGroupName };
  }

  /** CloudFormation takes some two minutes for an instance profile. */
  get settled(): IDependable {
    return this.instanceProfile;
  }

  bootAfter(...dependencies: readonly IDependable[]): void {
    this.autoScalingGroup.node.addDependency(...dependencies);
  }

  private groupResource(): autoscaling.CfnAutoScalingGroup {
    return this.autoScalingGroup.node.defaultChild as autoscaling.CfnAutoScalingGroup;
  }

  /** No port is open but between the clients themselves; out go HTTPS and what the file systems are granted. */
  private securityGroup(network: INetwork, efa: boolean, { description, between }: Duty): ec2.SecurityGroup {
    const group = new ec2.SecurityGroup(this, 'SecurityGroup', {
      vpc: network.vpc,
      description,
      allowAllOutbound: false,
    });
    // EFA has no ports: it wants all traffic within the group, both ways (EC2 user guide, efa-start).
    const all = { port: ec2.Port.allTraffic(), description: between?.description ?? 'EFA between clients' };
    const inside = efa ? all : between;
    if (inside !== undefined) group.connections.allowInternally(inside.port, inside.description);
    group.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS services, packages, sources');
    return group;
  }

  private placementGroup(purchase: Purchase, placement: Placement): ec2.IPlacementGroup | undefined {
    if (purchase.kind !== 'capacity-reservation') {
      const group = PLACEMENT_GROUPS[placement];
      return group === null ? undefined : new ec2.PlacementGroup(this, group.id, group);
    }
    if (purchase.placementGroup !== undefined)
      return ec2.PlacementGroup.fromPlacementGroupName(this, 'PlacementGroup', purchase.placementGroup);
    Annotations.of(this).addWarningV2(
      'fsxbench:reservationOutsidePlacementGroup',
      `capacity reservation ${purchase.id} is used without a placement group, so clients may be far from one another; ` +
        "make the reservation in a cluster placement group and name it with 'placementGroup'",
    );
    return undefined;
  }
}
