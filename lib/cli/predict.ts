import { omitUndefined } from '../common/collections';
import { amount, oneOfWords } from '../common/field';
import { renderTable } from '../common/format/text';
import { counted, bytes as formatBytes } from '../common/format/units';
import { durationsIn, sizesIn } from '../common/quantity';
import { renamed, violationMessage } from '../common/violation';
import { type Prediction, type PredictRequest, predict } from '../predict';
import { checkRequest, MOST_FILES, MOST_TRANSFER_BYTES } from '../predict/request';
import { gainEnd } from '../storage/common/limits';
import { describeLimit } from '../storage/limitNames';
import { codecOf, storageOf } from '../storage/lookup';
import type { ExpectedRange } from '../storage/performance';
import { type CliContext, printJson, UsageError } from './context';
import { optionsOf } from './input/configurationOptions';
import { CLIENT_FLAGS, clientsOf, DATA_SIZE, PROCESSES, quantity, RATIO, regionOf, SHARE } from './input/quantity';
import { wrapped } from './render/answer';

/** Flags of `fsxbench predict`, as text; besides these, those of the storages. */
export interface PredictFlags extends Readonly<Record<string, unknown>> {
  readonly storage?: string;
  readonly set?: readonly string[];
  readonly ratio?: string;
  readonly efa?: boolean;
  readonly clients?: string;
  readonly instance?: string;
  readonly mode?: string;
  readonly readShare?: string;
  readonly workingSet?: string;
  readonly processes?: string;
  readonly inFlight?: string;
  readonly transfer?: string;
  readonly seconds?: string;
  readonly servedFrom?: string;
  readonly files?: string;
  readonly fileSize?: string;
  readonly region?: string;
  readonly json?: boolean;
}

/** The flags of a request's properties, besides those of its configuration and clients. */
const FLAGS = {
  readShare: '--read-share',
  ratio: '--ratio',
  workingSetGiB: '--working-set',
  region: '--region',
  'streams.processes': '--processes',
  'streams.inFlight': '--in-flight',
  'streams.transferBytes': '--transfer',
  seconds: '--seconds',
  servedFrom: '--served-from',
  files: '--files',
  fileBytes: '--file-size',
};

const FILES = amount('a number of files from 1, such as 40000000 or 40M', {
  min: 1,
  max: MOST_FILES,
  units: { '': 1, k: 1e3, M: 1e6, G: 1e9 },
});
const BYTES = amount('a size with its unit such as 64KiB, 1MiB or 150kB', {
  min: 1,
  max: MOST_TRANSFER_BYTES,
  units: sizesIn(1),
});
const RUN_SECONDS = amount('a duration above 0 in seconds, or with its unit such as 10min', {
  min: 1e-3,
  max: 1e9,
  units: durationsIn(1, 1),
});

/** `fsxbench predict`: the documented ceilings of a configuration and its limit. */
export async function predictCommand(context: CliContext, flags: PredictFlags): Promise<void> {
  const { configurationOf, words } = await optionsOf(flags);
  const ratio = quantity('--ratio', flags.ratio, RATIO);
  const configuration = configurationOf(flags);
  const request: PredictRequest = {
    configuration,
    ratio,
    readShare: readShareOf(flags),
    clients: clientsOf(flags.clients, flags.instance, flags.efa === true),
    workingSetGiB: quantity('--working-set', flags.workingSet, DATA_SIZE),
    region: regionOf(flags.region),
    ...runOf(flags),
  };
  const [violation] = checkRequest(request).errors;
  if (violation !== undefined)
    throw new UsageError(violationMessage(violation, renamed(words, { ...CLIENT_FLAGS, ...FLAGS })));
  const prediction = predict(request);
  if (flags.json) printJson(context, prediction);
  else context.out(renderPrediction(prediction, runLines(request, prediction)));
}

function runOf(flags: PredictFlags): Partial<PredictRequest> {
  const rounded = (value: number | undefined) => (value === undefined ? undefined : Math.round(value));
  const processes = quantity('--processes', flags.processes, PROCESSES);
  const inFlight = quantity('--in-flight', flags.inFlight, PROCESSES);
  const transferBytes = quantity('--transfer', flags.transfer, BYTES);
  const files = rounded(quantity('--files', flags.files, FILES));
  const fileBytes = rounded(quantity('--file-size', flags.fileSize, BYTES));
  if (processes === undefined && (inFlight !== undefined || transferBytes !== undefined))
    throw new UsageError(`'--${inFlight === undefined ? 'transfer' : 'in-flight'}' requires --processes`);
  if (flags.servedFrom === 's3' && (files === undefined || fileBytes === undefined))
    throw new UsageError("'--served-from s3' requires --files and --file-size");
  return omitUndefined({
    streams: processes === undefined ? undefined : omitUndefined({ processes, inFlight, transferBytes }),
    seconds: quantity('--seconds', flags.seconds, RUN_SECONDS),
    servedFrom: quantity('--served-from', flags.servedFrom, oneOfWords(['disk', 'memory', 's3'])),
    files,
    fileBytes,
  });
}

function readShareOf({ mode, readShare }: PredictFlags): number {
  const share = quantity('--read-share', readShare, SHARE);
  const named = quantity('--mode', mode, oneOfWords(['write', 'read']));
  if (share === undefined || named === undefined) return share ?? (named === 'read' ? 1 : 0);
  throw new UsageError(`'--read-share' cannot be combined with --mode ${named}, got '${readShare}': give one of them`);
}

/** Addresses of pages in a source: the table leaves them out, and they are listed once below it. */
const PAGES = / \((https:[^)]+)\)/g;

/** MB/s and operations with significant digits only. */
const figure = (value: number): string =>
  value >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(4)).toString();

function renderPrediction(prediction: Prediction, run: readonly string[]): string {
  const { configuration, conditions, limits, binding, throughputMBps, burst, perClient, knee, cache } = prediction;
  const { mode, readShare, ratio } = conditions;
  const storage = storageOf(configuration);
  const compression = codecOf(configuration);
  const what = mode === 'mixed' ? `${Number((readShare * 100).toFixed(1))} % reads` : `${mode}s`;
  const lowestIn = (name: string): string => {
    if (name === binding.baseline) return name === binding.burst ? 'both' : 'sustained';
    return name === binding.burst ? 'burst' : '';
  };
  const rows = limits.map(({ name, baselineMBps, burstMBps, source }) => [
    ...[name, figure(baselineMBps), figure(burstMBps), lowestIn(name)],
    source.replaceAll(PAGES, ''),
  ]);
  const pages = new Set(limits.flatMap(({ source }) => [...source.matchAll(PAGES)].flatMap(([, page = '']) => page)));
  const lines: string[] = [
    `${storage.configuration.describe(configuration)}; ${what}`,
    '',
    renderTable(['limit', 'MB/s', 'burst MB/s', 'lowest', 'documented'], rows),
    `ceiling: ${figure(throughputMBps.baseline)} MB/s sustained (${binding.baseline}), ${figure(throughputMBps.burst)} MB/s in a burst (${binding.burst})`,
    throughputMBps.burst > throughputMBps.baseline ? `burst duration: unknown; ${burst.reason}` : burst.reason,
  ];
  if (perClient !== null)
    lines.push(
      `per client: at most ${figure(perClient.ceilingMBps.baseline)} MB/s, ${figure(perClient.ceilingMBps.burst)} in a burst; an even share is ${figure(perClient.shareMBps.baseline)}`,
    );
  if (cache.hitsFrom !== null)
    lines.push(`caches: ${Math.round(cache.hitShare * 100)} % of the reads come from the ${cache.hitsFrom}`);
  const end = knee === null ? null : gainEnd(limits);
  if (end !== null && end.ratio > 1)
    lines.push(`compression helps up to a ratio of ${Number(end.ratio.toFixed(3))} (${end.limit} ÷ disk)`);
  else if (end !== null) lines.push(`compression brings no more throughput: ${end.limit} is reached without it`);
  if (compression !== null && ratio === null)
    lines.push(
      `no ratio was given, so ${compression} gains are not included: npx fsxbench estimate compression gives the ratio of your files`,
    );
  lines.push(...run);
  lines.push('', ...metadataLines(prediction));
  for (const text of prediction.undocumented) lines.push(`not documented: ${text}`);
  for (const { message } of prediction.warnings) lines.push(`note: ${message}`);
  if (pages.size > 0) lines.push('', 'documented in', ...[...pages].map((page) => `  ${page}`));
  return `${lines.join('\n').split('\n').flatMap(wrapped).join('\n')}\n`;
}

const ends = ({ low, high }: ExpectedRange): string => `${figure(low)} to ${figure(high)}`;

/** A duration in the largest unit of which it has more than two. */
function duration(seconds: number): string {
  if (seconds < 120) return `${figure(seconds)} s`;
  return seconds < 7200 ? `${figure(seconds / 60)} min` : `${figure(seconds / 3600)} h`;
}

function runLines(request: PredictRequest, { run, runMetadataPerSecond, s3 }: Prediction): string[] {
  if (run === null) return [];
  const { clients, streams, files, fileBytes } = request;
  const sees = (seen: NonNullable<Prediction['run']>): string =>
    `${figure(seen.MBps.expected)} MB/s (${ends(seen.MBps)}; ${describeLimit(seen.MBps.bottleneck)})`;
  const lines: string[] = [];
  if (streams === undefined && s3 === null) lines.push(`the run sees ${sees(run)}`);
  if (streams !== undefined) {
    const count = clients?.count ?? 1;
    const who = `${counted(count, 'client')} with ${counted(streams.processes, 'process', 'processes')}`;
    const size = formatBytes(streams.transferBytes ?? 2 ** 20);
    lines.push(`${who} at ${size} ${count === 1 ? 'sees' : 'see'} ${sees(run)}`);
  }
  if (runMetadataPerSecond !== null) {
    const header = ['operation of these processes', 'per second', 'interval', 'limited by'];
    const rows = Object.entries(runMetadataPerSecond).map(([operation, rate]) => [
      ...[operation, figure(rate.expected), ends(rate), describeLimit(rate.bottleneck)],
    ]);
    lines.push('', renderTable(header, rows).trimEnd());
  }
  if (s3 !== null && files !== undefined && fileBytes !== undefined) {
    const rows = PASSES.map(([pass, name]) => {
      const { seconds, filesPerSecond, MBps, bottleneck } = s3[pass];
      const time = `${duration(seconds.expected)} (${duration(seconds.low)} to ${duration(seconds.high)})`;
      const rate = MBps === null ? '' : figure(MBps.expected);
      return [name, time, figure(filesPerSecond.expected), rate, describeLimit(bottleneck)];
    });
    lines.push('', `S3: ${counted(files, 'file')} of ${formatBytes(fileBytes)}, from what others measured`);
    lines.push(
      renderTable(['', 'time', 'files per second', 'MB/s', 'limited by'], rows).trimEnd(),
      `while files are exported, the clients keep ${Math.round(s3.leftWhileExporting * 100)}% of their throughput`,
    );
  }
  return lines;
}

const PASSES = [
  ['import', 'import metadata'],
  ['restore', 'lfs hsm_restore'],
  ['lazyLoad', 'lazy load'],
  ['export', 'export'],
] as const;

function metadataLines({ metadataPerSecond, metadataReason }: Prediction): string[] {
  if (metadataPerSecond === null) return [`metadata rates: unknown; ${metadataReason}`];
  const rows = Object.entries(metadataPerSecond).map(([operation, rate]) => [operation, figure(rate)]);
  return [renderTable(['operation', 'per second'], rows).trimEnd(), metadataReason];
}
