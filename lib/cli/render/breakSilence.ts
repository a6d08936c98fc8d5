import type { CliContext } from '../context';

/** More than the silence that a command breaks itself, with better words. */
const SILENCE_MS = 8500;

/** The same context, in which silence is broken on stderr with the name of the command until `stop`. Work that blocks the process stays silent. */
export function breakSilence(
  world: CliContext,
  name: string,
): { readonly context: CliContext; readonly stop: () => void } {
  const since = Date.now();
  const timer = setInterval(
    () => world.err(`${name}: still at work … ${Math.round((Date.now() - since) / 1000)} s\n`),
    SILENCE_MS,
  );
  // It keeps no process alive.
  timer.unref();
  const heard = (write: (text: string) => void) => (text: string) => {
    timer.refresh();
    write(text);
  };
  const stop = () => clearInterval(timer);
  return { context: { ...world, out: heard(world.out), err: heard(world.err), unwatched: stop }, stop };
}
