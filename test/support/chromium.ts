import { existsSync } from 'node:fs';

/** A browser of this machine, or the one that `FSXBENCH_CHROMIUM` names; without any, tests in a browser are skipped, and say so. */
export const executablePath = [
  process.env.FSXBENCH_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

if (executablePath === undefined) {
  process.stderr.write('notice: no Chromium here, so no page was tried in a browser (FSXBENCH_CHROMIUM names one)\n');
}
