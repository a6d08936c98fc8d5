/**
 * Estimates how much compression would save on a user's own files, without AWS: splits files, folders and `s3://` prefixes into records,
 * compresses them as OpenZFS below FSx for Lustre does, or Btrfs, and lays them out on sectors as it does.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Assumed, assumedOf } from './assumed';
import { SIZE_CLASSES } from './classes';
import { scanAll } from './full';
import { layoutsOf } from './measure/meter';
import { makePool } from './measure/pool';
import { checkWhole, DEFAULT_SEED, DEFAULT_SHARE, type EstimateOptions, MOST_SEED, MOST_WORKERS } from './options';
import {
  type Estimate,
  figuresOf,
  groupOf,
  type RatioInterval,
  type RecordBound,
  type Tally,
  withoutRatio,
} from './result';
import { Draws } from './sample/draws';
import { makeRandom } from './sample/random';
import { type Sampled, scanSample } from './sample/sample';
import { Survey } from './source/survey';
import { walk } from './source/walk';

export type { Estimate } from './result';

/** More threads would not read faster, and each takes memory. */
const DEFAULT_MOST_WORKERS = 32;

/**
 * Estimates how a file system that compresses would store the files at some paths.
 *
 * Unreadable files are counted and named in the result, never thrown. Sizes are bytes; `ratio` is logical ÷ allocated.
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
    const stopped = (): boolean => signal?.aborted === true;
    if (sample !== undefined) {
      const random = makeRandom(seed);
      const sampled = await scanSample(
        walk(paths, survey, signal),
        { pool, allocators, survey, signal },
        { share, random },
      );
      if (sampled !== null) return estimateOf('sample', sampled, survey, { ...assumed, stopped });
      survey.close();
      survey = new Survey(onProgress);
    }
    // If a sample would save little reading, drawing stretches would save little as well.
    const draws = exact || sample !== undefined ? undefined : new Draws(makeRandom(seed));
    const scanned = await scanAll(
      walk(paths, survey, signal),
      { pool, allocators, survey, signal },
      { keepFiles: perFile, draws },
    );
    const whole = estimateOf(sample === undefined ? 'full' : 'sample', scanned, survey, { ...assumed, stopped });
    return perFile ? { ...whole, perFile: scanned.perFile } : whole;
  } finally {
    survey.close();
    await pool.close();
  }
}

/** The document. */
function estimateOf(
  mode: Estimate['mode'],
  { total, byType, bySize, unsampledTypes, intervals, shares }: Sampled,
  survey: Survey,
  assumed: Assumed & { stopped(): boolean },
): Estimate {
  const { records, first, described, stopped } = assumed;
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
    complete: !stopped(),
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
    ratioReason: ratio === null ? withoutRatio(total, allocatedBytes, stopped()) : null,
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

/** Largest first, ties by name, so that the order is reproducible. */
const named = (groups: ReadonlyMap<string, Tally>): [string, Tally][] =>
  [...groups].sort(([a, x], [b, y]) => y.logicalBytes - x.logicalBytes || (a < b ? -1 : 1));

/** dist/estimateWorker.js, when this runs from dist/. */
function besideTheBundle(): string | undefined {
  const file = join(__dirname, 'estimateWorker.js');
  return existsSync(file) ? file : undefined;
}
