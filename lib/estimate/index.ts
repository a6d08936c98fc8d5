/**
 * How much LZ4 on Amazon FSx for Lustre would save on a user's own files, without AWS: files, folders and `s3://` prefixes, cut into
 * records, compressed as OpenZFS compresses them and laid out on sectors as it lays them out.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { SIZE_CLASSES } from './classes';
import { type Scanned, scanAll } from './full';
import { Allocator, checkGeometry } from './geometry';
import { DEFAULT_RECORDS, DEFAULT_SECTOR, type EstimateOptions } from './options';
import { makePool } from './pool';
import { renderRecord } from './render';
import { type Bound, type Estimate, figuresOf, groupOf, type Interval, type Tally } from './result';
import { Survey } from './survey';
import { walk } from './walk';

export type { Estimate } from './result';

/** More threads read no faster than a file system gives, and each takes memory. */
const MOST_WORKERS = 32;

/**
 * Estimates how LZ4 would store what lies at some paths.
 *
 * Unreadable files are counted and named in the result, never thrown. Sizes are bytes; `ratio` is logical ÷ allocated.
 * @throws Error for options out of range
 */
export async function estimateCompression(options: EstimateOptions): Promise<Estimate> {
  const { paths, sectorBytes = DEFAULT_SECTOR, raidz, perFile = false, signal, onProgress } = options;
  const { recordBytes: records = DEFAULT_RECORDS, workerFile = besideTheBundle() } = options;
  const { workers = Math.min(availableParallelism(), MOST_WORKERS) } = options;
  if (paths.length === 0) throw new Error("'paths' must name a file, a folder or an s3:// prefix, got none");
  if (records.length === 0) throw new Error("'record' must be a size such as 128K, got none");
  const geometries = records.map((recordBytes) => checkGeometry({ recordBytes, sectorBytes, raidz }));
  const survey = new Survey(onProgress);
  const pool = makePool(geometries, workers, workerFile);
  try {
    const allocators = geometries.map((geometry) => new Allocator(geometry));
    const scanned = await scanAll(walk(paths, survey), pool, allocators, survey, perFile, signal);
    return fullEstimate(scanned, survey, records, { sectorBytes, raidz: raidz ?? null, perFile, signal });
  } finally {
    survey.close();
    await pool.close();
  }
}

function fullEstimate(
  scanned: Scanned,
  survey: Survey,
  records: readonly number[],
  rest: Pick<Estimate, 'sectorBytes' | 'raidz'> & { perFile: boolean; signal?: AbortSignal | undefined },
): Estimate {
  const { total, byType, bySize } = scanned;
  const figures = records.map((_, index) => figuresOf(total.logicalBytes, total.allocatedBytes[index] as number));
  const ratios = figures.map(({ ratio }) => ratio).filter((ratio) => ratio !== null);
  const interval: Interval =
    ratios.length === 0
      ? { low: null, high: null, confidence: 1 }
      : { low: Math.min(...ratios), high: Math.max(...ratios), confidence: 1 };
  const bounds: Bound[] = figures.map((figure, index) => ({
    recordBytes: records[index] as number,
    logicalBytes: total.logicalBytes,
    ...figure,
    interval: { low: figure.ratio, high: figure.ratio, confidence: 1 },
  }));
  return {
    schema: 'fsxbench.estimate/1',
    mode: 'full',
    complete: rest.signal?.aborted !== true,
    assumption: assumptionOf(records),
    recordBytes: records[0] as number,
    sectorBytes: rest.sectorBytes,
    raidz: rest.raidz,
    files: total.files,
    logicalBytes: total.logicalBytes,
    ...(figures[0] as ReturnType<typeof figuresOf>),
    interval,
    bounds,
    byType: named(byType).map(([type, tally]) => ({ type, ...groupOf(tally) })),
    bySize: SIZE_CLASSES.filter((name) => bySize.has(name)).map((sizeClass) => ({
      sizeClass,
      ...groupOf(bySize.get(sizeClass) as Tally),
    })),
    unreadable: survey.unreadableNamed,
    unreadableFiles: survey.unreadableFiles,
    skipped: survey.skippedNamed,
    symbolicLinks: survey.symbolicLinks,
    hardLinks: survey.hardLinks,
    bytesRead: survey.bytesDone,
    seconds: survey.seconds,
    ...(rest.perFile ? { perFile: scanned.perFile } : {}),
  };
}

/** Largest first; equal ones by name, so that two runs give the same order. */
function named(groups: ReadonlyMap<string, Tally>): [string, Tally][] {
  return [...groups].sort(([a, x], [b, y]) => y.logicalBytes - x.logicalBytes || (a < b ? -1 : 1));
}

export function assumptionOf(records: readonly number[]): string {
  const sizes = records.map(renderRecord);
  const bounded = sizes.length > 1 ? `, between which the truth is taken to lie` : '';
  return (
    `Amazon does not publish how FSx for Lustre stores data: this assumes OpenZFS's LZ4 on independent records of ` +
    `${sizes.join(' and of ')}${bounded}`
  );
}

/** dist/estimateWorker.js, when this runs from dist/. */
function besideTheBundle(): string | undefined {
  const file = join(__dirname, 'estimateWorker.js');
  return existsSync(file) ? file : undefined;
}
