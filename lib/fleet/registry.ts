import { ec2Fleet } from './ec2';
import type { FleetKind } from './fleet';
import { sshHosts } from './hosts';
import { parallelCluster } from './parallelcluster';
import { slurmNodes } from './slurm';
import type { StandingFleet } from './standing';

/** Every kind of fleet; the first is that of benchmarks that name none. A new one is a folder and a line here. */
export const FLEETS: readonly [FleetKind, ...FleetKind[]] = [ec2Fleet, parallelCluster];

/** Every kind of machines that users already have. */
export const STANDING_FLEETS: readonly StandingFleet[] = [slurmNodes, sshHosts];
