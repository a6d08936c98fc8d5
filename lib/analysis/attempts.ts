import { keyOf } from '../common/keyOf';
import type { Sample } from '../schema/sample';

/** The highest attempt of each arm at each step counts; what came before it is superseded. */
export function splitAttempts(samples: readonly Sample[]): { counted: Sample[]; superseded: Sample[] } {
  const highest = new Map<string, number>();
  for (const { step, arm, attempt } of samples) {
    const key = keyOf(step, arm);
    highest.set(key, Math.max(attempt, highest.get(key) ?? attempt));
  }
  const counts = ({ step, arm, attempt }: Sample): boolean => attempt === highest.get(keyOf(step, arm));
  return { counted: samples.filter(counts), superseded: samples.filter((sample) => !counts(sample)) };
}
