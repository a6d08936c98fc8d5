import { ec2Fleet } from './ec2';
import type { FleetKind } from './fleet';
import { parallelCluster } from './parallelcluster';

/** Every kind of fleet; the first is that of benchmarks that name none. A new one is a folder and a line here. */
export const FLEETS: readonly [FleetKind, ...FleetKind[]] = [ec2Fleet, parallelCluster];
