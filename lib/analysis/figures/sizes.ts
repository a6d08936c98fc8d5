import { bytes } from '../../kit/format/units';
import type { Sample } from '../../schema/sample';

/** The same operation on files of another size is another operation, in tables and charts: `file_create of 4 KiB`. */
export function nameBySize(sample: Sample): Sample {
  const { operation, fileBytes } = sample;
  return fileBytes && /^(file|dir)_/.test(operation)
    ? { ...sample, operation: sizedName(operation, fileBytes) }
    : sample;
}

/** An operation with the size of its files, where they are not empty. */
export function sizedName(operation: string, fileBytes: number | null): string {
  return fileBytes ? `${operation} of ${bytes(fileBytes)}` : operation;
}
