import { inLab } from '../../run/deployed';
import type { WaitOptions } from '../../scale/wait';
import { Refusal } from '../../storage/lustre/state';
import { type CliContext, UsageError } from '../context';

/** Options of all `scale` commands. */
export interface CommonOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Options of a wait for a change: polling interval in seconds, and progress on stderr. */
export const waitOptions = (context: CliContext): WaitOptions => ({
  everySeconds: inLab(context.environment) ? 0.2 : undefined,
  onProgress: (message) => context.err(`${message}\n`),
});

/** Turns refusals into usage errors. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(error.message);
    throw error;
  }
}

/** Seconds that some work takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = Date.now();
  await work();
  return (Date.now() - started) / 1000;
}
