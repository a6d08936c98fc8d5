import { SIZE_CLASSES, sizeClassOf, Types } from './classes';
import { FileInWork } from './measure/file';
import { LeftOut } from './measure/further';
import type { Piece } from './measure/measure';
import { BoundedQueue } from './measure/queue';
import { addToTally, emptyTally, type FileFigures, figuresOf, type Tally, tallyOf } from './result';
import type { Draws } from './sample/draws';
import type { Sampled, Scan } from './sample/sample';
import { dataBytes } from './source/extents';
import type { Found } from './source/found';
import { display } from './source/paths';

/** Files queued for a thread: enough to list most trees early, at about 200 bytes each. */
const MOST_WAITING = 50_000;
/** Batch size per thread: large enough to amortise messages, small enough that all threads finish together. */
const BATCH_BYTES = 4 * 2 ** 20;
const BATCH_PIECES = 128;

/** The result of a full scan. */
interface Scanned extends Sampled {
  readonly perFile: readonly FileFigures[];
}

interface FullScanOptions {
  /** Keep a line for each file. @default false */
  readonly keepFiles?: boolean;
  /** Stretches to compress at the further sizes. @default - all */
  readonly draws?: Draws | undefined;
}

/**
 * Reads every byte and compresses it in records of the first size, and at further sizes what `draws` selects, or everything
 * without it. If stopped by `signal`, returns the files that are complete.
 */
export const scanAll = (
  found: AsyncIterable<readonly Found[]>,
  scan: Scan,
  options: FullScanOptions = {},
): Promise<Scanned> => new FullScan(scan, options).run(found);

class FullScan {
  private readonly total: Tally;
  private readonly byType = new Map<string, Tally>();
  private readonly bySize = new Map<string, Tally>();
  private readonly perFile: FileFigures[] = [];
  private readonly types = new Types();
  private readonly leftOut: LeftOut;
  private readonly queue = new BoundedQueue<Found>(MOST_WAITING);
  private readonly recordBytes: readonly number[];
  private current: FileInWork | undefined;

  constructor(
    private readonly scan: Scan,
    private readonly options: FullScanOptions,
  ) {
    const { allocators } = scan;
    this.total = emptyTally(allocators.length);
    this.leftOut = new LeftOut(allocators.length);
    this.recordBytes = allocators.map(({ geometry }) => geometry.recordBytes);
  }

  async run(found: AsyncIterable<readonly Found[]>): Promise<Scanned> {
    const { pool, survey, signal } = this.scan;
    const { total, byType, bySize, perFile, leftOut, queue } = this;
    const stop = (): void => queue.close(true);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await Promise.all([
        this.produce(found).finally(() => queue.close(signal?.aborted)),
        ...Array.from({ length: pool.slots }, () => this.consume()),
      ]);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    leftOut.complete(total, byType, bySize);
    const [intervals, shares] = [leftOut.intervals(total), leftOut.shares(survey.bytesDone)];
    return { total, byType, bySize, unsampledTypes: 0, perFile, intervals, shares };
  }

  private async produce(found: AsyncIterable<readonly Found[]>): Promise<void> {
    const { survey, signal } = this.scan;
    for await (const files of found) {
      if (signal?.aborted) break;
      survey.filesListed += files.length;
      for (const { bytes, data } of files) survey.bytesListed += data === undefined ? bytes : dataBytes(data);
      await this.queue.put(files);
    }
    survey.listed = !signal?.aborted;
  }

  private async consume(): Promise<void> {
    const { pool, survey, signal } = this.scan;
    while (!signal?.aborted) {
      const batch = this.nextBatch();
      if (batch.length === 0) {
        if (!(await this.queue.ready())) return;
        continue;
      }
      const outcomes = await pool.measure(batch.map(({ piece }) => piece));
      batch.forEach(({ piece, file }, index) => {
        const outcome = outcomes[index] ?? 'was not measured';
        file.add(piece, outcome);
        if (typeof outcome !== 'string') survey.bytesDone += piece.length;
        if (file.done) this.count(file);
      });
    }
  }

  /** The pieces of one message, with their files; empty files and holes need no reading. */
  private nextBatch(): { piece: Piece; file: FileInWork }[] {
    const batch: { piece: Piece; file: FileInWork }[] = [];
    for (let bytes = 0; bytes < BATCH_BYTES && batch.length < BATCH_PIECES; ) {
      if (this.current === undefined || this.current.allGiven) {
        const next = this.queue.take();
        if (next === undefined) break;
        const { path, data, holeBytes } = next;
        this.current = new FileInWork(path, next.bytes, this.scan.allocators, data, this.weightsFor(next), holeBytes);
        if (this.current.done) this.count(this.current);
      }
      const piece = this.current.nextPiece();
      if (piece === undefined) continue;
      batch.push({ piece, file: this.current });
      bytes += piece.length;
    }
    return batch;
  }

  /** Draws a file's stretches; `undefined` for one that is measured in all geometries, such as one small record, which is the same in each. */
  private weightsFor({ path, bytes }: Found): ((bytes: number) => number) | undefined {
    const { draws } = this.options;
    const [smallest = 0, ...further] = this.recordBytes;
    if (draws === undefined || further.length === 0 || bytes <= smallest) return undefined;
    const type = this.types.of(path);
    return (stretch) => draws.weightOf(type, stretch);
  }

  private count(file: FileInWork): void {
    const { survey, allocators } = this.scan;
    if (file.failure !== undefined) {
      survey.failed(file.path, file.readableBytes, file.failure);
      return;
    }
    const space = file.space();
    const type = this.types.of(file.path);
    const sizeClass = SIZE_CLASSES[sizeClassOf(file.bytes)] as string;
    if (file.further !== undefined) this.leftOut.add(type, sizeClass, file.further);
    survey.filesDone += 1;
    survey.holeBytes += file.holeBytes;
    const own = { files: 1, logicalBytes: file.bytes, holeBytes: file.holeBytes, ...space };
    addToTally(this.total, own);
    addToTally(tallyOf(this.byType, type, allocators.length), own);
    addToTally(tallyOf(this.bySize, sizeClass, allocators.length), own);
    if (!this.options.keepFiles) return;
    const { allocatedBytes, uncompressedBytes, uncompressedInterval, ratio, ratioReason } = figuresOf(own, 0);
    const why = ratio === null ? { ratioReason } : {};
    const bytes = { logicalBytes: file.bytes, allocatedBytes, uncompressedBytes, uncompressedInterval };
    this.perFile.push({ path: display(file.path), ...bytes, ratio, ...why });
  }
}
