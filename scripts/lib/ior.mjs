// IOR for the lab: from the PATH, else built from the pinned archive by the same scripts as on clients.
// Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './project.mjs';
import { ensure } from './system.mjs';
import { told } from './ticker.mjs';

const VERSION = '3.3.0';
/** After a failed download the archive is not requested again for a day, so that the second quickstart is quick. */
const ASK_AGAIN_MS = 24 * 3600 * 1000;

const onPath = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/**
 * Makes IOR available to the lab if possible.
 * @returns null if there is an IOR, otherwise why there is none
 */
export function ensureIor(say) {
  const tools = join(root, '.lab', 'tools');
  if (onPath('ior') || existsSync(join(tools, 'bin', 'ior'))) return null;
  const stamp = join(tools, 'ior-could-not-be-had');
  if (existsSync(stamp) && Date.now() - statSync(stamp).mtimeMs < ASK_AGAIN_MS) return readFileSync(stamp, 'utf8');

  const build = join(tools, 'build');
  mkdirSync(build, { recursive: true });
  const client = (script, args, seconds, environment = {}) =>
    told(`set-up: IOR ${VERSION}: ${script}`, () =>
      spawnSync('bash', [join(root, 'assets', 'client', 'bin', script), ...args], {
        encoding: 'utf8',
        timeout: seconds * 1000,
        env: {
          ...process.env,
          FSXBENCH_HOME: join(root, 'assets', 'client'),
          FSXBENCH_FETCH_SECONDS: '60',
          FSXBENCH_FETCH_ATTEMPTS: '1',
          ...environment,
        },
      }),
    );
  const giveUp = (reason) => {
    writeFileSync(stamp, reason);
    return reason;
  };

  const [, sum, url] =
    /^ior\t3\.3\.0\t(\w+)\t(\S+)$/m.exec(readFileSync(join(root, 'assets', 'client', 'tools.tsv'), 'utf8')) ?? [];
  say(`looking for IOR ${VERSION}`);
  const cannot = (missing) => `it cannot be built here: ${missing.join('; ')}`;
  const noCurl = ensure(['curl'], say);
  if (noCurl.length > 0) return cannot(noCurl);
  const fetched = client('fetch-verified', [url, sum, join(build, `ior-${VERSION}.tar.gz`)], 90);
  if (fetched.status !== 0) return giveUp(`${url} cannot be reached`);
  const missing = ensure(['cc', 'stdio.h', 'mpi.h', 'mpirun', 'make', 'autoconf', 'automake', 'libtoolize'], say);
  if (missing.length > 0) return cannot(missing);
  say(`building IOR ${VERSION}, about a minute`);
  const built = client('build-ior', [], 600, {
    FSXBENCH_IOR_VERSION: VERSION,
    FSXBENCH_PREFIX: tools,
    FSXBENCH_BUILD_FOLDER: build,
  });
  return built.status === 0 ? null : giveUp(`its build failed: ${built.stderr.trim().split('\n').at(-1)}`);
}
