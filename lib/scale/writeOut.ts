import { spawn } from 'node:child_process';
import { Refusal } from '../storage/lustre/state';

/** Longer than a client needs for its cache of unwritten data, some gigabytes at most (osc.*.max_dirty_mb). */
const SECONDS = 600;

/**
 * Sends what this machine still holds of a file system to its servers. They compress data when they arrive, so that those written before a switch
 * would be stored by the new setting, and `du` would have nothing to compare with.
 *
 * @throws Refusal before anything is changed
 */
export function writeOut(directory: string, { sync = 'sync', seconds = SECONDS } = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(sync, ['--file-system', directory], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: process.env,
    });
    const refuse = (reason: string): void =>
      reject(
        new Refusal(
          `'--recompress' must write out first what this machine holds of ${directory}: ${sync} --file-system ${reason}. Nothing was switched`,
        ),
      );
    const timer = setTimeout(() => {
      // One that hangs in the kernel cannot be ended, and nobody waits for it.
      child.kill('SIGKILL');
      child.unref();
      refuse(`took more than ${seconds} s`);
    }, seconds * 1000);
    child.once('error', ({ message }) => {
      clearTimeout(timer);
      refuse(`cannot be run (${message})`);
    });
    child.once('exit', (status) => {
      clearTimeout(timer);
      if (status === 0) resolve();
      else refuse(`ended with status ${status}`);
    });
  });
}
