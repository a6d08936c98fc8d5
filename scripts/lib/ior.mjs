// IOR for the lab: from the PATH, else built from the pinned archive by the same scripts as on clients.
// Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './project.mjs';
import { ensure } from './system.mjs';
import { told } from './ticker.mjs';

const VERSION = '3.3.0';
const TOOLS = join(root, '.lab/tools');
const BUILD = join(TOOLS, 'build');
const CLIENT = join(root, 'assets/client');
/** After a failed download the archive is not requested again for a day, so that the second quickstart is quick. */
const ASK_AGAIN_MS = 24 * 3600 * 1000;
const ENVIRONMENT = {
  FSXBENCH_HOME: CLIENT,
  FSXBENCH_FETCH_SECONDS: '60',
  FSXBENCH_FETCH_ATTEMPTS: '1',
  FSXBENCH_IOR_VERSION: VERSION,
  FSXBENCH_PREFIX: TOOLS,
  FSXBENCH_BUILD_FOLDER: BUILD,
};

const client = (seconds, script, ...args) =>
  told(`set-up: IOR ${VERSION}: ${script}`, () =>
    spawnSync('bash', [join(CLIENT, 'bin', script), ...args], {
      encoding: 'utf8',
      timeout: seconds * 1000,
      env: { ...process.env, ...ENVIRONMENT },
    }),
  );

/**
 * Makes IOR available to the lab if possible.
 * @returns null if there is an IOR, otherwise why there is none
 */
export function ensureIor(say) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(TOOLS, 'bin')];
  if (folders.some((folder) => existsSync(join(folder, 'ior')))) return null;
  const stamp = join(TOOLS, 'ior-could-not-be-had');
  if (existsSync(stamp) && Date.now() - statSync(stamp).mtimeMs < ASK_AGAIN_MS) return readFileSync(stamp, 'utf8');
  const giveUp = (reason) => {
    writeFileSync(stamp, reason);
    return reason;
  };
  mkdirSync(BUILD, { recursive: true });
  say(`looking for IOR ${VERSION}`);
  const [, sum, url] = /^ior\t3\.3\.0\t(\w+)\t(\S+)$/m.exec(readFileSync(join(CLIENT, 'tools.tsv'), 'utf8')) ?? [];
  const cannot = (missing) => `it cannot be built here: ${missing.join('; ')}`;
  const noCurl = ensure(['curl'], say);
  if (noCurl.length > 0) return cannot(noCurl);
  if (client(90, 'fetch-verified', url, sum, join(BUILD, `ior-${VERSION}.tar.gz`)).status !== 0)
    return giveUp(`${url} cannot be reached`);
  const missing = ensure(['cc', 'stdio.h', 'mpi.h', 'mpirun', 'make', 'autoconf', 'automake', 'libtoolize'], say);
  if (missing.length > 0) return cannot(missing);
  say(`building IOR ${VERSION}, about a minute`);
  const built = client(600, 'build-ior');
  return built.status === 0 ? null : giveUp(`its build failed: ${built.stderr.trim().split('\n').at(-1)}`);
}
