import { join } from 'node:path';
import { type CliContext, printJson, Unsuccessful } from '../../../cli/context';
import { confirm } from '../../../cli/input/confirm';
import { abortable } from '../../../cli/input/interrupt';
import { quantity, word } from '../../../cli/input/quantity';
import { renderDuration } from '../../../cli/render/table';
import { bytes, counted } from '../../../kit/format/units';
import {
  COMPRESSION_TYPES,
  type CompressionChange,
  type CompressionType,
  changeCompression,
  checkCompressionChange,
} from '../scale/compression';
import { type FsxApi, fsxApi } from '../scale/fileSystem';
import {
  checkMounted,
  type RecompressOptions,
  type RecompressProgress,
  type RecompressResult,
  recompress,
  recompressed,
} from '../scale/recompress';
import { COUNT, type CommonOptions, refusing, waitOptions } from './scaleOptions';

export interface ScaleCompressionOptions extends CommonOptions {
  readonly type: string;
  readonly recompress?: string;
  readonly files?: string;
}

/** `fsxbench scale compression FS --type LZ4|NONE [--recompress DIR]`: switches, waits, rewrites existing files. */
export async function scaleCompressionCommand(
  context: CliContext,
  fileSystemId: string,
  options: ScaleCompressionOptions,
): Promise<void> {
  const type: CompressionType = word('--type', options.type, COMPRESSION_TYPES);
  const concurrency = quantity('--files', options.files, COUNT);
  const wait = waitOptions(context, options);
  const api = await fsxApi();
  const directory = options.recompress?.replace(/(?<=.)\/+$/, '');
  const change = await refusing(async () => {
    const state = await api.describe(fileSystemId);
    // Checked before anything is changed.
    if (directory !== undefined) checkMounted(recompressed(directory, type), state);
    return checkCompressionChange(state, type);
  });
  if (!options.json) sayCompression(context, change, directory);
  const { notes, ...facts } = change;
  const document = { schema: 'fsxbench.scale/1', action: 'compression', ...facts, notes };
  if (options.dryRun || (change.nothing && directory === undefined)) {
    if (options.json)
      printJson(context, {
        ...document,
        dryRun: options.dryRun ?? false,
        changed: false,
        seconds: 0,
        recompress: null,
      });
    else if (options.dryRun) context.out('dry run: nothing was changed\n');
    return;
  }
  await confirm(
    context,
    directory === undefined ? 'Switch it?' : `Switch it and rewrite ${directory}?`,
    options.yes ?? false,
  );
  const started = Date.now();
  if (!change.nothing)
    await refusing(() => switchCompression(context, api, change, { ...wait, mounted: directory }, options));
  const seconds = (Date.now() - started) / 1000;
  const result =
    directory === undefined
      ? null
      : await rewrite(context, { directory, type, switched: !change.nothing, concurrency });
  if (options.json)
    printJson(context, { ...document, dryRun: false, changed: !change.nothing, seconds, recompress: result });
  else if (result) sayRewritten(context, result);
  const left = result && whatIsLeft(result);
  if (left) throw new Unsuccessful(left);
}

/** Words on the files that were not rewritten, and the next step; `null` if all were. */
export function whatIsLeft({
  state,
  failed,
  leftAlone,
  nextSteps,
}: Pick<RecompressResult, 'state' | 'failed' | 'leftAlone' | 'nextSteps'>): string | null {
  const lines = nextSteps.map(({ files, next }) => `- ${counted(files, 'file')}: ${next}`);
  if (state === 'interrupted') lines.unshift('- interrupted: run the same command again to finish');
  if (lines.length === 0) return null;
  const counts = [
    ...(failed > 0 ? [`${counted(failed, 'file')} failed`] : []),
    ...(leftAlone > 0 ? [`${counted(leftAlone, 'file')} left unchanged`] : []),
  ];
  return [`not everything was rewritten${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`, ...lines].join('\n');
}

async function switchCompression(
  context: CliContext,
  api: FsxApi,
  change: CompressionChange,
  wait: Parameters<typeof changeCompression>[2],
  { json }: CommonOptions,
): Promise<void> {
  const started = Date.now();
  await changeCompression(api, change, wait);
  if (!json)
    context.out(`${change.fileSystemId} writes ${change.to} after ${renderDuration((Date.now() - started) / 1000)}\n`);
}

function rewrite(
  context: CliContext,
  options: Pick<RecompressOptions, 'directory' | 'type' | 'switched' | 'concurrency'>,
): Promise<RecompressResult> {
  const script = join(context.root, 'assets/storage/lustre/recompress');
  let said = 0;
  const onProgress = (progress: RecompressProgress): void => {
    if (Date.now() - said < PROGRESS_EVERY) return;
    said = Date.now();
    context.err(`${progressLine(progress)}\n`);
  };
  return abortable((signal) => recompress({ ...options, script, signal, onProgress }), ['SIGINT']);
}

/** Milliseconds between two lines of progress. */
const PROGRESS_EVERY = 5000;

function progressLine({ found, complete, done, failed, bytesBefore, bytesAfter }: RecompressProgress): string {
  const total = complete ? `${found}` : `${found} or more`;
  return `${done} of ${total} files, ${failed} failed, ${bytes(bytesBefore)} became ${bytes(bytesAfter)}`;
}

export function sayRewritten(context: Pick<CliContext, 'out' | 'err'>, result: RecompressResult): void {
  const { done, skipped, logicalBytes, dataBytes, bytesAfter, bytesSaved, ratio, seconds, failures, journal } = result;
  const sizes = logicalBytes > dataBytes ? ` (${bytes(logicalBytes)} by their sizes)` : '';
  context.out(`${counted(done, 'file')} with ${bytes(dataBytes)} of data${sizes} take ${bytes(bytesAfter)} on disk`);
  context.out(`${ratio === null ? '' : `, ratio ${ratio.toFixed(2)}:1`}\n`);
  const saved = bytesSaved < 0 ? `takes ${bytes(-bytesSaved)} more` : `saved ${bytes(bytesSaved)}`;
  context.out(`${saved}, in ${renderDuration(seconds)}; ${skipped} empty or gone; journal: ${journal}\n`);
  for (const { path, reason } of failures) context.err(`${path}: ${reason}\n`);
}

function sayCompression(context: CliContext, change: CompressionChange, directory: string | undefined): void {
  const { fileSystemId, from, to, nothing, notes } = change;
  context.out(
    nothing ? `${fileSystemId} already writes ${to}\n` : `${fileSystemId}: compression ${from} becomes ${to}\n`,
  );
  const [written, price] = notes;
  if (directory === undefined) context.out(`- ${written}\n`);
  else
    context.out(
      `- Files under ${directory} are rewritten one by one; files that cannot be (open for writing, immutable, mirrored) are left unchanged and named.\n`,
    );
  context.out(`- ${price}\n`);
}
