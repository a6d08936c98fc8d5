import { memberBy } from '../common/collections';
import { ec2Fleet } from './ec2';
import type { FleetDefinition, FleetKind, StandingFleet } from './fleet';
import { sshHosts } from './hosts';
import { parallelCluster } from './parallelcluster';
import { slurmNodes } from './slurm';

/** Every kind of fleet; the first is that of benchmarks that name none. A new one is a folder and a line here. */
export const FLEETS: readonly [FleetKind, ...FleetKind[]] = [ec2Fleet, parallelCluster];

/** Every kind of machines that users already have. */
export const STANDING_FLEETS: readonly StandingFleet[] = [slurmNodes, sshHosts];

/** The kind of a fleet. @throws Error for one that is not known here */
export const fleetOf = ({ kind = FLEETS[0].kind }: Pick<FleetDefinition, 'kind'>): FleetKind =>
  memberBy(FLEETS, 'kind', kind, "'kind' of a fleet");
