// Creates the lab's Python environment, .lab/venv, from assets/lab/requirements.txt; does nothing if it is up to date.
// Uses only Node's own modules, since it runs before anything is built.
//
// usage: node scripts/lib/venv.mjs [ROOT]     prints the environment's python on stdout, progress on stderr
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MINIMUM = [3, 10]; // required by moto 5.2.5
const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const INSTALL_MINUTES = 10;

/** An error that the user must fix; `message` is complete and needs no stack trace. */
export class SetUpError extends Error {}

/**
 * Returns the lab's Python, creating or updating it first.
 *
 * @param {{root: string, onProgress?: (line: string) => void}} options the project's folder; called with one line per step
 * @returns {Promise<{python: string, made: boolean}>} path of the interpreter; true if anything had to be done
 */
export async function ensureVenv({ root, onProgress = () => {} }) {
  const requirements = join(root, 'assets/lab/requirements.txt');
  const venv = join(root, '.lab/venv');
  const python = join(venv, 'bin/python');
  const stamp = join(venv, 'fsxbench-stamp');
  const wanted = createHash('sha256')
    .update(`1\n${await readFile(requirements, 'utf8')}`)
    .digest('hex');
  if (await upToDate(python, stamp, wanted)) return { python, made: false };

  await mkdir(join(root, '.lab'), { recursive: true });
  return await withLock(join(root, '.lab/venv.lock'), async () => {
    // Another process may have created it while this one waited.
    if (await upToDate(python, stamp, wanted)) return { python, made: false };
    const system = await findPython(onProgress);
    onProgress(`creating the lab's Python environment (${system})`);
    await rm(venv, { recursive: true, force: true });
    await run(system, ['-m', 'venv', venv], { timeout: INSTALL_MINUTES * 60_000 });
    // The file has all that is needed, so pip has nothing to resolve.
    const locked = ['--require-hashes', '--no-deps', '--requirement', requirements];
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...locked];
    try {
      await run(python, pip, { timeout: INSTALL_MINUTES * 60_000, maxBuffer: 1 << 24 });
    } catch (error) {
      const said = String(error.stderr ?? error.message)
        .trim()
        .split('\n')
        .slice(-5)
        .join('\n');
      throw new SetUpError(
        `pip could not install assets/lab/requirements.txt:\n${said}\nIt needs the package index (PyPI): check the network or pip's configuration, then run the command again.`,
      );
    }
    // Written last, by rename: an interrupted set-up has no stamp and is repeated.
    await writeFile(`${stamp}.new`, wanted);
    await rename(`${stamp}.new`, stamp);
    return { python, made: true };
  });
}

async function upToDate(python, stamp, wanted) {
  if (!existsSync(python)) return false;
  return (await readFile(stamp, 'utf8').catch(() => '')) === wanted;
}

/** The first Python that is new enough and can create environments; installed if permitted. */
async function findPython(onProgress) {
  const found = await usablePython();
  if (found.python) return found.python;
  const root = process.getuid?.() === 0;
  const installer = [
    {
      manager: 'apt-get',
      commands: [
        ['apt-get', 'update'],
        ['apt-get', 'install', '--yes', '--no-install-recommends', 'python3', 'python3-venv'],
      ],
    },
    { manager: 'dnf', commands: [['dnf', 'install', '--assumeyes', 'python3.11', 'python3.11-pip']] },
  ].find(({ manager }) => existsSync(`/usr/bin/${manager}`));
  const manual = installer
    ? installer.commands.map((command) => `  ${root ? '' : 'sudo '}${command.join(' ')}`).join('\n')
    : '  Python 3.10 or newer with its venv module';
  const problem = `The lab needs Python ${MINIMUM.join('.')} or newer with its venv module: ${found.reason}.`;
  if (!root || !installer) throw new SetUpError(`${problem}\nInstall it, then run the command again:\n${manual}`);
  onProgress(`${problem} Installing it with ${installer.manager}`);
  for (const [command, ...args] of installer.commands) {
    const options = {
      timeout: 300_000,
      maxBuffer: 1 << 24,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    // A failed update may still leave usable lists; the installation says whether they are.
    await run(command, args, options).catch((error) =>
      onProgress(`${command} failed: ${String(error.stderr).trim().split('\n').at(-1)}`),
    );
  }
  const installed = await usablePython();
  if (installed.python) return installed.python;
  throw new SetUpError(
    `${problem}\n${installer.manager} could not install it. Install it manually, then run the command again:\n${manual}`,
  );
}

async function usablePython() {
  let reason = 'no python3 is on PATH';
  for (const name of PYTHONS) {
    const script =
      'import sys; print(*sys.version_info[:2])\ntry:\n import venv, ensurepip; print("venv")\nexcept ImportError: print("none")';
    const answer = await run(name, ['-c', script], { timeout: 120_000 }).catch(() => null);
    if (answer === null) continue;
    const [version, module] = answer.stdout.trim().split('\n');
    const [major, minor] = version.split(' ').map(Number);
    if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) reason = `${name} is ${major}.${minor}`;
    else if (module !== 'venv') reason = `${name} has no venv module`;
    else return { python: name };
  }
  return { python: null, reason };
}

/** Allows one set-up at a time: the lock is a folder, which is created atomically; a stale lock is taken over. */
async function withLock(lock, work) {
  const deadline = Date.now() + (INSTALL_MINUTES + 5) * 60_000;
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const age = Date.now() - ((await stat(lock).catch(() => null))?.mtimeMs ?? Date.now());
      if (age > 30_000) await rmdir(lock).catch(() => {});
      else if (Date.now() > deadline) throw new SetUpError(`another process holds ${lock}; remove it if there is none`);
      else await new Promise((done) => setTimeout(done, 500));
    }
  }
  const renewal = setInterval(() => utimes(lock, new Date(), new Date()).catch(() => {}), 5_000);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await rmdir(lock).catch(() => {});
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..'));
  try {
    const { python } = await ensureVenv({ root, onProgress: (line) => process.stderr.write(`${line}\n`) });
    process.stdout.write(`${python}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof SetUpError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}
