import { existsSync } from 'node:fs';
import { type Estimate, estimateCompression } from '../estimate';
import { assumedOf } from '../estimate/assumed';
import { CODECS, isCodec } from '../estimate/btrfs/layout';
import { MOST_STRIPES } from '../estimate/measure/geometry';
import { type EstimateOptions, MOST_SEED, MOST_WORKERS, ON_WORDS, STORED_ON, type StoredOn } from '../estimate/options';
import { printable, renderEstimate } from '../estimate/render';
import { isS3 } from '../estimate/source/paths';
import { measured, sizesIn } from '../kit/quantity';
import { type CliContext, printJson, Unsuccessful, UsageError } from './context';
import { makeScanProgress } from './render/scanProgress';

/** Flags of `fsxbench estimate compression`, as text. */
export interface EstimateFlags {
  readonly record?: string;
  readonly sector: string;
  readonly raidz?: string;
  readonly on?: string;
  readonly compressForce?: string;
  readonly compress?: string;
  readonly stripeCount?: string;
  readonly exact?: boolean;
  readonly sample?: boolean;
  readonly sampleShare?: string;
  readonly seed?: string;
  readonly files?: boolean;
  readonly workers?: string;
  readonly json?: boolean;
}

/** `fsxbench estimate compression PATH…`. Ctrl-C stops it with the results so far; a second one stops it at once. */
export async function estimateCommand(
  context: CliContext,
  paths: readonly string[],
  flags: EstimateFlags,
): Promise<void> {
  checkPaths(paths);
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  const progress = makeScanProgress(context);
  let estimate: Estimate;
  try {
    estimate = await estimateCompression({
      ...optionsOf(flags),
      paths,
      signal: stop.signal,
      onProgress: (at) => progress.show(at),
    });
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    progress.stop();
  }
  if (flags.json) printJson(context, estimate);
  else context.out(renderEstimate(estimate));
  if (!estimate.complete) throw new Unsuccessful('stopped early: the figures cover only what was read');
  const [first] = [...estimate.unreadable, ...estimate.skipped];
  if (estimate.files === 0 && first !== undefined)
    throw new Unsuccessful(`nothing could be measured: ${printable(first.path)}: ${first.reason}`);
}

/** Refuses unusable paths before anything is read; a missing path among others is only unreadable. @throws UsageError in one line */
export function checkPaths(paths: readonly string[]): void {
  const wrong = paths.find((path) => isS3(path) && !/^s3:\/\/[a-z0-9][a-z0-9.-]{2,62}(\/|$)/.test(path));
  if (wrong !== undefined) throw new UsageError(`'${wrong}' must be s3://bucket/prefix`);
  if (paths.length === 0 || paths.some((path) => isS3(path) || existsSync(path))) return;
  throw new UsageError(
    `there is no readable file or folder '${paths[0]}': name one that exists, or s3://bucket/prefix`,
  );
}

function optionsOf(flags: EstimateFlags): Omit<EstimateOptions, 'paths'> {
  const sampled = flags.sample === true || flags.sampleShare !== undefined || flags.seed !== undefined;
  if (sampled && flags.files) throw new UsageError("'--files' needs a full scan: leave out --sample, or --files");
  if (sampled && flags.exact)
    throw new UsageError("'--exact' compresses everything at every record size: leave out --sample, or --exact");
  if (flags.on === 'zfs' && flags.stripeCount !== undefined)
    throw new UsageError("'--stripe-count' needs files on Lustre: leave it out, or --on zfs");
  try {
    const options = {
      exact: flags.exact === true,
      sectorBytes: sizeOf('sector', flags.sector),
      perFile: flags.files === true,
      ...(flags.record === undefined
        ? {}
        : { recordBytes: flags.record.split(',').map((each) => sizeOf('record', each)) }),
      ...(flags.raidz === undefined ? {} : { raidz: raidzOf(flags.raidz) }),
      ...onOptionsOf(flags),
      ...(flags.stripeCount === undefined
        ? {}
        : { stripeCount: wholeOf('stripe-count', flags.stripeCount, 1, MOST_STRIPES) }),
      ...(flags.workers === undefined ? {} : { workers: wholeOf('workers', flags.workers, 0, MOST_WORKERS) }),
      ...(sampled
        ? {
            sample: {
              ...(flags.sampleShare === undefined ? {} : { share: shareOf(flags.sampleShare) }),
              ...(flags.seed === undefined ? {} : { seed: wholeOf('seed', flags.seed, 0, MOST_SEED) }),
            },
          }
        : {}),
    };
    // Before anything is read.
    assumedOf({ ...options, paths: [] });
    return options;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Parses `512`, `4K`, `128KiB`, `1M` into bytes. */
function sizeOf(name: string, text: string): number {
  const bytes = measured(text, sizesIn(1, 1));
  const [low, high, range] = name === 'record' ? [512, 2 ** 24, '512 to 16M'] : [512, 2 ** 14, '512 to 16K'];
  if (!(bytes >= low && bytes <= high) || !Number.isInteger(Math.log2(bytes)))
    throw new Error(
      `'${name}' must be a power of two from ${range}, such as ${name === 'record' ? '128K' : '4K'}, got '${text}'`,
    );
  return bytes;
}

/** A mount option of Btrfs says that it is Btrfs. */
function onOptionsOf({ on, compress, compressForce }: EstimateFlags): Pick<EstimateOptions, 'on' | 'codec' | 'force'> {
  const given = on === undefined ? undefined : onOf(on);
  const codec = compressForce ?? compress;
  if (compressForce !== undefined && compress !== undefined)
    throw new Error("'--compress' cannot be combined with --compress-force, which compresses more: leave out one");
  const flag = compressForce === undefined ? '--compress' : '--compress-force';
  if (codec !== undefined && !isCodec(codec)) throw new Error(`'${flag}' must be ${CODECS}, got '${codec}'`);
  if (codec !== undefined && given !== undefined && given !== 'btrfs')
    throw new Error(`'${flag}' needs --on btrfs, got '${on}': leave out one`);
  if (codec !== undefined) return { on: 'btrfs', codec, force: compressForce !== undefined };
  if (given === 'btrfs') throw new Error(`'--on btrfs' needs --compress-force or --compress, with ${CODECS}`);
  return given === undefined ? {} : { on: given };
}

function onOf(text: string): StoredOn {
  const on = STORED_ON.find((each) => each === text.trim().toLowerCase());
  if (on === undefined) throw new Error(`'on' must be ${ON_WORDS}, got '${text}'`);
  return on;
}

function raidzOf(text: string): { disks: number; parity: number } {
  const match = /^(\d+),(\d+)$/.exec(text.trim());
  const disks = Number(match?.[1]);
  const parity = Number(match?.[2]);
  if (match && parity >= 1 && parity <= 3 && disks > parity && disks <= 255) return { disks, parity };
  // A single number may mean disks or, as in raidz3, parity: show both.
  const [, word, single] = /^(raidz)?(\d{1,3})$/i.exec(text.trim()) ?? [];
  const number = Number(single);
  const asParity = number >= 1 && number <= 3 ? [`raidz${number} of eight disks is 8,${number}`] : [];
  const asDisks =
    word === undefined && number > 1 && number <= 255 ? [`${number} disks with single parity are ${number},1`] : [];
  const hint = [...asDisks, ...asParity].join(', ');
  throw new Error(
    `'raidz' must be disks,parity, such as 5,1, with parity 1 to 3 and more disks than parity, up to 255; got '${text}'${hint && `: ${hint}`}`,
  );
}

function shareOf(text: string): number {
  const match = /^(\d{1,3}(?:\.\d{1,12})?)\s*%?$/.exec(text.trim());
  const percent = Number(match?.[1]);
  if (!(percent > 0 && percent <= 100))
    throw new Error(`'sample-share' must be a percentage above 0 and up to 100, got '${text}'`);
  return percent / 100;
}

function wholeOf(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || value < low || value > high)
    throw new Error(`'${name}' must be a whole number from ${low} to ${high}, got '${text}'`);
  return value;
}
