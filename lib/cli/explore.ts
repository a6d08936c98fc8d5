import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { readWhole } from '../common/files';
import type { Estimate } from '../estimate';
import type { MeasuredRun } from '../explore/measured';
import { explorePage } from '../explore/page';
import { estimateOf } from './advise';
import { type CliContext, printJson, UsageError } from './context';
import { checkPaths } from './estimate';
import type { FoundData } from './input/requirement';
import { type PriceOptions, pricesNamed } from './input/surroundings';
import { writePageTo } from './render/writePageTo';

export interface ExploreOptions extends Pick<PriceOptions, 'prices'> {
  readonly data?: readonly string[];
  readonly estimate?: string;
  readonly run?: readonly string[];
  readonly results: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** `fsxbench explore`: `advise` and `predict` as one page, with runs next to them. */
export async function exploreCommand(context: CliContext, options: ExploreOptions): Promise<void> {
  const { data, estimate, json } = options;
  if (data !== undefined && estimate !== undefined)
    throw new UsageError("'--estimate' cannot be combined with --data, which is estimated: give one of them");
  checkPaths(data ?? []);
  const found = data !== undefined ? await estimateOf(context, data) : estimate === undefined ? null : read(estimate);
  const prices = { path: options.prices ?? null, file: pricesNamed(context, options) };
  const runs: MeasuredRun[] = [];
  for (const run of options.run ?? []) runs.push(await measuredRun(run, options.results));
  const program = brotliDecompressSync(readFileSync(join(context.root, 'dist', 'explore.js.br'))).toString();
  const page = explorePage(program, found === null ? null : foundIn(found, data ?? []), prices, runs);
  const html = writePageTo(options.html ?? { folder: '.', name: 'explore.html' }, page);
  const address = pathToFileURL(resolve(html)).href;
  if (json) printJson(context, { schema: 'fsxbench.explore/1', html, address });
  else context.out(`${address}\n`);
}

/** The figures of a run's report that the page shows. @throws UsageError for a run without throughput */
async function measuredRun(text: string, results: string): Promise<MeasuredRun> {
  const [{ readRun, summariseRun }, { armNamed }, { modeOf }, { isSameWork }, { obtainRun }] = await Promise.all([
    import('../report'),
    import('../schema/plan'),
    import('../analysis'),
    import('../analysis/figures/operationKind'),
    import('./results/runs'),
  ]);
  const { folder } = await obtainRun(text, results);
  const { run, benchmark, arms, record, analysis } = summariseRun(await readRun(folder));
  const { limits, predicted } = analysis;
  const rates = limits.flatMap(({ arm, operation, kind, compressibility, ratio, measuredMBps, limitedBy }) => {
    if (measuredMBps === null) return [];
    const rate = predicted.rates.find((one) => isSameWork(one, { arm, operation, compressibility }));
    const configuration = armNamed(arms, arm).configuration;
    const { predictedMBps = null, errorPercent } = rate ?? {};
    return [
      {
        arm,
        configuration,
        operation,
        mode: modeOf({ kind }),
        compressibility,
        ratio,
        predictedMBps,
        measuredMBps,
        limitedBy,
        errorPercent: errorPercent?.baseline ?? null,
      },
    ];
  });
  if (rates.length === 0)
    throw new UsageError(`'--run' must be a run that measured throughput, got '${text}': npx fsxbench report shows it`);
  return { run, benchmark, elsewhere: record.elsewhere?.claims ?? null, reason: predicted.reason, rates };
}

/** The part of an estimate that the page needs: no file is named in it. */
function foundIn(estimate: Estimate, paths: readonly string[]): FoundData & { paths: readonly string[] } {
  const { files, logicalBytes, uncompressedBytes, allocatedBytes, ratio, interval } = estimate;
  const byType = estimate.byType.map(({ type, logicalBytes: bytes, ratio: own }) => ({
    type,
    logicalBytes: bytes,
    ratio: own,
  }));
  return { files, logicalBytes, uncompressedBytes, allocatedBytes, ratio, interval, byType, paths };
}

/** @throws UsageError for a file that is not an estimate */
function read(file: string): Estimate {
  let found: Partial<Estimate>;
  try {
    found = JSON.parse(readWhole(file)) as Partial<Estimate>;
  } catch (error) {
    throw new UsageError(`'--estimate' must be what estimate compression --json printed: ${(error as Error).message}`);
  }
  if (found.schema !== 'fsxbench.estimate/1' || !found.logicalBytes)
    throw new UsageError(
      `'--estimate' must be what estimate compression --json printed, got ${found.schema ?? 'another file'} in '${file}'`,
    );
  return found as Estimate;
}
