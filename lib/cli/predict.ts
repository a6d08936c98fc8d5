import { breachMessage, renamed } from '../common/breach';
import { amount } from '../common/field';
import { renderTable } from '../common/format/table';
import { compressedFrom, type Prediction, type PredictRequest, predict } from '../predict';
import { checkRequest } from '../predict/request';
import { gainEnd } from '../storage/common/binding';
import { codecOf, storageOf, withKind } from '../storage/lookup';
import { type CliContext, printJson, UsageError } from './context';
import { CLIENT_FLAGS, clientsOf } from './input/clients';
import { optionsOf } from './input/configurationOptions';
import { DATA_SIZE, quantity, RATIO, regionOf, SHARE, word } from './input/quantity';
import { wrapped } from './render/wrapped';

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
  readonly cached?: string;
  readonly measuredNone?: string;
  readonly region?: string;
  readonly json?: boolean;
}

const RATE = amount('a rate above 0 in MB/s, or with its unit such as 3.5GB/s', {
  min: 1e-3,
  max: 1e9,
  units: { '': 1, 'MB/s': 1, 'GB/s': 1000 },
});

/** The flags of a request's properties, besides those of its configuration and clients. */
const FLAGS = {
  readShare: '--read-share',
  ratio: '--ratio',
  workingSetGiB: '--working-set',
  hitShare: '--cached',
  region: '--region',
};

/** `fsxbench predict`: the documented ceilings of a configuration and its limit. */
export async function predictCommand(context: CliContext, flags: PredictFlags): Promise<void> {
  const { configurationOf, words } = await optionsOf(flags);
  const ratio = quantity('--ratio', flags.ratio, RATIO);
  const configuration = configurationOf(flags);
  if (flags.workingSet !== undefined && flags.cached !== undefined)
    throw new UsageError("'--cached' cannot be combined with --working-set, from which it follows: give one of them");
  const request: PredictRequest = {
    configuration,
    ratio,
    readShare: readShareOf(flags),
    clients: clientsOf(flags.clients, flags.instance, flags.efa === true),
    workingSetGiB: quantity('--working-set', flags.workingSet, DATA_SIZE),
    hitShare: quantity('--cached', flags.cached, SHARE),
    region: regionOf(flags.region),
  };
  const [breach] = checkRequest(request).errors;
  if (breach !== undefined) throw new UsageError(breachMessage(breach, renamed(words, { ...CLIENT_FLAGS, ...FLAGS })));
  const prediction = predict(request);
  const none = quantity('--measured-none', flags.measuredNone, RATE);
  if (none !== undefined && request.ratio === undefined)
    throw new UsageError("'--measured-none' needs --ratio, to predict the rate with LZ4");
  const network =
    prediction.limits.find(({ name }) => name === 'server_network')?.burstMBps ?? Number.POSITIVE_INFINITY;
  const measured =
    none === undefined || request.ratio === undefined
      ? undefined
      : { noneMBps: none, ratio: request.ratio, lz4MBps: compressedFrom(none, request.ratio, network) };
  if (flags.json) printJson(context, { ...prediction, fromMeasured: measured });
  else context.out(renderPrediction(prediction, measured));
}

function readShareOf({ mode, readShare }: PredictFlags): number {
  const share = quantity('--read-share', readShare, SHARE);
  if (mode === undefined) return share ?? 0;
  const named = word('--mode', mode, ['write', 'read']);
  if (share !== undefined)
    throw new UsageError(
      `'--read-share' cannot be combined with --mode ${named}, got '${readShare}': give one of them`,
    );
  return named === 'read' ? 1 : 0;
}

/** The rate with LZ4, derived from a rate measured without it. */
interface FromMeasured {
  readonly noneMBps: number;
  readonly ratio: number;
  readonly lz4MBps: number;
}

/** Addresses of pages in a source: the table leaves them out, and they are listed once below it. */
const PAGES = / \((https:[^)]+)\)/g;

/** MB/s and operations with significant digits only. */
const figure = (value: number): string =>
  value >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(4)).toString();

/** A prediction as text. */
function renderPrediction(prediction: Prediction, measured?: FromMeasured): string {
  const { conditions, limits, binding, throughputMBps, burst, perClient, knee, cache } = prediction;
  const { mode, readShare, ratio } = conditions;
  const configuration = withKind(prediction.configuration);
  const storage = storageOf(configuration);
  const compression = codecOf(configuration);
  const what = mode === 'mixed' ? `${Number((readShare * 100).toFixed(1))} % reads` : `${mode}s`;
  const bindsOf = (name: string): string => {
    if (name === binding.baseline) return name === binding.burst ? 'both' : 'baseline';
    return name === binding.burst ? 'burst' : '';
  };
  const rows = limits.map(({ name, baselineMBps, burstMBps, source }) => [
    ...[name, figure(baselineMBps), figure(burstMBps), bindsOf(name)],
    source.replaceAll(PAGES, ''),
  ]);
  const pages = new Set(limits.flatMap(({ source }) => [...source.matchAll(PAGES)].flatMap(([, page = '']) => page)));
  const lines = [
    `${storage.configuration.describe(configuration)}; ${what}`,
    '',
    renderTable(['limit', 'MB/s', 'burst MB/s', 'binds', 'documented'], rows),
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
  if (end !== null)
    lines.push(
      end.ratio > 1
        ? `compression helps up to a ratio of ${Number(end.ratio.toFixed(3))} (${end.limit} ÷ disk)`
        : `compression brings no more throughput: ${end.limit} is reached without it`,
    );
  if (compression !== null && ratio === null)
    lines.push(
      `no ratio was given, so ${compression} gains are not included: npx fsxbench estimate compression gives the ratio of your files`,
    );
  if (measured !== undefined)
    lines.push(
      `from ${figure(measured.noneMBps)} MB/s measured without compression, LZ4 at ${measured.ratio}:1 gives ${figure(measured.lz4MBps)} MB/s`,
    );
  lines.push('', ...metadataLines(prediction));
  for (const text of prediction.undocumented) lines.push(`not documented: ${text}`);
  for (const { message } of prediction.warnings) lines.push(`note: ${message}`);
  if (pages.size > 0) lines.push('', 'documented in', ...[...pages].map((page) => `  ${page}`));
  return `${lines.join('\n').split('\n').flatMap(wrapped).join('\n')}\n`;
}

function metadataLines({ metadataPerSecond, metadataReason }: Prediction): string[] {
  if (metadataPerSecond === null) return [`metadata rates: unknown; ${metadataReason}`];
  const rows = Object.entries(metadataPerSecond).map(([operation, rate]) => [operation, figure(rate)]);
  return [renderTable(['operation', 'per second'], rows).trimEnd(), metadataReason];
}
