import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { benchmarkAround } from '../../benchmark/lookup';
import type { LowHigh } from '../../common/lowHigh';
import type { RunSummary } from '../../report';
import { toolVersions } from '../../run/clients/tools';
import { inLab } from '../../run/deployed';
import { labNotices } from '../../run/deployedManifest';
import { localManifest } from '../../run/localManifest';
import type { FsxApi } from '../../scale/fileSystem';
import { AFTER, BEFORE, goesOnWith, type MeasureRequest, measurePlan, raisedIn, withAfter } from '../../scale/measure';
import { awaitMetadataChange, changeMetadata, checkMetadataChange, type MetadataChange } from '../../scale/metadata';
import { checkMounted } from '../../scale/mounted';
import type { RaiseMetadata } from '../../scale/raise';
import { tuneAgain } from '../../scale/retune';
import type { WaitOptions } from '../../scale/wait';
import type { Plan } from '../../schema/plan';
import type { RunStatus } from '../../schema/run';
import type { StorageChange } from '../../storage/change';
import { type LustreState, Refusal } from '../../storage/lustre/state';
import { readManifest, readSamples, readStatus } from '../../store/documents';
import { RunFolder } from '../../store/folder';
import { readPlan } from '../../store/runnablePlan';
import type { CliContext } from '../context';
import { localSurroundings } from '../input/surroundings';
import { toolSettings } from '../input/tools';
import { usage } from '../plan';
import { writePage } from '../results/report';
import {
  drivenHere,
  keepLocalRun,
  type LocallyDriven,
  localClient,
  refuseErrors,
  reopenLocalRun,
  writableDirectory,
} from '../start/localRun';
import { isLocalRun } from '../start/runLocal';

/** Benchmark that runs before and after a raise. */
const MEASURED = benchmarkAround('metadata');

/** The user's request. */
export interface MeasureOptions {
  /** A directory on the file system, or any directory in the lab. */
  readonly measure: string;
  readonly set: readonly string[];
  readonly results: string;
  /** Start over even if an unfinished run could be resumed. */
  readonly newRun?: boolean;
}

/** A measurement that has been checked; nothing has been changed or written. */
export interface Measurement {
  readonly directory: string;
  readonly plan: Plan;
  /** The unfinished run to resume; `null` for a new one. */
  readonly begun: LocallyDriven | null;
  /** True if the raise was done in an earlier session. */
  readonly raised: boolean;
  readonly state: LustreState;
  readonly change: MetadataChange;
}

/** An operation on both sides of the raise. */
export interface MeasuredOperation {
  readonly operation: string;
  readonly unit: string;
  /** Medians; `null` if there is no value. */
  readonly before: number | null;
  readonly after: number | null;
  /** Geometric means over the repeats, after ÷ before; `null` if one is missing. */
  readonly ratio: number | null;
  readonly interval: LowHigh<number> | null;
  readonly different: boolean | null;
  /** The whole interval lies closer to equality than the smallest difference that matters. */
  readonly negligible?: boolean;
}

/** The result of a measurement. */
export interface MeasureResult {
  readonly run: string;
  readonly folder: string;
  readonly directory: string;
  readonly state: RunStatus['state'];
  readonly message: string;
  readonly resumed: boolean;
  /** The page. */
  readonly report: string;
  /** Seconds that the raise took; `null` if it is not done. */
  readonly raiseSeconds: number | null;
  readonly operations: readonly MeasuredOperation[];
}

/**
 * Checks everything about a measurement around a raise, before anything is changed: the directory, the tools, the plan, the raise itself.
 *
 * @throws Refusal or UsageError with the next step
 */
export async function prepareMeasurement(
  context: CliContext,
  api: FsxApi,
  fileSystemId: string,
  iops: number,
  options: MeasureOptions,
): Promise<Measurement> {
  const state = await api.describe(fileSystemId);
  const lab = inLab(context.environment);
  const directory = writableDirectory('--measure', options.measure);
  if (!lab) checkPlace(directory, state);
  const begun = options.newRun ? null : unfinished(context, options.results, { fileSystemId, iops, directory });
  const raised = begun !== null && raisedIn(readPlan(begun.folder), samplesOf(begun)) !== null;
  if (raised && state.metadataIops !== iops)
    throw new Refusal(
      `${fileSystemId} must have the ${iops} metadata IOPS that ${begun.manifest.run} measures, got ${state.metadataIops}: start over with --new-run`,
    );
  const change = checkMetadataChange(state, iops, api.region, { goesOn: begun !== null });
  const plan = begun
    ? readPlan(begun.folder)
    : await makeMeasurePlan(context, { state, change, lab, directory, set: options.set });
  return { directory, plan, begun, raised, state, change };
}

async function makeMeasurePlan(
  context: CliContext,
  { directory, set, ...request }: Pick<MeasureRequest, 'state' | 'change' | 'lab' | 'set'> & { directory: string },
): Promise<Plan> {
  const tools = await toolVersions(context.environment);
  const { name, aroundChange } = MEASURED;
  const plan = usage(() =>
    measurePlan(MEASURED, {
      ...request,
      set: [...toolSettings(tools, { name, ...aroundChange }, name), ...set],
      // One rank per core with two threads.
      ranksPerClient: request.lab ? MEASURED.lab.fleet.ranksPerClient : Math.max(1, Math.floor(cpus().length / 2)),
      surroundings: localSurroundings([directory], request.lab),
    }),
  );
  refuseErrors(plan);
  return plan;
}

/** Checks that the directory is on the file system to raise, and that the user may place directories on its metadata targets. */
function checkPlace(directory: string, state: LustreState): void {
  const elsewhere = `raise without --measure, or run the same command on a client that has ${state.fileSystemId} mounted`;
  checkMounted({ option: '--measure', directory, elsewhere }, state);
  if (process.getuid?.() !== 0)
    throw new Refusal(
      "'--measure' must be run as root, since it places directories on metadata targets (lfs mkdir) and drops client caches: sudo --preserve-env …",
    );
}

/** The latest unfinished run started by the same command. */
function unfinished(
  context: CliContext,
  results: string,
  wanted: { readonly fileSystemId: string; readonly iops: number; readonly directory: string },
): LocallyDriven | null {
  const runs = join(results, 'runs', MEASURED.name);
  const folders = existsSync(runs) ? readdirSync(runs).sort().reverse() : [];
  for (const run of folders) {
    const folder = join(runs, run);
    if (!isLocalRun(context, folder, results)) continue;
    const begun = reopenLocalRun(context, folder, results);
    if (goesOnWith({ plan: readPlan(folder), client: begun.client, status: readStatus(folder) }, wanted)) return begun;
  }
  return null;
}

const samplesOf = ({ folder }: LocallyDriven) => readSamples(folder).samples;

/** Measures, raises, measures again and writes the report. Even if the raise fails, everything measured is kept and reported. */
export async function measureAround(
  context: CliContext,
  api: FsxApi,
  measurement: Measurement,
  options: MeasureOptions,
  wait: WaitOptions,
): Promise<MeasureResult> {
  const { directory, plan, begun } = measurement;
  const driven = begun ?? (await keep(context, api, measurement, options));
  const { folder, manifest } = driven;
  const status = await drivenHere(context, driven, raiser(context, api, folder, wait)).follow();
  const { page, run: summary } = await writePage(folder);
  return {
    run: manifest.run,
    folder,
    directory,
    state: status.state,
    message: status.message,
    resumed: begun !== null,
    report: page,
    raiseSeconds: raisedIn(plan, samplesOf(driven)),
    operations: operationsOf(summary),
  };
}

async function keep(
  context: CliContext,
  api: FsxApi,
  { directory, plan, state }: Measurement,
  { results }: MeasureOptions,
): Promise<LocallyDriven> {
  const lab = inLab(context.environment);
  const places = new Map([BEFORE, AFTER].map((arm) => [arm, directory]));
  const client = localClient(context, places, await toolVersions(context.environment));
  const { fileSystemId, described } = state;
  const manifest = localManifest(plan, client, {
    lab,
    region: api.region,
    // What FSx says of the second arm is known once it was raised.
    known: (arm) => ({ fileSystemId, describe: arm === BEFORE ? described : null }),
    fleet: { hourlyReason: 'the price of this machine is unknown' },
    notices: [
      ...(lab ? labNotices([{ kind: 'lustre' }]) : []),
      `Both arms are one file system, ${fileSystemId}, before and after a raise.`,
    ],
  });
  return keepLocalRun(context, results, { plan, manifest, client });
}

/** Raises when the plan reaches that step. Checks again first, since hours may have passed. */
function raiser(
  context: CliContext,
  api: FsxApi,
  folder: string,
  wait: WaitOptions,
): StorageChange<RaiseMetadata>['make'] {
  return async ({ fileSystemId, iops }, { say, abort: signal }) => {
    const options = { ...wait, onProgress: say, signal };
    const state = await awaitMetadataChange(api, fileSystemId, options);
    const change = checkMetadataChange(state, iops, api.region);
    const raised = change.nothing ? state : await changeMetadata(api, change, options);
    const untuned = inLab(context.environment) ? null : await tuneAgain();
    if (untuned !== null) context.err(`warning: new metadata targets have the client's default settings: ${untuned}\n`);
    const manifest = withAfter(readManifest(folder), raised.described);
    new RunFolder(folder).write('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  };
}

const operationsOf = ({ comparisons }: RunSummary): MeasuredOperation[] =>
  comparisons.map(({ operation, unit, means, estimate, interval, different, negligible }) => ({
    operation,
    unit,
    before: means[0],
    after: means[1],
    ratio: estimate,
    interval: interval && { low: interval.low, high: interval.high },
    different,
    negligible,
  }));
