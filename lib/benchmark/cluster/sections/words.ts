import type { Interval } from '../../../kit/statistics';
import { operationWords } from '../../../report/phrases';

/** `3.4–3.8`; `null` without an interval. */
export const range = (interval: Interval | null, words: (value: number) => string): string | null =>
  interval === null ? null : `${words(Math.max(0, interval.low))}–${words(interval.high)}`;

const NOUNS: Readonly<Record<string, string>> = {
  ...{ write: 'writes', read: 'reads' },
  ...{ file_create: 'creates', file_stat: 'stats', file_remove: 'removals' },
};

/** An operation as the subject of a sentence: `removals`. */
export const nounOf = (operation: string): string => NOUNS[operation] ?? operationWords(operation);
