import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/** The unit that assets/client/bin/install-units makes on clients of fsxbench. */
const UNIT = '/etc/systemd/system/fsxbench-tuning.service';
/** Time limit in seconds: that of the unit itself. */
const SECONDS = 600;

/**
 * Settings of the Lustre client (`lctl set_param mdc.*…`) hold for the targets that it knew when they were made. Where a unit of fsxbench
 * made them, it makes them again, for new metadata targets as well; any other client is left as it is.
 *
 * @returns why it could not, in a line; `null` where it did, or had nothing to do
 */
export function tuneAgain({
  unit = UNIT,
  systemctl = 'systemctl',
}: {
  readonly unit?: string;
  readonly systemctl?: string;
} = {}): Promise<string | null> {
  if (!existsSync(unit)) return Promise.resolve(null);
  return new Promise((resolve) => {
    execFile(systemctl, ['restart', basename(unit)], { timeout: SECONDS * 1000 }, (error, _, stderr) => {
      resolve(error === null ? null : `${systemctl} restart ${basename(unit)}: ${stderr.trim() || error.message}`);
    });
  });
}
