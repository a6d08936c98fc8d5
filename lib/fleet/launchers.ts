import { memberBy } from '../common/collections';
import type { ClientConfig } from '../schema/client';
import { thisMachine } from './common/thisMachine';
import type { StandingFleet } from './fleet';
import type { Launcher } from './launcher';
import { FLEETS, STANDING_FLEETS } from './registry';

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
