// Installs ParallelCluster's schema and validators, .lab/parallelcluster, from assets/parallelcluster/requirements.txt, for the lab's Python; does
// nothing if they are up to date.
//
// usage: node scripts/lib/parallelcluster.mjs [ROOT]
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureVenv, SetUpError } from './venv.mjs';

const run = promisify(execFile);
const MINUTES = 5;

async function ensureParallelCluster(root) {
  const requirements = join(root, 'assets/parallelcluster/requirements.txt');
  const folder = join(root, '.lab/parallelcluster');
  const { python, made } = await ensureVenv({ root, onProgress: (line) => process.stderr.write(`${line}\n`) });
  const wanted = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const stamp = join(folder, 'fsxbench-stamp');
  if (!made && (await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
  const draft = `${folder}.${process.pid}`;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
  try {
    await run(python, [...pip, '--target', draft, '--requirement', requirements], { timeout: MINUTES * 60_000 });
    await writeFile(join(draft, 'fsxbench-stamp'), wanted);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (error) {
    const said = String(error.stderr ?? error.message).trim();
    throw new SetUpError(
      `pip could not install assets/parallelcluster/requirements.txt:\n${said}\nIt needs the package index (PyPI): check the network or pip's configuration, then run the command again.`,
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

try {
  await ensureParallelCluster(resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..')));
} catch (error) {
  process.stderr.write(`${error instanceof SetUpError ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
