import { readFileSync } from 'node:fs';

/** Still there, and not merely waiting to be reaped. */
export const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
