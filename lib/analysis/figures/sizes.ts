import { counted, fileSize } from '../../kit/format/units';
import type { Sample } from '../../schema/sample';

/**
 * The same operation on files of another size, or by another number of threads or nodes, is another operation, in tables and charts:
 * `file_create of 4 KiB`, `write of 1 GiB by 4 threads`, `write on 8 nodes`.
 */
export function nameByAxes(sample: Sample): Sample {
  const { operation, fileBytes, threads, plannedNodes, source } = sample;
  const ofItsOwn = source !== 'client' || /^tree_/.test(operation);
  return ofItsOwn || !(fileBytes || threads || plannedNodes)
    ? sample
    : { ...sample, operation: sizedName(operation, fileBytes ?? null, threads, plannedNodes) };
}

/** An operation with the size of its files, where they are not empty, and with the threads and nodes, where a plan varies them. */
export function sizedName(operation: string, fileBytes: number | null, threads?: number, nodes?: number): string {
  const sized = fileBytes ? `${operation} of ${fileSize(fileBytes)}` : operation;
  const threaded = threads ? `${sized} by ${counted(threads, 'thread')}` : sized;
  return nodes ? `${threaded} on ${counted(nodes, 'node')}` : threaded;
}
