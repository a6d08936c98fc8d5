import type { ClientConfig } from '../schema/client';
import { thisMachine } from './kit/thisMachine';
import type { Launcher } from './launcher';
import { FLEETS } from './registry';

/** Launchers of all fleets, and that of this machine. */
const LAUNCHERS: readonly Launcher[] = [...FLEETS.map(({ launcher }) => launcher), thisMachine];

/** Finds the launcher for the clients that a configuration describes. @throws Error naming the known launchers */
export function launcherOf({ launch }: Pick<ClientConfig, 'launch'>): Launcher {
  const found = LAUNCHERS.find(({ name }) => name === launch);
  if (found !== undefined) return found;
  const known = LAUNCHERS.map(({ name }) => name).join(', ');
  throw new Error(
    `'launch' in client.json must be one of ${known}, got '${launch}': deploy the fleet with this release`,
  );
}
