import { singleLine } from '../../common/format/text';
import type { RunStatus } from '../../schema/run';
import type { CliContext } from '../context';
import { renderDuration, renderRange } from './answer';
import { progressLog } from './progressLog';

interface ProgressDisplay {
  show(status: RunStatus): void;
  stop(): void;
}

const lineOf = (status: RunStatus): string =>
  `${status.stepsDone}/${status.stepsTotal} steps · ${singleLine(status.message)} · ${etaOf(status)}`;

/** A line that is redrawn on a terminal; otherwise, such as in CI, a line every few seconds. */
export function makeProgress(context: CliContext): ProgressDisplay {
  const { interactive, redraw, err } = context;
  if (!interactive || redraw === undefined) return lines(context);
  let shown = false;
  return {
    show(status) {
      shown = true;
      redraw(lineOf(status));
    },
    stop() {
      if (shown) err('\n');
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
      say(lineOf(status), singleLine(status.message));
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
