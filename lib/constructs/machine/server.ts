import { type Duration, Lazy, Stack, Tags, Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as assets from 'aws-cdk-lib/aws-s3-assets';
import type { Construct, IDependable } from 'constructs';
import { imageParameter } from '../../fleet/configuration';
import { instanceType as instanceTypeInfo } from '../../fleet/instanceTypes';
import { BootSignals } from './bootSignals';
import { acknowledgeServerWildcards, serverStatements } from './permissions';
import { instanceRole } from './role';
import { bootSeconds, machineUserData } from './userData';

/** Launch defaults of each machine: metadata by token only, an encrypted root volume. */
export const launchDefaults = (instanceType: ec2.InstanceType, rootVolumeGiB: number, deviceName = '/dev/xvda') =>
  ({
    requireImdsv2: true,
    httpPutResponseHopLimit: 1,
    // EC2 launches no t2 with it. Those whose bandwidth to EBS is known have it, and a newer type has it unasked.
    ebsOptimized: instanceTypeInfo(instanceType.toString()) === null ? undefined : true,
    blockDevices: [{ deviceName, volume: encryptedGp3(rootVolumeGiB) }],
  }) satisfies ec2.LaunchTemplateProps;

export const encryptedGp3 = (sizeGiB: number, options: ec2.EbsDeviceOptions = {}): ec2.BlockDeviceVolume =>
  ec2.BlockDeviceVolume.ebs(sizeGiB, { ...options, encrypted: true, volumeType: ec2.EbsDeviceVolumeType.GP3 });

/** An image of which the id is known, or the parameter that holds it when a machine is launched. */
export const imageOf = (imageId: string): ec2.IMachineImage => ({
  getImage: () => ({ imageId, osType: ec2.OperatingSystemType.LINUX, userData: ec2.UserData.forLinux() }),
});

/** The newest Amazon Linux 2023 for a type, resolved when a machine is launched (docs/decisions/newest-image.md). */
export const newestImage = (instanceType: ec2.InstanceType, kernel: string): ec2.IMachineImage =>
  ec2.MachineImage.resolveSsmParameterAtLaunch(imageParameter(kernel, instanceType.toString()), {
    os: ec2.OperatingSystemType.LINUX,
  });

interface SignallingInstanceProps {
  /** In the console. */
  readonly name: string;
  readonly subnet: ec2.ISubnet;
  readonly instanceType: ec2.InstanceType;
  readonly image: ec2.IMachineImage;
  readonly role: iam.IRole;
  readonly group: ec2.ISecurityGroup;
  readonly userData: ec2.UserData;
  readonly rootVolumeGiB: number;
  /** Device name of the root volume in the image. @default /dev/xvda, as Amazon Linux does */
  readonly rootDevice?: string;
  /** Next to that of the operating system. @default - none */
  readonly volumes?: readonly ec2.BlockDevice[];
  /** @default stop */
  readonly onShutdown?: ec2.InstanceInitiatedShutdownBehavior;
  /** Time that CloudFormation waits for its signal. */
  readonly bootTimeout: Duration;
  /** Why it neither is protected against termination nor has detailed monitoring. */
  readonly reason: string;
}

/** A single instance, for whose signal CloudFormation waits. Its template holds its boot configuration, so a change replaces the instance. */
export function signallingInstance(scope: Construct, props: SignallingInstanceProps): ec2.CfnInstance {
  const { name, subnet, image, rootVolumeGiB, rootDevice, volumes = [], onShutdown, bootTimeout, reason } = props;
  const { instanceType, role, group, userData } = props;
  const defaults = launchDefaults(instanceType, rootVolumeGiB, rootDevice);
  const template = new ec2.LaunchTemplate(scope, 'Template', {
    ...defaults,
    instanceType,
    machineImage: image,
    role,
    securityGroup: group,
    instanceInitiatedShutdownBehavior: onShutdown,
    blockDevices: [...defaults.blockDevices, ...volumes],
    userData,
  });
  Tags.of(template).add('Name', name);
  const instance = new ec2.CfnInstance(scope, 'Instance', {
    launchTemplate: { launchTemplateId: template.launchTemplateId, version: template.latestVersionNumber },
    subnetId: subnet.subnetId,
  });
  instance.cfnOptions.creationPolicy = { resourceSignal: { count: 1, timeout: bootTimeout.toIsoString() } };
  for (const id of ['AwsSolutions-EC28', 'AwsSolutions-EC29']) Validations.of(instance).acknowledge({ id, reason });
  return instance;
}

export interface ServerProps extends Omit<SignallingInstanceProps, 'role' | 'userData' | 'instanceType'> {
  /** Description of its role, by which docs/security.md knows it. */
  readonly role: string;
  readonly instanceType: string;
  /** The routes out of the subnet. */
  readonly egress: IDependable;
  readonly bundle: assets.Asset;
  /** Log group of the stack, which gets the log of its boot. */
  readonly logGroup: logs.ILogGroup;
  /** Script of the bundle that makes it a server. */
  readonly boot: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Namespace of the metrics that it publishes. @default - it publishes none */
  readonly namespace?: string;
  /** Permissions next to those of every server. @default - nothing */
  readonly statements?: Readonly<Record<string, iam.PolicyStatement[]>>;
  /** Text that user data continues with. @default assets/client/user-data.sh */
  readonly script?: string;
}

/** A server of a storage that runs on machines of ours: its log is in the stack's group, and Session Manager leads to it, as with clients. */
export function serverInstance(scope: Construct, props: ServerProps): ec2.CfnInstance {
  const { role: description, egress, bundle, logGroup, boot, environment, namespace, statements, ...machine } = props;
  const { script, ...rest } = machine;
  const { region, stackName } = Stack.of(scope);
  const role = instanceRole(scope, description, {
    ...serverStatements({ bundle, logGroup, namespace }),
    ...statements,
  });
  acknowledgeServerWildcards(role);
  const instance: ec2.CfnInstance = signallingInstance(scope, {
    ...rest,
    role,
    instanceType: new ec2.InstanceType(rest.instanceType),
    userData: machineUserData(
      {
        FSXBENCH_BOOT: boot,
        FSXBENCH_BUNDLE_URL: bundle.s3ObjectUrl,
        FSXBENCH_REGION: region,
        FSXBENCH_STACK: stackName,
        ...BootSignals.of(scope).environment(1),
        FSXBENCH_SIGNAL_RESOURCE: Lazy.string({ produce: () => instance.logicalId }),
        FSXBENCH_BOOT_SECONDS: bootSeconds(props.bootTimeout),
        FSXBENCH_LOG_GROUP: logGroup.logGroupName,
        ...environment,
      },
      script,
    ),
  });
  // Rules and routes are there before it boots.
  instance.node.addDependency(role, props.group, egress);
  return instance;
}
