import { realpath } from 'node:fs/promises';
import { counted } from '../../common/format/units';
import {
  COMPRESSION_TYPES,
  type CompressionChange,
  type CompressionType,
  changeCompression,
  checkCompressionChange,
} from '../../scale/compression';
import { fsxApi } from '../../scale/fileSystem';
import { checkMounted } from '../../scale/mounted';
import { RECOMPRESS_LAYOUTS, type RecompressLayout, type RecompressResult } from '../../scale/recompress';
import { type CliContext, printJson, Unsuccessful, UsageError } from '../context';
import { confirm } from '../input/confirm';
import { quantity, word } from '../input/quantity';
import { renderDuration } from '../render/figures';
import { COUNT, type CommonOptions, refusing, secondsOf, waitOptions } from './scaleOptions';
import { rewrite, sayRewritten, whatIsLeft } from './scaleRecompress';

export interface ScaleCompressionOptions extends CommonOptions {
  readonly type: string;
  readonly recompress?: string;
  readonly layout?: string;
  readonly files?: string;
}

/** `fsxbench scale compression FS --type LZ4|NONE [--recompress DIR]`: switches, waits, rewrites existing files. */
export async function scaleCompressionCommand(
  context: CliContext,
  fileSystemId: string,
  options: ScaleCompressionOptions,
): Promise<void> {
  const { json, dryRun = false, yes = false } = options;
  const type: CompressionType = word('--type', options.type, COMPRESSION_TYPES);
  const concurrency = quantity('--files', options.files, COUNT);
  const layout: RecompressLayout = word('--layout', options.layout ?? 'keep', RECOMPRESS_LAYOUTS);
  const wait = waitOptions(context, options);
  const directory = await realDirectory(options.recompress);
  const api = await fsxApi();
  const change = await refusing(async () => {
    const state = await api.describe(fileSystemId);
    // Checked before anything is changed.
    if (directory !== undefined) checkMounted(directory, type, state);
    return checkCompressionChange(state, type);
  });
  const layouts =
    directory === undefined
      ? null
      : await layoutsWords(context, { directory, type, switched: !change.nothing, concurrency, layout });
  if (!json) sayChange(context, change, directory, layouts);
  if (dryRun || (change.nothing && directory === undefined)) {
    if (json) printDocument(context, change, { dryRun, changed: false, seconds: 0, recompress: null });
    else if (dryRun) context.out('dry run: nothing was changed\n');
    return;
  }
  await confirm(context, question(change, directory, layout === 'default' ? layouts : null), yes);
  const switched = !change.nothing;
  let seconds = 0;
  if (switched) {
    seconds = await secondsOf(() => refusing(() => changeCompression(api, change, { ...wait, mounted: directory })));
    if (!json) context.out(`${fileSystemId} writes ${type} after ${renderDuration(seconds)}\n`);
  }
  const result =
    directory === undefined ? null : await rewrite(context, { directory, type, switched, concurrency, layout });
  if (json) printDocument(context, change, { dryRun, changed: switched, seconds, recompress: result });
  else if (result) sayRewritten(context, result);
  const left = result && whatIsLeft(result);
  if (left) throw new Unsuccessful(left);
}

interface Outcome {
  readonly dryRun: boolean;
  readonly changed: boolean;
  /** Time that the switch took. */
  readonly seconds: number;
  readonly recompress: RecompressResult | null;
}

function printDocument(context: CliContext, change: CompressionChange, outcome: Outcome): void {
  printJson(context, { schema: 'fsxbench.scale/1', action: 'compression', ...change, ...outcome });
}

/**
 * The directory that a path leads to: a link may lead to another file system.
 * @throws UsageError unless there is one
 */
async function realDirectory(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  if (!path.startsWith('/')) throw new UsageError(`'--recompress' must begin with /, got ${path}`);
  return realpath(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`'--recompress' must be a directory on this machine, got ${path} (${code})`);
  });
}

/** What becomes of the layouts of files; the files are counted if theirs would be replaced. */
async function layoutsWords(context: CliContext, options: Parameters<typeof rewrite>[1]): Promise<string> {
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
