import { createInterface } from 'node:readline/promises';
import { type CliContext, Unsuccessful, UsageError } from '../context';

/** Signals that ask a process to end. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Gives some work a signal that the first of these aborts; a second one ends the process at once. */
export async function abortable<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: readonly (typeof SIGNALS)[number][] = SIGNALS,
): Promise<T> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(abort.signal);
  } finally {
    for (const signal of signals) process.removeListener(signal, stop);
  }
}

/**
 * Works until it is done or interrupted: Ctrl-C abandons whatever is in progress, and what follows cleans up after it without being
 * interrupted itself.
 *
 * @param work to end at its next step once the signal is aborted
 * @param after called in either case, and after a failure, with what settles once nothing of the work continues
 */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<void>,
  after: (interrupted: boolean, settled: Promise<void>) => Promise<void>,
): Promise<void> {
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort(new Unsuccessful('interrupted'));
  for (const signal of SIGNALS) process.on(signal, stop);
  const working = work(interrupted.signal);
  try {
    await Promise.race([working, untilAborted(interrupted.signal)]);
  } finally {
    await after(
      interrupted.signal.aborted,
      working.catch(() => {}),
    );
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}

/** A context whose work says nothing more once it is aborted, whichever way it prints. */
export function silencedBy(signal: AbortSignal, context: CliContext): CliContext {
  const silenced = (print: (text: string) => void) => (text: string) => void (signal.aborted || print(text));
  const { out, err, raw = out, redraw = () => {} } = context;
  return { ...context, out: silenced(out), err: silenced(err), raw: silenced(raw), redraw: silenced(redraw) };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Asks for confirmation of something that costs money or cannot be undone. @throws UsageError without a terminal */
export async function confirm(context: CliContext, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!context.interactive)
    throw new UsageError(`${question} There is no terminal to ask on: add --yes, or check first with --dry-run`);
  if (!/^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())) throw new Unsuccessful('nothing was changed');
}

/** The answer to a question on the terminal; empty where its input has ended. */
export async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
    return await Promise.race([reader.question(question), ended]);
  } finally {
    reader.close();
  }
}
