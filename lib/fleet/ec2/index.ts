import type { FleetKind } from '../fleet';
import { builderLine, fleetLines } from './cost';

/** Instances of EC2, all alike, in a group of fixed size. */
export const ec2Fleet: FleetKind = {
  kind: 'ec2',
  cost: fleetLines,
  costOnce: ({ instanceType }, region, book) => [builderLine(instanceType, region, book)],
};
