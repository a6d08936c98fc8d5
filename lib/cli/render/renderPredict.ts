import type { Prediction } from '../../predict';
import { codecOf, storageOf, withKind } from '../../storage/lookup';
import { renderTable } from './table';
import { wrapped } from './wrapped';

/** The rate with LZ4, derived from a rate measured without it. */
interface FromMeasured {
  readonly noneMBps: number;
  readonly ratio: number;
  readonly lz4MBps: number;
}

/** The page at the end of a source: in a table of its own width it stands once, below. */
const PAGE = / \((https:[^)]+)\)$/;

/** MB/s and operations with significant digits only. */
const figure = (value: number): string =>
  value >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(4)).toString();

/** A prediction as text. */
export function renderPrediction(prediction: Prediction, measured?: FromMeasured): string {
  const { conditions, limits, binding, throughputMBps, burst, perClient, knee, cache } = prediction;
  const { mode, readShare, ratio } = conditions;
  const configuration = withKind(prediction.configuration);
  const storage = storageOf(configuration);
  const compression = codecOf(configuration);
  const what = mode === 'mixed' ? `${Number((readShare * 100).toFixed(1))} % reads` : `${mode}s`;
  const bindsOf = (name: string): string =>
    name !== binding.baseline ? (name === binding.burst ? 'burst' : '') : name === binding.burst ? 'both' : 'baseline';
  const rows = limits.map(({ name, baselineMBps, burstMBps, source }) => [
    ...[name, figure(baselineMBps), figure(burstMBps), bindsOf(name)],
    source.replace(PAGE, ''),
  ]);
  const pages = new Set(limits.flatMap(({ source }) => PAGE.exec(source)?.[1] ?? []));
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
  if (knee !== null) lines.push(`compression helps up to a ratio of ${Number(knee.toFixed(3))} (network ÷ disk)`);
  if (compression !== null && ratio === null)
    lines.push(
      `no ratio was given, so ${compression} gains are not included: fsxbench estimate compression gives the ratio of your files`,
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
