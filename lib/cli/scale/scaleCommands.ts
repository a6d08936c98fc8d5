import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnanswered } from '../../common/aws/explain';
import { wholeFrom } from '../../common/field';
import { bytes, counted } from '../../common/format/units';
import type { Dashboard } from '../../dashboard/graph';
import { inLab } from '../../run/deployed';
import {
  COMPRESSION_TYPES,
  type CompressionChange,
  type CompressionType,
  changeCompression,
  checkCompressionChange,
} from '../../scale/compression';
import { checkId, type FsxApi, fsxApi, type WaitOptions } from '../../scale/fileSystem';
import { changeMetadata, checkMetadataChange, type MetadataChange, type MonthlyUsd } from '../../scale/metadata';
import {
  checkMounted,
  RECOMPRESS_LAYOUTS,
  type RecompressLayout,
  type RecompressOptions,
  type RecompressProgress,
  type RecompressResult,
  recompress,
} from '../../scale/recompress';
import { dashboardOfFileSystem } from '../../storage/lustre/dashboard';
import {
  describeLustre,
  isMetadataIops,
  METADATA_IOPS_ALLOWED,
  nextMetadataIops,
} from '../../storage/lustre/documented';
import { Refusal } from '../../storage/lustre/state';
import { type CliContext, printJson, Unsuccessful, UsageError } from '../context';
import { confirm } from '../input/confirm';
import { quantity, word } from '../input/quantity';
import { renderDuration } from '../render/answer';

/** Milliseconds between two lines of progress. */
const PROGRESS_EVERY = 5000;

/** Rewrites or only counts files, and prints how far it is. Ctrl-C finishes the files at hand, a second one breaks them off. */
export async function rewrite(
  context: CliContext,
  options: Pick<RecompressOptions, 'directory' | 'type' | 'switched' | 'layout' | 'survey'>,
): Promise<RecompressResult> {
  const script = join(context.root, 'assets/storage/lustre/recompress');
  let saidAt = 0;
  const onProgress = (progress: RecompressProgress): void => {
    if (Date.now() - saidAt < PROGRESS_EVERY) return;
    saidAt = Date.now();
    context.err(`${progressLine(progress, options.survey ?? false)}\n`);
  };
  const [stop, breakOff] = [new AbortController(), new AbortController()];
  const onSignal = (): void => {
    // A third one ends this process.
    if (stop.signal.aborted) process.removeListener('SIGINT', onSignal);
    (stop.signal.aborted ? breakOff : stop).abort();
  };
  process.on('SIGINT', onSignal);
  try {
    return await recompress({ ...options, script, signal: stop.signal, breakOff: breakOff.signal, onProgress });
  } finally {
    process.removeListener('SIGINT', onSignal);
  }
}

function progressLine(progress: RecompressProgress, survey: boolean): string {
  const { found, complete, done, failed, bytesBefore, bytesAfter } = progress;
  if (survey) return `${counted(found, 'file')} found`;
  const total = complete ? `${found}` : `${found} or more`;
  return `${done} of ${total} files, ${failed} failed, ${bytes(bytesBefore)} became ${bytes(bytesAfter)}`;
}

export function sayRewritten(context: Pick<CliContext, 'out' | 'err'>, result: RecompressResult): void {
  const { found, done, skipped, released, ownLayout, remaining, failures, journal } = result;
  const { logicalBytes, dataBytes, bytesAfter, bytesSaved, ratio, seconds } = result;
  const sizes = logicalBytes > dataBytes ? ` (${bytes(logicalBytes)} by their sizes)` : '';
  context.out(`${counted(done, 'file')} with ${bytes(dataBytes)} of data${sizes} take ${bytes(bytesAfter)} on disk`);
  context.out(`${ratio === null ? '' : `, ratio ${ratio.toFixed(2)}:1`}\n`);
  const saved = bytesSaved < 0 ? `takes ${bytes(-bytesSaved)} more` : `saved ${bytes(bytesSaved)}`;
  const others = [
    ...(ownLayout > 0 ? [`${ownLayout} had another layout than the default`] : []),
    `${skipped} empty or gone`,
    ...(released > 0 ? [`${released} released to S3`] : []),
    ...(remaining > 0 ? [`${remaining} not reached`] : []),
  ];
  context.out(
    `${saved}, in ${renderDuration(seconds)}; of ${counted(found, 'file')} ${others.join(', ')}; journal: ${journal}\n`,
  );
  for (const { path, reason } of failures) context.err(`${path}: ${reason}\n`);
}

/** Words on the files that were not rewritten, and the next step; `null` if all were. */
export function remainingSummary(
  result: Pick<RecompressResult, 'state' | 'failed' | 'leftAlone' | 'unknown' | 'nextSteps'>,
): string | null {
  const { state, failed, leftAlone, unknown, nextSteps } = result;
  const lines = nextSteps.map(({ files, next }) => `- ${counted(files, 'file')}: ${next}`);
  if (state === 'interrupted') lines.unshift('- interrupted: run the same command again to finish');
  if (lines.length === 0) return null;
  const counts = [
    ...(failed > 0 ? [`${counted(failed, 'file')} failed`] : []),
    ...(leftAlone > 0 ? [`${counted(leftAlone, 'file')} left unchanged`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'file')} with an unknown layout`] : []),
  ];
  return [`not everything was rewritten${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`, ...lines].join('\n');
}

export interface ScaleCompressionOptions extends CommonOptions {
  readonly type: string;
  readonly recompress?: string;
  readonly layout?: string;
}

/** `fsxbench scale compression FS --type LZ4|NONE [--recompress DIR]`: switches, waits, rewrites existing files. */
export async function scaleCompressionCommand(
  context: CliContext,
  fileSystemId: string,
  options: ScaleCompressionOptions,
): Promise<void> {
  const { json, dryRun = false, yes = false } = options;
  const type: CompressionType = word('--type', options.type, COMPRESSION_TYPES);
  const layout: RecompressLayout = word('--layout', options.layout ?? 'keep', RECOMPRESS_LAYOUTS);
  const directory = await realDirectory(options.recompress);
  const api = await fsxApi();
  const change = await refusing(async () => {
    const state = await api.describe(fileSystemId);
    // Checked before anything is changed.
    if (directory !== undefined) checkMounted(directory, type, state);
    return checkCompressionChange(state, type);
  });
  const switched = !change.nothing;
  const work = directory === undefined ? null : { directory, type, switched, layout };
  const layouts = work && (await describeLayouts(context, work));
  const document = { schema: 'fsxbench.scale/1', action: 'compression', ...change, dryRun };
  if (!json) sayChange(context, change, directory, layouts);
  if (dryRun || (change.nothing && directory === undefined)) {
    if (json) printJson(context, { ...document, changed: false, seconds: 0, recompress: null });
    else if (dryRun) context.out('dry run: nothing was changed\n');
    return;
  }
  await confirm(context, question(change, directory, layout === 'default' ? layouts : null), yes);
  const doSwitch = () => changeCompression(api, change, { ...waitOptions(context), mounted: directory });
  const seconds = switched ? await secondsOf(() => refusing(doSwitch)) : 0;
  if (switched && !json) context.out(`${fileSystemId} writes ${type} after ${renderDuration(seconds)}\n`);
  const result = work && (await rewrite(context, work));
  if (json) printJson(context, { ...document, changed: switched, seconds, recompress: result });
  else if (result) sayRewritten(context, result);
  const left = result && remainingSummary(result);
  if (left) throw new Unsuccessful(left);
}

/** The directory that a path leads to: a link may lead to another file system. @throws UsageError unless there is one */
async function realDirectory(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  if (!path.startsWith('/')) throw new UsageError(`'--recompress' must begin with /, got ${path}`);
  return realpath(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`'--recompress' must be a directory on this computer, got ${path} (${code})`);
  });
}

/** Says whether files keep their stripe layouts. If not, it first counts the files that lose theirs. */
async function describeLayouts(context: CliContext, options: Parameters<typeof rewrite>[1]): Promise<string> {
  if (options.layout === 'keep') return 'Each file keeps its stripe layout.';
  const { state, ownLayout, remaining } = await rewrite(context, { ...options, survey: true });
  if (state === 'interrupted') throw new Unsuccessful('nothing was changed');
  return `${ownLayout} of ${counted(remaining, 'file')} lose their own stripe layout: --layout keep keeps it.`;
}

function question({ nothing }: CompressionChange, directory: string | undefined, lost: string | null): string {
  if (directory === undefined) return 'Switch it?';
  return `${lost === null ? '' : `${lost} `}${nothing ? 'Rewrite' : 'Switch it and rewrite'} ${directory}?`;
}

function sayChange(
  context: CliContext,
  change: CompressionChange,
  directory: string | undefined,
  layouts: string | null,
): void {
  const { fileSystemId, from, to, nothing, notes } = change;
  context.out(
    nothing ? `${fileSystemId} already writes ${to}\n` : `${fileSystemId}: compression ${from} becomes ${to}\n`,
  );
  const [existing, price] = notes;
  const rewritten = `Files under ${directory} are rewritten one by one; files that cannot be (open for writing, immutable, mirrored) are left unchanged and named.`;
  for (const note of [directory === undefined ? existing : rewritten, layouts, price])
    if (note) context.out(`- ${note}\n`);
}

/** `fsxbench scale metadata FS --iops N`: shows the cost, raises, waits. */
export async function scaleMetadataCommand(
  context: CliContext,
  fileSystemId: string,
  options: CommonOptions & { readonly iops: string },
): Promise<void> {
  const iops = quantity('--iops', options.iops, wholeFrom(1)) as number;
  const api = await askable(fileSystemId, iops);
  const change = await refusing(async () => checkMetadataChange(await api.describe(fileSystemId), iops, api.region));
  const document = { schema: 'fsxbench.scale/1', action: 'metadata', ...change };
  if (!options.json) sayMetadata(context, change);
  if (change.nothing || options.dryRun) {
    if (options.json) printJson(context, { ...document, dryRun: options.dryRun ?? false, changed: false, seconds: 0 });
    else if (options.dryRun) context.out('dry run: nothing was changed\n');
    return;
  }
  const { difference } = change.monthlyUsd;
  const extra = difference === null ? '' : ` for an extra ${difference.toFixed(2)} USD per month`;
  await confirm(context, `Raise them${extra}?`, options.yes ?? false);
  const seconds = await secondsOf(() => changeMetadata(api, change, waitOptions(context)));
  if (options.json) printJson(context, { ...document, dryRun: false, changed: true, seconds });
  else context.out(`${fileSystemId} has ${iops} metadata IOPS after ${renderDuration(seconds)}\n`);
}

/** Reads the file system, whose type limits the IOPS. If AWS cannot be reached, only general limits are checked. @throws UsageError */
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

function sayMetadata(context: CliContext, { fileSystemId, from, to, nothing, monthlyUsd, notes }: MetadataChange) {
  if (nothing) {
    context.out(`${fileSystemId} already has ${to.iops} metadata IOPS, ${to.mode}: nothing to do\n`);
    return;
  }
  context.out(`${fileSystemId}: ${from.iops} metadata IOPS (${from.mode}) → ${to.iops} (${to.mode})\n`);
  context.out(`${costLine(monthlyUsd)}\n`);
  for (const note of notes) context.out(`- ${note}\n`);
}

function costLine({ before, after, difference, reason }: MonthlyUsd): string {
  if (difference === null) return `the extra cost is unknown: ${reason}`;
  const total = before === null || after === null ? '' : `: ${before.toFixed(2)} → ${after.toFixed(2)}`;
  return `${difference.toFixed(2)} USD more per month at list prices${total}`;
}

/** Options of all `scale` commands. */
export interface CommonOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Options of a wait for a change: polling interval in seconds, and progress on stderr. */
export const waitOptions = (context: CliContext): WaitOptions => ({
  everySeconds: inLab(context.environment) ? 0.2 : undefined,
  onProgress: (message) => context.err(`${message}\n`),
});

export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(error.message);
    throw error;
  }
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = Date.now();
  await work();
  return (Date.now() - started) / 1000;
}

/** The dashboard of any FSx for Lustre file system of the account, as deployed now. @throws UsageError for any other file system */
export async function dashboardNow(fileSystemId: string): Promise<{ region: string; dashboard: Dashboard }> {
  const api = await fsxApi();
  const { configuration, metadataIops } = await refusing(() => api.describe(fileSystemId));
  const { region } = api;
  const description = `${describeLustre(configuration)}${metadataIops === null ? ', no metadata configuration' : ''}`;
  const known = { fileSystemId, key: fileSystemId, configuration, metadataIops };
  return { region, dashboard: dashboardOfFileSystem({ ...known, region, description }) };
}
