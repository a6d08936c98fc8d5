import type { CliContext } from '../context';
import { progressLog } from './progressLog';

/** More than the silence that a command breaks itself, with better words. */
const SILENCE_SECONDS = 8.5;

/** The same context, in which silence is broken on stderr with the name of the command until `stop`. Work that blocks the process stays silent. */
export function breakSilence(
  world: CliContext,
  name: string,
): { readonly context: CliContext; readonly stop: () => void } {
  const write = (line: string): void => world.err(`${line}\n`);
  const { heard, stop } = progressLog(write, SILENCE_SECONDS, `${name}: still at work`);
  const listening = (print: (text: string) => void) => (text: string) => {
    heard();
    print(text);
  };
  return { context: { ...world, out: listening(world.out), err: listening(world.err), unwatched: stop }, stop };
}
