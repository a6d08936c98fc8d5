import { setTimeout as sleep } from 'node:timers/promises';
import guard from './hang-guard.json';

/*
 * How tests wait: for an event, never for as long as some machine took once. The one limit is a guard against what hangs for ever;
 * hang-guard.json holds it for jest, bats and pytest.
 */

/** Milliseconds until a wait counts as hanging; jest ends a test only after twice this time, so this message names the missing event. */
export const HANG_MS = guard.seconds * 1000;

const LOOK_EVERY_MS = 20;

/** Looks until there is something: what `look` gives that is neither `undefined` nor `false`. @throws naming what did not come */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + HANG_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`gave up after ${HANG_MS / 1000} s waiting for ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Milliseconds of CPU time that some work of this process takes: what others do on the machine does not count. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
