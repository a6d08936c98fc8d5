import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Estimate } from '../estimate';
import type { MeasuredRate } from '../explore/measured';
import { explorePage } from '../explore/page';
import { estimateOf } from './advise';
import { type CliContext, printJson, UsageError } from './context';
import { checkPaths } from './estimate';
import { pricesOf } from './input/environment';
import { RESULTS } from './input/options';
import type { FoundData } from './input/requirement';
import { writePageTo } from './render/writePageTo';

export interface ExploreOptions {
  readonly data?: readonly string[];
  readonly run?: readonly string[];
  readonly html?: string;
  readonly json?: boolean;
}

/** `fsxbench explore`: `advise` and `predict` as one page, with runs next to them. */
export async function exploreCommand(context: CliContext, options: ExploreOptions): Promise<void> {
  const { data = [], json } = options;
  checkPaths(data);
  const prices = pricesOf(context);
  const found = data.length === 0 ? null : foundIn(await estimateOf(context, data), data);
  const rates: MeasuredRate[] = [];
  for (const run of options.run ?? []) rates.push(...(await measuredRates(run)));
  const program = brotliDecompressSync(readFileSync(join(context.root, 'dist', 'explore.js.br'))).toString();
  const page = explorePage(program, found, prices, rates);
  const html = writePageTo(options.html ?? { folder: '.', name: 'explore.html' }, page);
  const address = pathToFileURL(resolve(html)).href;
  if (json) printJson(context, { schema: 'fsxbench.explore/1', html, address });
  else context.out(`${address}\n`);
}

/** The rates of a run's report. @throws UsageError for a run without any, and for one elsewhere than on AWS */
async function measuredRates(text: string): Promise<MeasuredRate[]> {
  const [{ readRun, summariseRun }, { armNamed }, { modeOf }, { isSameWork }, { obtainRun }] = await Promise.all([
    import('../report'),
    import('../schema/plan'),
    import('../analysis/limits/limitedBy'),
    import('../analysis/figures/operationKind'),
    import('./results/runs'),
  ]);
  const { folder } = await obtainRun(text, RESULTS.defaultValue);
  const { run, arms, record, analysis } = summariseRun(await readRun(folder));
  const { limits, predicted } = analysis;
  const rates = limits.flatMap(({ arm, operation, kind, compressibility, ratio, measuredMBps }) => {
    if (measuredMBps === null) return [];
    const rate = predicted.rates.find((one) => isSameWork(one, { arm, operation, compressibility }));
    const { configuration } = armNamed(arms, arm);
    const predictedMBps = rate?.predictedMBps ?? null;
    return { run, arm, configuration, operation, mode: modeOf({ kind }), ratio, predictedMBps, measuredMBps };
  });
  if (rates.length > 0 && record.elsewhere === null) return rates;
  const next = 'npx fsxbench report shows any other one';
  throw new UsageError(`'--run' must be a run on AWS that measured throughput, got '${text}': ${next}`);
}

/** The part of an estimate that the page needs: no file is named in it. */
function foundIn(estimate: Estimate, paths: readonly string[]): FoundData & { paths: readonly string[] } {
  const { files, logicalBytes, uncompressedBytes, allocatedBytes, ratio, interval } = estimate;
  const byType = estimate.byType.map((one) => ({ type: one.type, logicalBytes: one.logicalBytes, ratio: one.ratio }));
  return { files, logicalBytes, uncompressedBytes, allocatedBytes, ratio, interval, byType, paths };
}
