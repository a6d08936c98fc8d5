import { SingleBar } from 'cli-progress';
import { printable } from '../../kit/format/printable';
import type { RunStatus } from '../../schema/run';
import type { CliContext } from '../context';
import { renderDuration } from './table';

/** Shows the progress of a run. */
export interface ProgressDisplay {
  show(status: RunStatus): void;
  stop(): void;
}

/** A bar on a terminal; otherwise, such as in CI, a line every few seconds. */
export function makeProgress(context: CliContext): ProgressDisplay {
  return context.interactive ? bar() : lines(context);
}

function bar(): ProgressDisplay {
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
      const payload = { message: printable(status.message), eta_text: etaOf(status) };
      if (started) single.update(status.stepsDone, payload);
      else single.start(status.stepsTotal, status.stepsDone, payload);
      started = true;
    },
    stop() {
      if (started) single.stop();
    },
  };
}

/** Milliseconds between two log lines. */
const LINE_EVERY = 5000;

function lines(context: CliContext): ProgressDisplay {
  let last = 0;
  return {
    show(status) {
      if (status.endedAt === null && Date.now() - last < LINE_EVERY) return;
      context.err(`${status.stepsDone}/${status.stepsTotal} steps · ${status.message} · ${etaOf(status)}\n`);
      last = Date.now();
    },
    stop() {},
  };
}

function etaOf(status: RunStatus): string {
  if (status.endedAt !== null) return status.state;
  return status.etaSeconds == null ? 'no estimate yet' : `${renderDuration(status.etaSeconds)} left`;
}
