import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../common/aws/launch';
import type { FleetConfiguration } from './fleet';
import { isArm } from './offerings';

/** Kernel that machines boot by default. */
export const DEFAULT_KERNEL = '6.1';

export const architectureOf = (instanceType: string): string => (isArm(instanceType) ? 'arm64' : 'x86_64');

/** The public parameter with the id of the newest Amazon Linux 2023 for a type. Source: https://docs.aws.amazon.com/linux/al2023/ug/ec2.html */
export const imageParameter = (kernel: string, instanceType: string): string =>
  `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-${kernel}-${architectureOf(instanceType)}`;

/** The image of a fleet's clients, unless a service has its own. */
export const clientImage = ({ image, kernel, instanceType }: FleetConfiguration): LaunchImage =>
  image === undefined ? { parameter: imageParameter(kernel, instanceType) } : { id: image };

/**
 * The machine that builds what the clients run: of their type, but always on demand. It signals a minute before it ends, so that for a
 * while it is there next to them.
 */
export const builderLaunch = (fleet: FleetConfiguration): InstanceLaunch => ({
  name: 'builder',
  instanceType: fleet.instanceType,
  settings: { instanceType: 'instanceType', image: 'image' },
  count: 1,
  purchase: ON_DEMAND,
  image: clientImage(fleet),
  volumesGiB: [fleet.rootVolumeGiB],
  passing: true,
});
