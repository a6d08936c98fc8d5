import { SingleBar } from 'cli-progress';
import { printable, singleLine } from '../../common/format/text';
import type { RunStatus } from '../../schema/run';
import type { CliContext } from '../context';
import { renderDuration, renderRange } from './answer';
import { progressLog } from './progressLog';

interface ProgressDisplay {
  show(status: RunStatus): void;
  stop(): void;
}

/** A bar on a terminal; otherwise, such as in CI, a line every few seconds. */
export const makeProgress = (context: CliContext): ProgressDisplay =>
  context.interactive ? bar(context) : lines(context);

function bar({ err }: CliContext): ProgressDisplay {
  const single = new SingleBar({
    format: '{bar} {value}/{total} steps · {eta_text} · {message}',
    hideCursor: true,
    clearOnComplete: false,
    barsize: 24,
    etaBuffer: 1,
  });
  let started = false;
  return {
    show(status) {
      const payload = { message: printable(singleLine(status.message)), eta_text: etaOf(status) };
      if (started) single.update(status.stepsDone, payload);
      else single.start(status.stepsTotal, status.stepsDone, payload);
      started = true;
      // The bar writes by itself.
      err('');
    },
    stop() {
      if (started) single.stop();
    },
  };
}

/** Minimum milliseconds between two log lines: below the driver's heartbeat, so each heartbeat gets a line. */
const LINE_EVERY = 4000;

function lines(context: CliContext): ProgressDisplay {
  let last = 0;
  const write = (line: string): void => context.err(`${line}\n`);
  const { say, stop } = progressLog(write, undefined, "waiting for the driver's first word");
  return {
    show(status) {
      if (status.endedAt === null && Date.now() - last < LINE_EVERY) return;
      const message = singleLine(status.message);
      say(`${status.stepsDone}/${status.stepsTotal} steps · ${message} · ${etaOf(status)}`, message);
      last = Date.now();
    },
    stop,
  };
}

/** Ends of an estimate that are shown as one number: they differ by no more than this. */
const STEADY = 1.25;

/** Time left, as two ends until these come near to one another. */
export function etaOf(status: RunStatus): string {
  const { state, endedAt, etaSeconds, etaLowSeconds: low = 0, etaHighSeconds: high = 0 } = status;
  if (endedAt !== null) return state;
  if (etaSeconds == null) return 'no estimate yet';
  return high <= STEADY * low + 1 ? `${renderDuration(etaSeconds)} left` : `${renderRange(low, high)} left`;
}
