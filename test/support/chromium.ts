import { spawnSync } from 'node:child_process';

/**
 * A browser of this computer that starts (Ubuntu's package is a script that asks for a snap), or the one that `FSXBENCH_CHROMIUM` names; without
 * any, tests in a browser are skipped, and say so.
 */
export const executablePath = [
  process.env.FSXBENCH_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && spawnSync(path, ['--version']).status === 0);

if (executablePath === undefined) {
  process.stderr.write('notice: no Chromium here, so no page was tried in a browser (FSXBENCH_CHROMIUM names one)\n');
}
