import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../kit/aws/launch';
import type { FleetConfiguration } from './fleet';
import { imageParameter } from './image';

/** The image of a fleet's clients, unless a service has its own. */
export const clientImage = ({ image, kernel, instanceType }: FleetConfiguration): LaunchImage =>
  image === undefined ? { parameter: imageParameter(kernel, instanceType) } : { id: image };

/**
 * The machine that builds what the clients run: of their type, but always on demand. It signals a minute before it ends, so that for a
 * while it is there beside them.
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
