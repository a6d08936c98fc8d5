import { explain, isPassing } from './explain';

interface Patience {
  /** Time between two attempts while the network is away. */
  readonly everySeconds: number;
  /** Time for which it may be away. @default 180 */
  readonly mostSeconds?: number;
  /** Called once each time that it goes. */
  readonly onAway: (message: string) => void;
  /** Error for a question that was answered before, and is no more. @default - its own */
  readonly lost?: (error: unknown) => Error;
}

/**
 * A question to AWS that is asked again and again, perhaps for hours. Where the network goes that led to an answer, as when a machine sleeps, it waits for
 * it.
 *
 * @throws the error of a question that was never answered, that is not the network's, or that stays for too long
 */
export function patient<Answer>(
  ask: () => Promise<Answer>,
  { everySeconds, mostSeconds = 180, onAway, lost }: Patience,
): () => Promise<Answer> {
  let answered = false;
  return async () => {
    for (let away: number | null = null; ; ) {
      try {
        const answer = await ask();
        answered = true;
        return answer;
      } catch (error) {
        if (!answered) throw error;
        const isFirst = away === null;
        away ??= Date.now();
        if (!isPassing(error) || (Date.now() - away) / 1000 > mostSeconds) throw lost?.(error) ?? error;
        if (isFirst) onAway(`${explain(error)}; trying again for ${mostSeconds} s`);
        await new Promise((resolve) => setTimeout(resolve, everySeconds * 1000));
      }
    }
  };
}
