import { explain, isPassing } from './explain';

interface Patience {
  /** Time for which the network may be away. @default 180 */
  readonly mostSeconds?: number;
  /** Called once each time that it goes. */
  readonly onAway: (message: string) => void;
}

/**
 * A question to AWS that is asked again and again, perhaps for hours: `undefined` while a network that once led to an answer is away, as after a machine
 * has slept.
 *
 * @throws the error of a question that was never answered, that is not the network's, or that stays for too long
 */
export function patient<Answer>(
  ask: () => Promise<Answer>,
  { mostSeconds = 180, onAway }: Patience,
): () => Promise<Answer | undefined> {
  let answered = false;
  let away: number | null = null;
  return async () => {
    try {
      const answer = await ask();
      answered = true;
      away = null;
      return answer;
    } catch (error) {
      const isFirst = away === null;
      away ??= Date.now();
      if (!answered || !isPassing(error) || (Date.now() - away) / 1000 > mostSeconds) throw error;
      if (isFirst) onAway(`${explain(error)}; trying again for ${mostSeconds} s`);
      return undefined;
    }
  };
}
