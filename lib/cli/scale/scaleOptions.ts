import { amount, wholeFrom } from '../../common/field';
import { durationsIn } from '../../common/quantity';
import { inLab } from '../../run/deployed';
import type { WaitOptions } from '../../scale/wait';
import { Refusal } from '../../storage/lustre/state';
import { type CliContext, UsageError } from '../context';
import { quantity } from '../input/quantity';

/** Options of all `scale` commands. */
export interface CommonOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly timeout: string;
  readonly json?: boolean;
}

/** Seconds; minutes without a unit. */
const TIMEOUT = amount('minutes or a duration from 1m to 30d, such as 120 or 2h', {
  min: 60,
  max: 30 * 86_400,
  units: durationsIn(1, 60),
});

/** A number of things that are counted. */
export const COUNT = wholeFrom(1);

/** Reads the options of waiting for a change. */
export const waitOptions = (context: CliContext, { timeout }: CommonOptions): WaitOptions => ({
  timeoutSeconds: quantity('--timeout', timeout, TIMEOUT) as number,
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
