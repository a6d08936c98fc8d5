import { breachMessage, renamed } from '../kit/breach';
import { amount } from '../kit/field';
import { compressedFrom, type PredictRequest, predict } from '../predict';
import { checkRequest } from '../predict/request';
import { type CliContext, printJson, UsageError } from './context';
import { CLIENT_FLAGS, clientsOf } from './input/clients';
import { optionsOf } from './input/configurationOptions';
import { DATA_SIZE, quantity, RATIO, regionOf, SHARE, word } from './input/quantity';
import { renderPrediction } from './render/renderPredict';

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
  const document = { ...prediction, ...(measured === undefined ? {} : { fromMeasured: measured }) };
  if (flags.json) printJson(context, document);
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
