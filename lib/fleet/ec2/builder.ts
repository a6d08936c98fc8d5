import { Duration, Lazy, Stack, Tags, Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { INetwork } from '../../deploy/network/network';
import type { Fleet } from './fleet';
import { acknowledgeBuilderWildcards, buildCachePrefix, builderStatements, instanceRole } from './permissions';
import { clientUserData } from './userData';

export interface BuilderProps {
  readonly network: INetwork;
  /** Name of the benchmark whose build cache is filled. */
  readonly benchmark: string;
  /** The clients that will run what is built: image and scripts are theirs. */
  readonly fleet: Fleet;
  /** That of the clients: a zone that does not offer it has no fleet either, and what it builds runs there. */
  readonly instanceType: ec2.InstanceType;
  readonly results: s3.IBucket;
  readonly logGroup: logs.ILogGroup;
  readonly iorVersion: string;
  readonly openMpiVersion: string;
  /** @default 30 */
  readonly rootVolumeGiB?: number;
  /** How long CloudFormation waits for the builds. @default 45 minutes */
  readonly bootTimeout?: Duration;
  /** Text that user data continues with. @default assets/client/user-data.sh */
  readonly script?: string;
}

/**
 * One machine that puts Open MPI and IOR into the build cache of its benchmark, as far as they are missing, signals CloudFormation and
 * terminates itself. It alone may write there, since every client runs as root what it finds there (docs/decisions/one-builder.md).
 */
export class Builder extends Construct {
  constructor(scope: Construct, id: string, props: BuilderProps) {
    super(scope, id);
    const {
      network,
      benchmark,
      fleet,
      instanceType,
      results,
      logGroup,
      iorVersion,
      openMpiVersion,
      rootVolumeGiB = 30,
      bootTimeout = Duration.minutes(45),
      script,
    } = props;
    const stack = Stack.of(this);

    const group = new ec2.SecurityGroup(this, 'SecurityGroup', {
      vpc: network.vpc,
      description: 'Builder of what the clients run',
      allowAllOutbound: false,
    });
    group.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS services, packages, sources');

    const permissions = { benchmark, results, bundle: fleet.bundle, logGroup };
    const role = instanceRole(this, 'Builder of what the clients run', builderStatements(this, permissions));
    acknowledgeBuilderWildcards(role, permissions);

    // The whole configuration stands in the template: a change of it makes another builder, never an update of one that is gone.
    const template = new ec2.LaunchTemplate(this, 'Template', {
      instanceType,
      machineImage: {
        getImage: () => ({
          imageId: fleet.imageId,
          osType: ec2.OperatingSystemType.LINUX,
          userData: ec2.UserData.forLinux(),
        }),
      },
      role,
      securityGroup: group,
      requireImdsv2: true,
      httpPutResponseHopLimit: 1,
      ebsOptimized: true,
      instanceInitiatedShutdownBehavior: ec2.InstanceInitiatedShutdownBehavior.TERMINATE,
      blockDevices: [
        {
          deviceName: '/dev/xvda',
          volume: ec2.BlockDeviceVolume.ebs(rootVolumeGiB, {
            encrypted: true,
            volumeType: ec2.EbsDeviceVolumeType.GP3,
          }),
        },
      ],
      userData: clientUserData(
        {
          FSXBENCH_ROLE: 'builder',
          FSXBENCH_BUNDLE_URL: fleet.bundle.s3ObjectUrl,
          FSXBENCH_REGION: stack.region,
          FSXBENCH_STACK: stack.stackName,
          FSXBENCH_SIGNAL_RESOURCE: Lazy.string({ produce: () => instance.logicalId }),
          FSXBENCH_BOOT_SECONDS: String(bootTimeout.minus(Duration.minutes(5)).toSeconds()),
          FSXBENCH_CACHE_URL: results.s3UrlForObject(buildCachePrefix(benchmark)),
          FSXBENCH_IOR_VERSION: iorVersion,
          FSXBENCH_OPENMPI_VERSION: openMpiVersion,
          FSXBENCH_LOG_GROUP: logGroup.logGroupName,
        },
        script,
      ),
    });
    Tags.of(template).add('Name', `${stack.stackName} builder`);

    const instance: ec2.CfnInstance = new ec2.CfnInstance(this, 'Instance', {
      launchTemplate: { launchTemplateId: template.launchTemplateId, version: template.latestVersionNumber },
      subnetId: network.subnet.subnetId,
    });
    instance.cfnOptions.creationPolicy = { resourceSignal: { count: 1, timeout: bootTimeout.toIsoString() } };
    instance.node.addDependency(role, network.egress);
    const minutes = 'It lives for minutes and terminates itself; CloudFormation waits for its signal.';
    Validations.of(instance).acknowledge({ id: 'AwsSolutions-EC28', reason: minutes });
    Validations.of(instance).acknowledge({ id: 'AwsSolutions-EC29', reason: minutes });
  }
}
