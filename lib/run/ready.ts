import { readFileSync } from 'node:fs';
import type { RunFolder } from '../store/folder';
import { type Clients, onEachClient } from './launch';
import { type Execute, failureOf } from './process';
import { type Pause, pauseForReal } from './settle';

/** Between two questions to a client that is not ready. */
const EVERY_SECONDS = 15;
/** A client that takes the place of another boots in minutes where its tools are in the cache; the rest of the fleet costs money meanwhile. */
const MOST_SECONDS = 1200;
/** `check-ready` bounds its own looks at the arms; the run's watcher would think of a longer silence as a driver that died. */
const ANSWER_SECONDS = 150;

/** Whom to ask, and with what. */
interface ReadyOptions {
  readonly clients: Clients;
  readonly folder: RunFolder;
  readonly execute: Execute;
  readonly abort: AbortSignal;
  /** Told who is waited for, after every round. */
  readonly say: (message: string) => Promise<void>;
  /** @default real time */
  readonly pause?: Pause;
}

/**
 * Waits until every client of a fleet has booted and has its arms mounted: an instance is in service, and in the manifest, from its first
 * second on.
 *
 * @returns why they are not ready after 20 minutes, with the next step, or `null`
 */
export async function awaitReady(options: ReadyOptions): Promise<string | null> {
  const { clients, folder, execute, abort, say, pause = pauseForReal } = options;
  if (clients.config.launch === 'local') return null;
  const launches = onEachClient(clients, 'all', [`${clients.config.home}/bin/check-ready`]);
  let open = clients.addresses.map((address, index) => ({ address, argv: launches[index]?.argv ?? [], reason: '' }));
  // The answers count, too: clients that hang would make hours of twenty minutes of pauses.
  for (let seconds = 0; ; seconds += EVERY_SECONDS) {
    const askedAt = performance.now();
    const asked = await Promise.all(
      open.map(async (client) => {
        const outputFile = folder.write(`environment/${client.address}.ready.out`, '');
        const outcome = await execute({ argv: client.argv, outputFile, timeoutSeconds: ANSWER_SECONDS }, abort);
        const failure = failureOf(outcome);
        const said = readFileSync(outputFile, 'utf8').trim().split('\n').at(-1)?.slice(0, 300);
        return { ...client, reason: failure === null ? '' : said || failure };
      }),
    );
    seconds += (performance.now() - askedAt) / 1000;
    open = asked.filter(({ reason }) => reason !== '');
    if (open.length === 0) return null;
    const [first] = open;
    const who = `${open.length} of ${clients.addresses.length} clients are not ready; ${first?.address}: ${first?.reason}`;
    if (abort.aborted || seconds >= MOST_SECONDS)
      return `${who}; look at the log group of the stack, and go on with --resume when they are`;
    await say(`waiting: ${who}`);
    await pause(EVERY_SECONDS, abort);
  }
}
