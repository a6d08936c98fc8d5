/**
 * Estimates how much compression would save on a user's own files, without AWS: splits files, folders and `s3://` prefixes into records,
 * compresses them as OpenZFS below FSx for Lustre does, or Btrfs, and lays them out on sectors as it does.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Assumed, assumedOf } from './assumed';
import { SIZE_CLASSES, sizeClassOf, Types } from './classes';
import { FileInWork } from './measure/file';
import { LeftOut } from './measure/further';
import type { FileLayout } from './measure/geometry';
import type { Piece } from './measure/measure';
import { makePool } from './measure/pool';
import { layoutsOf } from './measure/work';
import { checkWhole, DEFAULT_SEED, DEFAULT_SHARE, type EstimateOptions, MOST_SEED, MOST_WORKERS } from './options';
import {
  addToTally,
  type Estimate,
  emptyTally,
  type FileFigures,
  figuresOf,
  groupOf,
  type RatioInterval,
  type RecordBound,
  type Tally,
  tallyOf,
  withoutRatio,
} from './result';
import { Draws } from './sample/draws';
import { type Sampled, type Scan, scanSample } from './sample/sample';
import { display, type Found, Survey } from './source/survey';
import { dataBytes, walk } from './source/walk';

/** Lists of files that wait for the threads: enough to know most trees early. A list has up to 256 files, of S3 up to 1,000. */
const LISTED_AHEAD = 200;
/** Batch size per thread: large enough to amortise messages, small enough that all threads finish together. */
const BATCH_BYTES = 4 * 2 ** 20;
const BATCH_PIECES = 128;

type Batch = { readonly piece: Piece; readonly file: FileInWork }[];

/**
 * Reads every byte and compresses it at the first record size, and what `draws` selects, or all, at more. If stopped, it returns complete files.
 * @param keepFiles with a line for each file
 */
export const scanAll = (found: AsyncIterable<readonly Found[]>, scan: Scan, draws?: Draws, keepFiles = false) =>
  new FullScan(scan, draws, keepFiles).run(found);

class FullScan {
  private readonly total: Tally;
  private readonly byType = new Map<string, Tally>();
  private readonly bySize = new Map<string, Tally>();
  private readonly perFile: FileFigures[] = [];
  private readonly types = new Types();
  private readonly leftOut: LeftOut;

  constructor(
    private readonly scan: Scan,
    private readonly draws: Draws | undefined,
    private readonly keepFiles: boolean,
  ) {
    this.total = emptyTally(scan.allocators.length);
    this.leftOut = new LeftOut(scan.allocators.length);
  }

  async run(found: AsyncIterable<readonly Found[]>): Promise<Sampled & { readonly perFile: readonly FileFigures[] }> {
    const { pool, survey } = this.scan;
    const { total, byType, bySize, perFile, leftOut } = this;
    const files = Readable.from(this.listed(found), { highWaterMark: LISTED_AHEAD });
    const batches = this.batches(files);
    try {
      await Promise.all(Array.from({ length: pool.slots }, () => this.measure(batches)));
    } finally {
      files.destroy();
    }
    leftOut.complete(total, byType, bySize);
    const [intervals, shares] = [leftOut.intervals(total), leftOut.shares(survey.bytesDone)];
    return { total, byType, bySize, unsampledTypes: 0, perFile, intervals, shares };
  }

  private async *listed(found: AsyncIterable<readonly Found[]>): AsyncGenerator<readonly Found[]> {
    const { survey, signal } = this.scan;
    for await (const files of found) {
      if (signal?.aborted) return;
      survey.filesListed += files.length;
      for (const file of files) survey.bytesListed += dataBytes(file);
      yield files;
    }
    survey.listed = !signal?.aborted;
  }

  /** The pieces of one message to a thread after the other; empty files and holes need no reading. */
  private async *batches(files: AsyncIterable<readonly Found[]>): AsyncGenerator<Batch> {
    let [batch, bytes]: [Batch, number] = [[], 0];
    for await (const listed of files)
      for (const found of listed) {
        const file = new FileInWork(found, this.scan.allocators, this.weightsFor(found));
        if (file.done) this.count(file);
        for (let piece = file.nextPiece(); piece !== undefined; piece = file.nextPiece()) {
          batch.push({ piece, file });
          bytes += piece.length;
          if (bytes < BATCH_BYTES && batch.length < BATCH_PIECES) continue;
          yield batch;
          [batch, bytes] = [[], 0];
        }
      }
    if (batch.length > 0) yield batch;
  }

  /** Measures one batch after the other, of those that nobody else has taken. */
  private async measure(batches: AsyncGenerator<Batch>): Promise<void> {
    const { pool, survey, signal } = this.scan;
    for await (const batch of batches) {
      if (signal?.aborted) return;
      const outcomes = await pool.measure(batch.map(({ piece }) => piece));
      batch.forEach(({ piece, file }, index) => {
        const outcome = outcomes[index] ?? 'was not measured';
        file.add(piece, outcome);
        if (typeof outcome !== 'string') survey.bytesDone += piece.length;
        if (file.done) this.count(file);
      });
    }
  }

  /** Draws a file's stretches; `undefined` for one that is measured in all geometries, such as one small record, which is the same in each. */
  private weightsFor({ path, bytes }: Found): ((bytes: number) => number) | undefined {
    const { draws } = this;
    const [smallest, ...further] = this.scan.allocators as [FileLayout, ...FileLayout[]];
    if (draws === undefined || further.length === 0 || bytes <= smallest.geometry.recordBytes) return undefined;
    const type = this.types.of(path);
    return (stretch) => draws.weightOf(type, stretch);
  }

  private count(file: FileInWork): void {
    const { survey, allocators } = this.scan;
    const { path, bytes, holeBytes = 0 } = file.found;
    if (file.failure !== undefined) {
      survey.failed(path, dataBytes(file.found), file.failure);
      return;
    }
    const type = this.types.of(path);
    const sizeClass = SIZE_CLASSES[sizeClassOf(bytes)] as string;
    if (file.further !== undefined) this.leftOut.add(type, sizeClass, file.further);
    survey.filesDone += 1;
    const own = { files: 1, logicalBytes: bytes, holeBytes, ...file.space() };
    addToTally(this.total, own);
    addToTally(tallyOf(this.byType, type, allocators.length), own);
    addToTally(tallyOf(this.bySize, sizeClass, allocators.length), own);
    if (!this.keepFiles) return;
    const { savings, savingsInterval, ...figures } = figuresOf(own, 0);
    this.perFile.push({ path: display(path), logicalBytes: bytes, ...figures });
  }
}

// Read from the global object once, since Jest makes each access slow.
const { imul } = Math;

/** Seeded random numbers in [0, 1) (Mulberry32): samples are reproducible. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type { Estimate } from './result';

/** More threads would not read faster, and each takes memory. */
const DEFAULT_MOST_WORKERS = 32;

/**
 * Estimates how a compressing file system would store the files at some paths. Unreadable files are counted and named, never thrown. Sizes are in
 * bytes; `ratio` is logical ÷ allocated.
 *
 * @throws Error for options out of range
 */
export async function estimateCompression(options: EstimateOptions): Promise<Estimate> {
  const { paths, sample, exact = false, perFile = false, signal, onProgress } = options;
  const { workerFile = besideTheBundle() } = options;
  const { workers = Math.min(availableParallelism(), DEFAULT_MOST_WORKERS) } = options;
  if (paths.length === 0) throw new Error("'paths' must name a file, a folder or an s3:// prefix, got none");
  const assumed = assumedOf(options);
  if (sample !== undefined && perFile)
    throw new Error("'files' needs a full scan and cannot be combined with 'sample'");
  if (sample !== undefined && exact)
    throw new Error("'exact' measures everything and cannot be combined with 'sample'");
  const { share = DEFAULT_SHARE, seed = DEFAULT_SEED } = sample ?? {};
  if (!(share > 0 && share <= 1)) throw new Error(`'share' must be above 0 and at most 1, got ${share}`);
  checkWhole('workers', workers, MOST_WORKERS);
  checkWhole('seed', seed, MOST_SEED);
  const allocators = layoutsOf(assumed.target);
  let survey = new Survey(onProgress);
  const pool = makePool(assumed.target, workers, workerFile, signal);
  try {
    const mode = sample === undefined ? 'full' : 'sample';
    const random = makeRandom(seed);
    if (sample !== undefined) {
      const scan = { pool, allocators, survey, signal };
      const sampled = await scanSample(walk(paths, survey, signal), scan, { share, random });
      if (sampled !== null) return estimateOf(mode, sampled, survey, assumed, signal);
      survey.close();
      survey = new Survey(onProgress);
    }
    // If a sample would save little reading, drawing stretches would save little as well.
    const draws = exact || sample !== undefined ? undefined : new Draws(random);
    const scan = { pool, allocators, survey, signal };
    const scanned = await scanAll(walk(paths, survey, signal), scan, draws, perFile);
    const whole = estimateOf(mode, scanned, survey, assumed, signal);
    return perFile ? { ...whole, perFile: scanned.perFile } : whole;
  } finally {
    survey.close();
    await pool.close();
  }
}

function estimateOf(
  mode: Estimate['mode'],
  { total, byType, bySize, unsampledTypes, intervals, shares }: Sampled,
  survey: Survey,
  { records, first, described }: Assumed,
  signal: AbortSignal | undefined,
): Estimate {
  const stopped = signal?.aborted ?? false;
  const bounds = records.map((recordBytes, index): RecordBound => {
    const figures = figuresOf(total, first + index);
    const interval = intervals[first + index] as RatioInterval;
    return {
      recordBytes,
      logicalBytes: total.logicalBytes,
      ...figures,
      // An unknown ratio has no interval.
      interval: figures.ratio === null ? { ...interval, low: null, high: null } : interval,
      measuredShare: shares[first + index] as number,
    };
  });
  const { allocatedBytes, uncompressedBytes, ratio, savings } = bounds[0] as RecordBound;
  const savingsEnds = bounds.flatMap(({ savingsInterval: { low, high } }) =>
    low === null || high === null ? [] : [low, high],
  );
  return {
    schema: 'fsxbench.estimate/1',
    mode,
    complete: !stopped,
    recordBytes: records[0] as number,
    ...described,
    files: total.files,
    logicalBytes: total.logicalBytes,
    holeBytes: total.holeBytes,
    allocatedBytes,
    uncompressedBytes,
    uncompressedInterval: {
      low: Math.min(...bounds.map(({ uncompressedInterval }) => uncompressedInterval.low)),
      high: Math.max(...bounds.map(({ uncompressedInterval }) => uncompressedInterval.high)),
    },
    ratio,
    savings,
    savingsInterval:
      savings === null ? { low: null, high: null } : { low: Math.min(...savingsEnds), high: Math.max(...savingsEnds) },
    ratioReason: ratio === null ? withoutRatio(total, allocatedBytes, stopped) : null,
    interval: hull(bounds.map(({ interval }) => interval)),
    bounds,
    byType: named(byType).map(([type, tally]) => ({ type, ...groupOf(tally, first) })),
    bySize: SIZE_CLASSES.filter((name) => bySize.has(name)).map((sizeClass) => ({
      sizeClass,
      ...groupOf(bySize.get(sizeClass) as Tally, first),
    })),
    unsampledTypes,
    unreadable: survey.unreadableNamed,
    unreadableFiles: survey.unreadableFiles,
    skipped: survey.skippedNamed,
    symbolicLinks: survey.symbolicLinks,
    hardLinks: survey.hardLinks,
    bytesRead: survey.bytesDone,
    seconds: survey.seconds,
  };
}

function hull(intervals: readonly RatioInterval[]): RatioInterval {
  const ends = intervals.flatMap(({ low, high }) => [low, high]);
  const known = ends.filter((end) => end !== null);
  const confidence = Math.min(...intervals.map((interval) => interval.confidence));
  if (known.length < ends.length || known.length === 0) return { low: null, high: null, confidence };
  return { low: Math.min(...known), high: Math.max(...known), confidence };
}

/** Largest first, ties by name: the order is reproducible. */
const named = (groups: ReadonlyMap<string, Tally>): [string, Tally][] =>
  [...groups].sort(([a, x], [b, y]) => y.logicalBytes - x.logicalBytes || (a < b ? -1 : 1));

/** dist/estimateWorker.js, when this runs from dist/. */
function besideTheBundle(): string | undefined {
  const file = join(__dirname, 'estimateWorker.js');
  return existsSync(file) ? file : undefined;
}
