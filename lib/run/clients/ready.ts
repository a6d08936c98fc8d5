import { readEnd } from '../../common/readEnd';
import { launcherOf } from '../../fleet/launchers';
import { type Pause, pauseForReal } from '../task/settle';
import { type AtClients, onEachClient } from './launch';
import { failureOf } from './process';

/** Seconds between two checks of a client that is not ready. */
const EVERY_SECONDS = 15;
/** Timeout: a replacement client boots in minutes if its tools are cached, and the rest of the fleet costs money meanwhile. */
const MOST_SECONDS = 1200;
/** Exit status of `check-ready` for a client that waiting does not make ready. */
const NEVER = 3;

/** Timeout of `check-ready`, which limits its own checks of the arms; a watcher would take a longer silence for a dead driver. */
const ANSWER_SECONDS = 150;

interface ReadyOptions extends AtClients {
  /** Called after every round with the clients that are not ready. */
  readonly say: (message: string) => Promise<void>;
  /** @default real time */
  readonly pause?: Pause;
}

/**
 * Waits until every client of a fleet has booted and mounted its arms, since an instance is in service, and in the manifest, from its first
 * second on.
 *
 * @returns why they are not ready after 20 minutes, with the next step, or `null`
 */
export async function awaitReady(options: ReadyOptions): Promise<string | null> {
  const { clients, folder, execute, abort, say, pause = pauseForReal } = options;
  const { peers } = launcherOf(clients.config);
  if (peers === undefined || clients.config.boots === false) return null;
  const launches = onEachClient(clients, 'all', [`${clients.config.home}/bin/check-ready`]);
  let open = clients.addresses.map((address, index) => ({
    address,
    argv: launches[index]?.argv ?? [],
    reason: '',
    never: false,
  }));
  // Count the time of the checks as well: with hanging clients, twenty minutes of pauses would become hours.
  for (let seconds = 0; ; seconds += EVERY_SECONDS) {
    const askedAt = performance.now();
    const asked = await Promise.all(
      open.map(async (client) => {
        const outputFile = folder.write(`environment/${client.address}.ready.out`, '');
        const outcome = await execute({ argv: client.argv, outputFile, timeoutSeconds: ANSWER_SECONDS }, abort);
        const failure = failureOf(outcome);
        const lines = readEnd(outputFile).trim().split('\n');
        const error = lines
          .filter((line) => !peers.own?.test(line))
          .at(-1)
          ?.slice(0, 300);
        return { ...client, reason: failure === null ? '' : error || failure, never: outcome.exitStatus === NEVER };
      }),
    );
    seconds += (performance.now() - askedAt) / 1000;
    open = asked.filter(({ reason }) => reason !== '');
    if (open.length === 0) return null;
    const [first] = open;
    const who = `${open.length} of ${clients.addresses.length} clients are not ready; ${first?.address}: ${first?.reason}`;
    const never = open.find((client) => client.never);
    if (never !== undefined) return `${never.address} cannot be measured: ${never.reason}`;
    if (abort.aborted || seconds >= MOST_SECONDS)
      return `${who}; check the stack's log group, and continue with --resume once they are`;
    await say(`waiting: ${who}`);
    await pause(EVERY_SECONDS, abort);
  }
}
