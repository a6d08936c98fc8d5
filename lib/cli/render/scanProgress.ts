import type { EstimateProgress } from '../../estimate/options';
import { renderBytes } from '../../estimate/render';
import type { CliContext } from '../context';
import { renderDuration } from './table';

/** Milliseconds between two log lines. */
const LINE_EVERY = 5000;

/** Seconds of reading before a rate is shown. */
const ETA_AFTER = 1;

/** Shows the progress of a scan on stderr: a redrawn line on a terminal, otherwise a line every few seconds. */
export function makeScanProgress(context: CliContext): { show(progress: EstimateProgress): void; stop(): void } {
  let last: number | undefined;
  return {
    show(progress) {
      if (context.interactive) {
        context.redraw?.(renderProgress(progress));
      } else if (last === undefined || Date.now() - last >= LINE_EVERY) {
        context.err(`${renderProgress(progress)}\n`);
      } else return;
      last = Date.now();
    },
    stop() {
      if (context.interactive && last !== undefined) context.redraw?.('');
    },
  };
}

/** `12.4 of 80.0 GB (15 %) · 812 of 4,000 files · 1.1 GB/s · 1 min 02 s left`; without a complete list there is no time left. */
export function renderProgress(progress: EstimateProgress): string {
  const { bytesDone, bytesListed, filesDone, filesListed, listed, seconds } = progress;
  const rate = seconds > 0 ? bytesDone / seconds : 0;
  const share = bytesListed > 0 ? ` (${Math.floor((100 * bytesDone) / bytesListed)} %)` : '';
  const left = !listed
    ? 'still listing'
    : bytesDone >= bytesListed
      ? 'done'
      : rate > 0 && seconds >= ETA_AFTER
        ? `${renderDuration((bytesListed - bytesDone) / rate)} left`
        : 'no estimate yet';
  return [
    `${renderBytes(bytesDone)} of ${listed ? '' : 'at least '}${renderBytes(bytesListed)}${listed ? share : ''}`,
    `${filesDone.toLocaleString('en')} of ${filesListed.toLocaleString('en')} files`,
    `${renderBytes(rate)}/s`,
    left,
  ].join(' · ');
}
