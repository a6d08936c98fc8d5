import { builderLine, instanceLines } from '../../cost/instances';
import type { FleetKind } from '../fleet';
import { findClients } from './find';
import { overSsh } from './launcher';

/** Instances of EC2, all alike, in a group of fixed size. */
export const ec2Fleet: FleetKind = {
  kind: 'ec2',
  launcher: overSsh,
  find: findClients,
  cost: instanceLines,
  costOnce: ({ instanceType }, region, book) => [builderLine(instanceType, region, book)],
};
