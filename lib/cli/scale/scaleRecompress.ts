import { join } from 'node:path';
import { bytes, counted } from '../../common/format/units';
import {
  type RecompressOptions,
  type RecompressProgress,
  type RecompressResult,
  recompress,
} from '../../scale/recompress';
import type { CliContext } from '../context';
import { renderDuration } from '../render/figures';

/** Milliseconds between two lines of progress. */
const PROGRESS_EVERY = 5000;

/** Rewrites or only counts files, and prints how far it is. Ctrl-C finishes the files at hand, a second one breaks them off. */
export async function rewrite(
  context: CliContext,
  options: Pick<RecompressOptions, 'directory' | 'type' | 'switched' | 'concurrency' | 'layout' | 'survey'>,
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

/** Prints the result of a rewriting. */
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
export function whatIsLeft({
  state,
  failed,
  leftAlone,
  unknown,
  nextSteps,
}: Pick<RecompressResult, 'state' | 'failed' | 'leftAlone' | 'unknown' | 'nextSteps'>): string | null {
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
