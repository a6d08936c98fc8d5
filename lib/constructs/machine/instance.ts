import { type Duration, Tags, Validations } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { imageParameter } from '../../fleet/image';
import { instanceType as instanceTypeInfo } from '../../fleet/instanceTypes';

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

export interface SignallingInstanceProps {
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

/** A single machine, for whose signal CloudFormation waits. What it boots with stands in its own template: a change makes another machine. */
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
