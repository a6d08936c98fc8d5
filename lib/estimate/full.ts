import { SIZE_CLASSES, sizeClassOf, Types } from './classes';
import { FileInWork, pieceBytes } from './measure/file';
import { LeftOut } from './measure/further';
import type { Piece } from './measure/measure';
import { BoundedQueue } from './measure/queue';
import { addToTally, emptyTally, type FileFigures, figuresOf, type Tally, tallyOf } from './result';
import type { Draws } from './sample/draws';
import type { Sampled, Scan } from './sample/sample';
import type { Found } from './source/found';
import { display } from './source/paths';

/** Files queued for a thread: enough to list most trees early, at some 200 bytes each. */
const MOST_WAITING = 50_000;
/** Batch size per thread: large enough to amortise messages, small enough that all threads finish together. */
const BATCH_BYTES = 4 * 2 ** 20;
const BATCH_PIECES = 128;

/** The result of a full scan. */
interface Scanned extends Sampled {
  readonly perFile: readonly FileFigures[];
}

/**
 * Reads every byte and compresses it in records of the first size, and at further sizes what `draws` selects, or everything
 * without it. If stopped by `signal`, returns the files that are complete.
 */
export async function scanAll(
  found: AsyncIterable<readonly Found[]>,
  { pool, allocators, survey, signal }: Scan,
  { keepFiles = false, draws }: { readonly keepFiles?: boolean; readonly draws?: Draws | undefined } = {},
): Promise<Scanned> {
  const total = emptyTally(allocators.length);
  const byType = new Map<string, Tally>();
  const bySize = new Map<string, Tally>();
  const perFile: FileFigures[] = [];
  const types = new Types();
  const leftOut = new LeftOut(allocators.length);
  const smallest = (allocators[0] as Scan['allocators'][number]).geometry.recordBytes;
  const queue = new BoundedQueue<Found>(MOST_WAITING);
  const length = pieceBytes(allocators.map(({ geometry }) => geometry.recordBytes));
  let current: FileInWork | undefined;

  const count = (file: FileInWork): void => {
    if (file.failure !== undefined) {
      survey.failed(file.path, file.bytes, file.failure);
      return;
    }
    const space = file.space();
    const type = types.of(file.path);
    const sizeClass = SIZE_CLASSES[sizeClassOf(file.bytes)] as string;
    if (file.further !== undefined) leftOut.add(type, sizeClass, file.further);
    survey.filesDone += 1;
    survey.holeBytes += file.holeBytes;
    addToTally(total, 1, file.bytes, space);
    addToTally(tallyOf(byType, type, allocators.length), 1, file.bytes, space);
    addToTally(tallyOf(bySize, sizeClass, allocators.length), 1, file.bytes, space);
    if (!keepFiles) return;
    const { allocatedBytes, ratio, ratioReason } = figuresOf({ files: 1, logicalBytes: file.bytes, ...space }, 0);
    const why = ratio === null ? { ratioReason } : {};
    perFile.push({ path: display(file.path), logicalBytes: file.bytes, allocatedBytes, ratio, ...why });
  };

  /** Draws a file's stretches; `undefined` for one that is measured in all geometries, such as one small record, which is the same in each. */
  const weightsFor = ({ path, bytes }: Found): ((bytes: number) => number) | undefined => {
    if (draws === undefined || allocators.length === 1 || bytes <= smallest) return undefined;
    const type = types.of(path);
    return (stretch) => draws.weightOf(type, stretch);
  };

  /** The pieces of one message, with their files; empty files and holes need no reading. */
  const nextBatch = (): { piece: Piece; file: FileInWork }[] => {
    const batch: { piece: Piece; file: FileInWork }[] = [];
    for (let bytes = 0; bytes < BATCH_BYTES && batch.length < BATCH_PIECES; ) {
      if (current === undefined || current.allGiven) {
        const next = queue.take();
        if (next === undefined) break;
        current = new FileInWork(next.path, next.bytes, allocators, next.hole, weightsFor(next), next.holeBytes);
        if (current.done) count(current);
      }
      const piece = current.nextPiece(length);
      if (piece === undefined) continue;
      batch.push({ piece, file: current });
      bytes += piece.length;
    }
    return batch;
  };

  const consume = async (): Promise<void> => {
    while (!signal?.aborted) {
      const batch = nextBatch();
      if (batch.length === 0) {
        if (!(await queue.ready())) return;
        continue;
      }
      const outcomes = await pool.measure(batch.map(({ piece }) => piece));
      batch.forEach(({ piece, file }, index) => {
        const outcome = outcomes[index] ?? 'was not measured';
        file.add(piece, outcome);
        if (typeof outcome !== 'string') survey.bytesDone += piece.length;
        if (file.done) count(file);
      });
    }
  };

  const produce = async (): Promise<void> => {
    for await (const files of found) {
      if (signal?.aborted) break;
      survey.filesListed += files.length;
      for (const { bytes, hole } of files) if (!hole) survey.bytesListed += bytes;
      await queue.put(files);
    }
    survey.listed = !signal?.aborted;
  };
  const stop = (): void => queue.close(true);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all([
      produce().finally(() => queue.close(signal?.aborted)),
      ...Array.from({ length: pool.slots }, consume),
    ]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  leftOut.complete(total, byType, bySize);
  return {
    total,
    byType,
    bySize,
    perFile,
    intervals: leftOut.intervals(total),
    shares: leftOut.shares(survey.bytesDone),
  };
}
