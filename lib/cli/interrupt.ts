import { Unsuccessful } from './context';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Works until it is done or interrupted: Ctrl-C abandons whatever is in progress, and what follows cleans up after it without being
 * interrupted itself.
 *
 * @param after called in either case, and after a failure
 */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<void>,
  after: (interrupted: boolean) => Promise<void>,
): Promise<void> {
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort(new Unsuccessful('interrupted'));
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    await Promise.race([work(interrupted.signal), untilAborted(interrupted.signal)]);
  } finally {
    await after(interrupted.signal.aborted);
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
