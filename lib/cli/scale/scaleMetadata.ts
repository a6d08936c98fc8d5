import { isUnanswered } from '../../common/aws/explain';
import { renderTable } from '../../common/format/table';
import { checkId, type FsxApi, fsxApi } from '../../scale/fileSystem';
import { changeMetadata, checkMetadataChange, type MetadataChange, type MonthlyUsd } from '../../scale/metadata';
import { isMetadataIops, METADATA_IOPS_ALLOWED, nextMetadataIops } from '../../storage/lustre/documented';
import { type CliContext, printJson, Unsuccessful, UsageError } from '../context';
import { confirm } from '../input/confirm';
import { quantity } from '../input/quantity';
import { renderChange, renderDuration, renderRate } from '../render/figures';
import { renderIssues } from '../render/renderPlan';
import {
  type Measurement,
  type MeasureOptions,
  type MeasureResult,
  measureAround,
  prepareMeasurement,
} from './scaleMeasure';
import { COUNT, type CommonOptions, refusing, secondsOf, waitOptions } from './scaleOptions';

export interface ScaleMetadataOptions extends CommonOptions {
  readonly iops: string;
  /** A directory on the file system, in which to measure before and after. */
  readonly measure?: string;
  /** Parameters of the measurement. */
  readonly set?: readonly string[];
  readonly results: string;
  readonly newRun?: boolean;
}

/** `fsxbench scale metadata FS --iops N [--measure DIR]`: shows the cost, measures, raises, waits, measures again. */
export async function scaleMetadataCommand(
  context: CliContext,
  fileSystemId: string,
  options: ScaleMetadataOptions,
): Promise<void> {
  const iops = quantity('--iops', options.iops, COUNT) as number;
  const wait = waitOptions(context, options);
  const asked = measureOptions(options);
  const api = await askable(fileSystemId, iops);
  const measurement = await refusing(async () =>
    asked === null ? null : prepareMeasurement(context, api, fileSystemId, iops, asked),
  );
  const change =
    measurement?.change ??
    (await refusing(async () => checkMetadataChange(await api.describe(fileSystemId), iops, api.region)));
  const { notes, ...facts } = change;
  const document = { schema: 'fsxbench.scale/1', action: 'metadata', ...facts, notes };
  // After the raise, the rest of a measurement may still be due.
  const nothing = change.nothing && !measurement?.begun;
  if (!options.json) sayMetadata(context, change, measurement);
  if (nothing || options.dryRun) {
    const measure = measurement === null || nothing ? null : plannedMeasurement(measurement);
    if (options.json)
      printJson(context, { ...document, dryRun: options.dryRun ?? false, changed: false, seconds: 0, measure });
    else if (options.dryRun) context.out('dry run: nothing was changed\n');
    return;
  }
  if (!change.nothing) await confirm(context, question(change, measurement), options.yes ?? false);
  if (asked !== null && measurement !== null) {
    const measure = await measureAround(context, api, measurement, asked, wait);
    const { raiseSeconds } = measure;
    const changed = raiseSeconds !== null && !measurement.raised;
    if (options.json) printJson(context, { ...document, dryRun: false, changed, seconds: raiseSeconds ?? 0, measure });
    else sayMeasured(context, change, measure);
    endOf(measure, fileSystemId, iops);
    return;
  }
  const seconds = await secondsOf(() => changeMetadata(api, change, wait));
  if (options.json) printJson(context, { ...document, dryRun: false, changed: true, seconds, measure: null });
  else context.out(`${fileSystemId} has ${iops} metadata IOPS after ${renderDuration(seconds)}\n`);
}

/**
 * Reads the file system, since the allowed IOPS depend on its type. If AWS cannot be reached, checks what holds for any file system.
 * @throws UsageError
 */
async function askable(fileSystemId: string, iops: number): Promise<FsxApi> {
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      await refusing(async () => checkId(fileSystemId));
      if (!isMetadataIops(iops))
        throw new UsageError(`'--iops' must be ${METADATA_IOPS_ALLOWED}, got ${iops}: use ${nextMetadataIops(iops)}`);
      throw error;
    }
  };
  const api = await checked(() => fsxApi());
  return { ...api, describe: (id) => checked(() => api.describe(id)) };
}

/** @throws UsageError for options of a measurement without one */
function measureOptions({ measure, set = [], results, newRun }: ScaleMetadataOptions): MeasureOptions | null {
  if (measure !== undefined) return { measure, set, results, newRun };
  if (set.length > 0 || newRun) throw new UsageError(`'${newRun ? '--new-run' : '--set'}' needs --measure DIR`);
  return null;
}

function question({ monthlyUsd: { difference } }: MetadataChange, measurement: Measurement | null): string {
  const price = difference === null ? '' : ` for an extra ${difference.toFixed(2)} USD per month`;
  if (measurement === null) return `Raise them${price}?`;
  return `Measure, raise them${price}, and measure again, ${renderDuration(measurement.plan.totals.expectedSeconds)} in all?`;
}

/** @throws Unsuccessful with how to resume, unless everything was measured */
function endOf({ run, state, message, directory }: MeasureResult, fileSystemId: string, iops: number): void {
  if (state === 'done') return;
  throw new Unsuccessful(
    `${run} ${state}: ${message}. Everything measured is kept; the same command does the rest: ` +
      `npx fsxbench scale metadata ${fileSystemId} --iops ${iops} --measure ${directory}`,
  );
}

function sayMetadata(context: CliContext, change: MetadataChange, measurement: Measurement | null): void {
  const { fileSystemId, from, to, nothing, monthlyUsd, notes } = change;
  if (measurement?.begun) sayBegun(context, measurement, measurement.begun.manifest.run);
  if (nothing && measurement?.begun) return;
  if (nothing) {
    context.out(`${fileSystemId} already has ${to.iops} metadata IOPS, ${to.mode}: nothing to do\n`);
    return;
  }
  context.out(`${fileSystemId}: ${from.iops} metadata IOPS (${from.mode}) → ${to.iops} (${to.mode})\n`);
  context.out(`${costLine(monthlyUsd)}\n`);
  for (const note of notes) context.out(`- ${note}\n`);
  if (measurement !== null && !measurement.begun) sayPlanned(context, measurement);
}

function sayBegun(context: CliContext, { raised }: Measurement, run: string): void {
  const where = raised ? ', after its raise' : '';
  context.out(`resuming ${run}${where}; --new-run would start over\n`);
}

function sayPlanned(context: CliContext, { plan, directory }: Measurement): void {
  const { steps, totals, issues } = plan;
  context.out(
    `- Measures before and after in new directories under ${directory}: ${steps.length} steps, about ${renderDuration(totals.expectedSeconds)}.\n`,
  );
  context.out(renderIssues(issues));
}

/** The measurement in a dry run's JSON. */
function plannedMeasurement({ plan, directory, begun }: Measurement): object {
  const { steps, totals, issues, parameters } = plan;
  const { expectedSeconds } = totals;
  const run = begun?.manifest.run ?? null;
  return { run, directory, state: 'planned', steps: steps.length, expectedSeconds, parameters, issues };
}

function sayMeasured(context: CliContext, { to }: MetadataChange, result: MeasureResult): void {
  const { raiseSeconds, operations, report, run, state } = result;
  if (raiseSeconds !== null)
    context.out(`raised to ${to.iops} metadata IOPS in ${renderDuration(raiseSeconds)}, between the measurements\n`);
  const rows = operations.map(({ operation, unit, before, after, ratio, interval, different, negligible }) => [
    operation,
    renderRate(before),
    renderRate(after),
    unit,
    ratio === null ? '-' : renderChange(ratio),
    interval === null ? '-' : `${renderChange(interval.low)} to ${renderChange(interval.high)}`,
    different === null ? '-' : findingWords(different, negligible),
  ]);
  if (rows.length > 0)
    context.out(
      renderTable(['operation', 'before', 'after', 'unit', 'difference of means', '95 %, together', 'which is'], rows),
    );
  context.out(`report: ${report}\n`);
  if (state === 'done')
    context.out(`With the service's metrics: npx fsxbench collect ${run} && npx fsxbench report ${run}\n`);
}

function findingWords(different: boolean, negligible: boolean | undefined): string {
  if (negligible) return 'not meaningful';
  return different ? 'real' : 'not significant';
}

function costLine({ before, after, difference, reason }: MonthlyUsd): string {
  if (difference === null) return `the extra cost is unknown: ${reason}`;
  const total = before === null || after === null ? '' : `: ${before.toFixed(2)} → ${after.toFixed(2)}`;
  return `${difference.toFixed(2)} USD more per month at list prices${total}`;
}
