import { existsSync } from 'node:fs';
import * as z from 'zod';
import { omitUndefined } from '../common/collections';
import { field, numeric, oneOfWords, whole } from '../common/field';
import { commandLine } from '../common/format/text';
import { sizesIn } from '../common/quantity';
import { type Estimate, estimateCompression } from '../estimate';
import { MOST_STRIPES } from '../estimate/measure/geometry';
import { type EstimateOptions, type EstimateProgress, LZ4_ON } from '../estimate/options';
import { printable, renderBytes, renderEstimate } from '../estimate/render';
import { isS3 } from '../estimate/source/survey';
import { type CliContext, printJson, Unsuccessful, UsageError, usage } from './context';
import { abortable } from './input/interrupt';
import { quantity } from './input/quantity';
import { renderDuration } from './render/answer';

export interface EstimateFlags {
  readonly record?: string;
  readonly sector: string;
  readonly raidz?: string;
  readonly on?: string;
  readonly stripeCount?: string;
  readonly exact?: boolean;
  readonly sample?: boolean;
  readonly files?: boolean;
  readonly json?: boolean;
}

/** Estimates until Ctrl-C, with progress on stderr: a redrawn line on a terminal, otherwise a line every few seconds. */
export async function estimateShown(context: CliContext, options: EstimateOptions): Promise<Estimate> {
  const { interactive, redraw, err } = context;
  let last: number | undefined;
  const onProgress = (progress: EstimateProgress): void => {
    if (!interactive && last !== undefined && Date.now() - last < LINE_EVERY) return;
    if (interactive) redraw?.(renderProgress(progress));
    else err(`${renderProgress(progress)}\n`);
    last = Date.now();
  };
  try {
    return await abortable((signal) => estimateCompression({ ...options, signal, onProgress }), ['SIGINT']);
  } finally {
    if (interactive && last !== undefined) redraw?.('');
  }
}

/** `fsxbench estimate compression PATH…`. Ctrl-C stops it with the results so far; a second one stops it at once. */
export async function estimateCommand(context: CliContext, paths: readonly string[], flags: EstimateFlags) {
  checkPaths(paths);
  const estimate = await estimateShown(context, { ...optionsOf(flags), paths });
  if (flags.json) printJson(context, estimate);
  else context.out(`${renderEstimate(estimate)}${nextStep(estimate, paths)}`);
  if (!estimate.complete) throw new Unsuccessful('stopped early: the figures cover only what was read');
  const [first] = [...estimate.unreadable, ...estimate.skipped];
  if (estimate.files === 0 && first !== undefined)
    throw new Unsuccessful(`nothing could be measured: ${printable(first.path)}: ${first.reason}`);
}

/** The command that turns the figures into an answer, with the space of small files, which no ratio expresses. */
const nextStep = ({ ratio, on }: Estimate, paths: readonly string[]): string =>
  ratio === null || on !== LZ4_ON[0]
    ? ''
    : `To see what to buy for these files: npx fsxbench ${commandLine(['advise', ...paths.flatMap((path) => ['--data', path])])}\n`;

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
  const { sample: sampled = false } = flags;
  if (sampled && flags.files) throw new UsageError("'--files' needs a full scan: leave out --sample, or --files");
  if (sampled && flags.exact)
    throw new UsageError("'--exact' compresses everything at every record size: leave out --sample, or --exact");
  if (flags.on === 'zfs' && flags.stripeCount !== undefined)
    throw new UsageError("'--stripe-count' needs files on Lustre: leave it out, or --on zfs");
  return usage(() => {
    const { record, raidz, stripeCount, on } = flags;
    return omitUndefined({
      exact: flags.exact === true,
      sectorBytes: quantity('sector', flags.sector, SECTOR),
      perFile: flags.files === true,
      recordBytes: record?.split(',').map((each) => quantity('record', each, RECORD) as number),
      raidz: raidz === undefined ? undefined : raidzOf(raidz),
      on: quantity('on', on, oneOfWords(LZ4_ON)),
      stripeCount: quantity('stripe-count', stripeCount, whole(1, MOST_STRIPES)),
      sample: sampled ? {} : undefined,
    });
  });
}

/** A power of two of bytes, from a sector of a disk: `512`, `4K`, `128KiB`, `1M`. */
function powerOfTwo(max: number, range: string) {
  const schema = z.number().min(512).max(max);
  const power = schema.refine((bytes) => Number.isInteger(Math.log2(bytes)));
  return field(numeric(power, { units: sizesIn(1, 1) }), `a power of two from 512 to ${range}`);
}
const RECORD = powerOfTwo(2 ** 24, '16M, such as 128K');
const SECTOR = powerOfTwo(2 ** 14, '16K, such as 4K');

function raidzOf(text: string): { disks: number; parity: number } {
  const [, disks, parity] = (/^(\d+),(\d+)$/.exec(text.trim()) ?? []).map(Number);
  if (disks && parity && parity <= 3 && disks > parity && disks <= 255) return { disks, parity };
  throw new Error(
    `'raidz' must be disks,parity, such as 5,1, with parity 1 to 3 and more disks than parity, up to 255; got '${text}'`,
  );
}

const LINE_EVERY = 5000;

/** Seconds of reading before a rate is shown. */
const ETA_AFTER = 1;

/** `12.4 of 80.0 GB (15 %) · 812 of 4,000 files · 1.1 GB/s · 1 min 02 s left`; without a complete list there is no time left. */
export function renderProgress(progress: EstimateProgress): string {
  const { bytesDone, bytesListed, filesDone, filesListed, listed, seconds } = progress;
  const rate = seconds > 0 ? bytesDone / seconds : 0;
  const share = bytesListed > 0 ? ` (${Math.floor((100 * bytesDone) / bytesListed)} %)` : '';
  const left = (): string => {
    if (!listed) return 'still listing';
    if (bytesDone >= bytesListed) return 'done';
    if (rate === 0 || seconds < ETA_AFTER) return 'no estimate yet';
    return `${renderDuration((bytesListed - bytesDone) / rate)} left`;
  };
  return [
    `${renderBytes(bytesDone)} of ${listed ? '' : 'at least '}${renderBytes(bytesListed)}${listed ? share : ''}`,
    // A sample reads records, not files.
    ...(filesDone > 0 || bytesDone === 0
      ? [`${filesDone.toLocaleString('en')} of ${filesListed.toLocaleString('en')} files`]
      : []),
    `${renderBytes(rate)}/s`,
    left(),
  ].join(' · ');
}
