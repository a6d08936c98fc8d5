import { type CliContext, Unsuccessful } from '../context';

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

/** Works until done or interrupted by Ctrl-C. @param after called at any end, uninterrupted, with a promise that settles once the work has stopped */
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
