import type { FleetDefinition } from '../benchmark/benchmark';
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

/** The kind of a fleet. @throws Error for one that is not known here */
export function fleetOf({ kind = FLEETS[0].kind }: Pick<FleetDefinition, 'kind'>): FleetKind {
  const found = FLEETS.find((one) => one.kind === kind);
  if (found !== undefined) return found;
  throw new Error(`'kind' of a fleet must be one of ${FLEETS.map((one) => one.kind).join(', ')}, got '${kind}'`);
}
