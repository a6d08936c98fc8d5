import { bytes, counted } from '../../kit/format/units';
import type { Sample } from '../../schema/sample';

/**
 * The same operation on files of another size, or by another number of threads, is another operation, in tables and charts:
 * `file_create of 4 KiB`, `write of 1 GiB by 4`.
 */
export function nameByAxes(sample: Sample): Sample {
  const { operation, fileBytes, threads, source } = sample;
  const ofItsOwn = source !== 'client' || /^tree_/.test(operation);
  return ofItsOwn || !(fileBytes || threads)
    ? sample
    : { ...sample, operation: sizedName(operation, fileBytes ?? null, threads) };
}

/** An operation with the size of its files, where they are not empty, and with the threads, where a plan varies them. */
export function sizedName(operation: string, fileBytes: number | null, threads?: number): string {
  const sized = fileBytes ? `${operation} of ${bytes(fileBytes)}` : operation;
  return threads ? `${sized} by ${counted(threads, 'thread')}` : sized;
}
