import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const SESSION = (pid: number | 'self'): string => `/proc/${pid}/autogroup`;

/** Prefers this process and its children, since a scale model shares processors with its tools. Its servers come first (assets/lab/model/common.sh, `prefer`). */
export function raisePriority(): void {
  try {
    setPriority(-10);
    writeFileSync(SESSION('self'), '-10');
  } catch {
    // Without the right to it the run continues, and the model's calibration has said what the machine can do.
  }
}

/** Gives a detached process's session this one's priority: a new session starts as any other, and sessions share the processors (sched(7), autogroup). */
export function inheritPriority(pid: number): void {
  try {
    const [, nice = '0'] = /nice (-?\d+)/.exec(readFileSync(SESSION('self'), 'utf8')) ?? [];
    if (nice !== '0') writeFileSync(SESSION(pid), nice);
  } catch {
    // No such feature, or the process has ended.
  }
}
