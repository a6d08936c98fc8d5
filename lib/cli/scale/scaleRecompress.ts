import { join } from 'node:path';
import { bytes, counted } from '../../common/format/units';
import {
  type RecompressOptions,
  type RecompressProgress,
  type RecompressResult,
  recompress,
} from '../../scale/recompress';
import type { CliContext } from '../context';
import { abortable } from '../input/interrupt';
import { renderDuration } from '../render/figures';

/** Milliseconds between two lines of progress. */
const PROGRESS_EVERY = 5000;

/** Rewrites files, and prints how far it is; after Ctrl-C, those at hand are finished. */
export function rewrite(
  context: CliContext,
  options: Pick<RecompressOptions, 'directory' | 'type' | 'switched' | 'concurrency'>,
): Promise<RecompressResult> {
  const script = join(context.root, 'assets/storage/lustre/recompress');
  let saidAt = 0;
  const onProgress = (progress: RecompressProgress): void => {
    if (Date.now() - saidAt < PROGRESS_EVERY) return;
    saidAt = Date.now();
    context.err(`${progressLine(progress)}\n`);
  };
  return abortable((signal) => recompress({ ...options, script, signal, onProgress }), ['SIGINT']);
}

function progressLine({ found, complete, done, failed, bytesBefore, bytesAfter }: RecompressProgress): string {
  const total = complete ? `${found}` : `${found} or more`;
  return `${done} of ${total} files, ${failed} failed, ${bytes(bytesBefore)} became ${bytes(bytesAfter)}`;
}

/** Prints the result of a rewriting. */
export function sayRewritten(context: Pick<CliContext, 'out' | 'err'>, result: RecompressResult): void {
  const { done, skipped, logicalBytes, dataBytes, bytesAfter, bytesSaved, ratio, seconds, failures, journal } = result;
  const sizes = logicalBytes > dataBytes ? ` (${bytes(logicalBytes)} by their sizes)` : '';
  context.out(`${counted(done, 'file')} with ${bytes(dataBytes)} of data${sizes} take ${bytes(bytesAfter)} on disk`);
  context.out(`${ratio === null ? '' : `, ratio ${ratio.toFixed(2)}:1`}\n`);
  const saved = bytesSaved < 0 ? `takes ${bytes(-bytesSaved)} more` : `saved ${bytes(bytesSaved)}`;
  context.out(`${saved}, in ${renderDuration(seconds)}; ${skipped} empty or gone; journal: ${journal}\n`);
  for (const { path, reason } of failures) context.err(`${path}: ${reason}\n`);
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
