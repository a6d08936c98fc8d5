// Installs what checks need beyond the lab's Python, for its interpreter, each into .lab/NAME from assets/NAME/requirements.txt: ParallelCluster's
// schema and validators, and Checkov. Does nothing if they are up to date.
//
// usage: node scripts/lib/pythonTools.mjs NAME…
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './project.mjs';
import { ensureVenv, SetUpError } from './venv.mjs';

const run = promisify(execFile);
const MINUTES = 10;

async function ensure(name, { python, made }) {
  const requirements = join(root, `assets/${name}/requirements.txt`);
  const folder = join(root, '.lab', name);
  const wanted = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  if (!made && (await readFile(join(folder, 'fsxbench-stamp'), 'utf8').catch(() => '')) === wanted) return;
  process.stderr.write(`installing ${name} for the lab's Python\n`);
  const draft = `${folder}.${process.pid}`;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes'];
  try {
    // Python compiles what is imported: all of it would take longer than the rest.
    await run(python, [...pip, '--no-compile', '--target', draft, '--requirement', requirements], {
      timeout: MINUTES * 60_000,
    });
    await writeFile(join(draft, 'fsxbench-stamp'), wanted);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (error) {
    const said = String(error.stderr ?? error.message).trim();
    throw new SetUpError(
      `pip could not install assets/${name}/requirements.txt:\n${said}\nIt needs the package index (PyPI): check the network or pip's configuration, then run the command again.`,
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

try {
  const python = await ensureVenv({ root, onProgress: (line) => process.stderr.write(`${line}\n`) });
  await Promise.all(process.argv.slice(2).map((name) => ensure(name, python)));
} catch (error) {
  process.stderr.write(`${error instanceof SetUpError ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
