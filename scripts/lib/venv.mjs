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
import { install } from './system.mjs';

const run = promisify(execFile);
const MINIMUM = [3, 10]; // required by moto 5.2.5
const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const PACKAGES = { apt: 'python3 python3-venv', dnf: 'python3.11 python3.11-pip' };
const INSTALL_MS = 600_000;

/** An error that the user must fix; `message` is complete and needs no stack trace. */
export class SetUpError extends Error {}

const sayError = (line) => process.stderr.write(`${line}\n`);

/** Does the work of a script; an error ends it with status 1, and without a stack trace if the user must fix it. */
export const reporting = (work) =>
  work().catch((error) => {
    sayError(error instanceof SetUpError ? error.message : error.stack);
    process.exitCode = 1;
  });

/** True if a folder was made from this file of requirements. */
async function isMadeFrom(requirements, folder) {
  return (await readFile(join(folder, 'fsxbench-stamp'), 'utf8').catch(() => '')) === (await stampOf(requirements));
}

const stampOf = async (requirements) =>
  createHash('sha256')
    .update(`1\n${await readFile(requirements, 'utf8')}`)
    .digest('hex');

/** Installs what a file names into a folder. The file has all that is needed, so pip has nothing to resolve. */
async function pipInstall(python, root, name, folder, options) {
  const file = join(root, `assets/${name}/requirements.txt`);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes', '--no-deps'];
  await run(python, [...pip, ...options, '--requirement', file], { timeout: INSTALL_MS, maxBuffer: 1 << 24 }).catch(
    (error) => {
      const said = String(error.stderr ?? error.message)
        .trim()
        .split('\n')
        .slice(-5)
        .join('\n');
      throw new SetUpError(
        `pip could not install assets/${name}/requirements.txt:\n${said}\nIt needs the package index (PyPI): check the network or pip's configuration, then run the command again.`,
      );
    },
  );
  // Written last, by rename: an interrupted set-up has no stamp and is repeated.
  const stamp = join(folder, 'fsxbench-stamp');
  await writeFile(`${stamp}.new`, await stampOf(file));
  await rename(`${stamp}.new`, stamp);
}

/**
 * Returns the lab's Python, creating or updating it first.
 *
 * @param {{root: string, onProgress?: (line: string) => void}} options the project's folder; called with one line per step
 * @returns {Promise<{python: string, made: boolean}>} path of the interpreter; true if anything had to be done
 */
export async function ensureVenv({ root, onProgress = () => {} }) {
  const venv = join(root, '.lab/venv');
  const python = join(venv, 'bin/python');
  const isUpToDate = async () =>
    existsSync(python) && (await isMadeFrom(join(root, 'assets/lab/requirements.txt'), venv));
  if (await isUpToDate()) return { python, made: false };

  await mkdir(join(root, '.lab'), { recursive: true });
  return await withLock(join(root, '.lab/venv.lock'), async () => {
    // Another process may have created it while this one waited.
    if (await isUpToDate()) return { python, made: false };
    const system = await findPython(onProgress);
    onProgress(`creating the lab's Python environment (${system})`);
    await rm(venv, { recursive: true, force: true });
    await run(system, ['-m', 'venv', venv], { timeout: INSTALL_MS });
    await pipInstall(python, root, 'lab', venv, []);
    return { python, made: true };
  });
}

/** Installs assets/NAME/requirements.txt for that Python into .lab/NAME, if it is not there. */
export async function ensureTool(root, name, { python, made }) {
  const folder = join(root, '.lab', name);
  if (!made && (await isMadeFrom(join(root, `assets/${name}/requirements.txt`), folder))) return;
  sayError(`installing ${name} for the lab's Python`);
  const draft = `${folder}.${process.pid}`;
  try {
    // Python compiles what is imported: all of it would take longer than the rest.
    await pipInstall(python, root, name, draft, ['--no-compile', '--target', draft]);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The first Python that is new enough and can create environments; installed if permitted. */
async function findPython(onProgress) {
  const found = await usablePython();
  if (found.python) return found.python;
  const problem = `The lab needs Python ${MINIMUM.join('.')} or newer with its venv module: ${found.reason}.`;
  onProgress(problem);
  install([PACKAGES], onProgress);
  const installed = await usablePython();
  if (installed.python) return installed.python;
  throw new SetUpError(
    `${problem}\nInstall it, then run the command again:\n  apt-get install --yes ${PACKAGES.apt}\n  dnf install --assumeyes ${PACKAGES.dnf}`,
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
  const deadline = Date.now() + 1.5 * INSTALL_MS;
  while (
    !(await mkdir(lock).then(
      () => true,
      (error) => error.code !== 'EEXIST' && Promise.reject(error),
    ))
  ) {
    const age = Date.now() - ((await stat(lock).catch(() => null))?.mtimeMs ?? Date.now());
    if (age > 30_000) await rmdir(lock).catch(() => {});
    else if (Date.now() > deadline) throw new SetUpError(`another process holds ${lock}; remove it if there is none`);
    else await new Promise((done) => setTimeout(done, 500));
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
  await reporting(async () => process.stdout.write(`${(await ensureVenv({ root, onProgress: sayError })).python}\n`));
}
