import { memberBy } from '../common/collections';
import type { ClientConfig } from '../schema/client';
import { thisMachine } from './common/thisMachine';
import type { FleetDefinition } from './configuration';
import { ec2Fleet } from './ec2';
import type { FleetKind, StandingFleet } from './fleet';
import { sshHosts } from './hosts';
import type { Launcher } from './launcher';
import { parallelCluster } from './parallelcluster';
import { slurmNodes } from './slurm';

/** Every kind of fleet; the first is that of benchmarks that name none. A new one is a folder and a line here. */
export const FLEETS: readonly [FleetKind, ...FleetKind[]] = [ec2Fleet, parallelCluster];

/** Every kind of machines that users already have. */
export const STANDING_FLEETS: readonly StandingFleet[] = [slurmNodes, sshHosts];

/** The kind of a fleet. @throws Error for one that is not known here */
export const fleetOf = ({ kind = FLEETS[0].kind }: Pick<FleetDefinition, 'kind'>): FleetKind =>
  memberBy(FLEETS, 'kind', kind, "'kind' of a fleet");

const LAUNCHERS: readonly Launcher[] = [
  ...new Set([...FLEETS, ...STANDING_FLEETS].map(({ launcher }) => launcher)),
  thisMachine,
];

/** Finds the launcher for the clients that a configuration describes. @throws Error naming the known launchers */
export const launcherOf = ({ launch }: Pick<ClientConfig, 'launch'>): Launcher =>
  memberBy(LAUNCHERS, 'name', launch, "'launch' in client.json", ': deploy the fleet with this release');

/** The machines that an option of `run --on` asks for. @throws Error for an option of a later release */
export function deployedFleet(option: string): StandingFleet {
  const found = STANDING_FLEETS.find((fleet) => fleet.option === option);
  if (found === undefined)
    throw new Error(`there is no kind of client '${option}' in this release: use the release that started the run`);
  return found;
}
