import { builderLine, instanceLines } from '../../price/instances';
import { builderLaunch, clientImage } from '../builder';
import type { FleetKind } from '../fleet';
import { overSsh } from '../kit/ssh';
import { findClients } from './find';

/** Instances of EC2, all alike, in a group of fixed size. */
export const ec2Fleet: FleetKind = {
  kind: 'ec2',
  launcher: overSsh,
  launches: (fleet) => [
    {
      name: 'clients',
      instanceType: fleet.instanceType,
      settings: { instanceType: 'instanceType', image: 'image' },
      count: fleet.clients,
      purchase: fleet.purchase,
      image: clientImage(fleet),
      volumesGiB: [fleet.rootVolumeGiB],
      startedBy: 'autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling',
    },
    builderLaunch(fleet),
  ],
  find: findClients,
  cost: instanceLines,
  costOnce: ({ instanceType }, region, book) => [builderLine(instanceType, region, book)],
};
