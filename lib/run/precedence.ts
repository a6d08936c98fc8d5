import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const SESSION = (pid: number | 'self'): string => `/proc/${pid}/autogroup`;

/**
 * Gives this process and its children priority over the machine's other work: on a scale model the tools share processors with it, and
 * limits are to be measured, not spare processors. The servers come first (assets/lab/model/common.sh, `prefer`).
 */
export function raisePriority(): void {
  try {
    setPriority(-10);
    writeFileSync(SESSION('self'), '-10');
  } catch {
    // Without the right to it the run continues, and the model's calibration has said what the machine can do.
  }
}

/**
 * Gives the session of a process that was started detached the place that this one's session has: processors are divided between
 * sessions, whatever the priority of a process within its own, and a new session starts as any other (sched(7), "The autogroup feature").
 */
export function inheritPriority(pid: number): void {
  try {
    const [, nice = '0'] = /nice (-?\d+)/.exec(readFileSync(SESSION('self'), 'utf8')) ?? [];
    if (nice !== '0') writeFileSync(SESSION(pid), nice);
  } catch {
    // No such feature, or the process has ended.
  }
}
