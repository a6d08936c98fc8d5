import type { RunSummary } from '../../../analysis/summary';
import { storageBench } from '../../../benchmark/storage';
import { bytes, counted, NO_VALUE, plain } from '../../../common/format/units';
import { quantity, type Text } from '../../blocks';
import type { Done, StorageWork } from './results';

/** True of a run of the benchmark: its sections have nothing in those of others. */
export const ofStorage = (run: RunSummary): boolean => run.benchmark === storageBench.name;

/** Names of files by size: the study's small files are of 500 kB. */
export const sizeWords = (size: number): string =>
  size % 1000 === 0 && size < 1e6 ? `${size / 1000} kB` : bytes(size);

const intervalWords = ({ interval }: Pick<Done, 'interval'>): string | null =>
  interval === null ? null : `${plain(Math.max(0, interval.low))}–${plain(interval.high)}`;

/** A mean with its interval below, if there are enough repeats for one, and with the reasons for missing values. */
export function cellOf(done: Done | undefined, words: (value: number | null) => string = plain, below?: string) {
  if (done === undefined) return NO_VALUE;
  const [reason = null] = done.reasons;
  if (done.mean === null) return quantity(null, () => NO_VALUE, { reason, below: reason });
  const missing = reason === null ? null : `${counted(done.reasons.length, 'reason')} for missing values: ${reason}`;
  return quantity(done.mean, words, { below: [intervalWords(done), below, missing].filter((part) => part).join('; ') });
}

export const arms = (run: RunSummary): Text[] => run.arms.map(({ name }) => ({ arm: name }));

export const workWords = ({ operation, fileBytes, threads }: StorageWork): string =>
  `${/read/.test(operation) ? 'Read' : 'Write'} files of ${sizeWords(fileBytes)} by ${counted(threads, 'thread')}`;
