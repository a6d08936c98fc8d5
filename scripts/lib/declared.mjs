// The programs that tests may call: those of a minimal Debian, and what assets/lab/needs.tsv declares. On a machine that has more, a test that uses an
// undeclared one fails here and not first on a machine that lacks it. Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { root } from './project.mjs';

const AS_TEXT = { encoding: 'utf8', maxBuffer: 1 << 26 };
const linesOf = (path) => fs.readFileSync(join(root, path), 'utf8').match(/^[^#\n].*/gm);

/** A file and what it leads to, link by link, as those of Debian's alternatives do. */
function leadsTo(path) {
  const isLink = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? [path, ...leadsTo(resolve(path, '..', fs.readlinkSync(path)))] : [path];
}

/** A PATH with them alone; the PATH as it is where packages do not say what they hold. */
export function declaredPath() {
  const packages = linesOf('assets/lab/needs.tsv').flatMap((line) => line.split('\t')[1].split(' '));
  const { stdout, error } = spawnSync('dpkg-query', ['--listfiles', ...new Set(packages)], AS_TEXT);
  if (error) return process.env.PATH;
  const declared = new Set(stdout.split('\n').map((file) => file.replace(/^\/(s?bin)\//, '/usr/$1/')));
  const minimal = new Set(linesOf('test/fixtures/debian/minbase-programs.txt'));
  const all = ['/usr/sbin', '/usr/bin'].flatMap((system) => fs.readdirSync(system).map((name) => join(system, name)));
  const allowed = all.filter((path) => minimal.has(basename(path)) || leadsTo(path).some((one) => declared.has(one)));
  // Programs that everybody has who got here, wherever they are; Node.js is the one that runs this.
  const had = spawnSync('bash', ['-c', 'command -v git npm npx python3'], AS_TEXT).stdout.split('\n');
  const programs = [...allowed, ...had.slice(0, -1)].map((path) => [basename(path), path]);
  const folder = join(root, '.lab/declared');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, path] of new Map([...programs, ['node', process.execPath]])) {
    // An environment of Python remembers the folder of the Python that made it.
    if (!name.startsWith('python3')) fs.symlinkSync(path, join(folder, name));
    else fs.writeFileSync(join(folder, name), `#!/bin/sh\nexec ${path} "$@"\n`, { mode: 0o755 });
  }
  return folder;
}
