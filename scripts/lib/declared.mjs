// The programs that tests may call: those of a minimal Debian, and what assets/lab/needs.tsv declares. On a machine that has more, a test that uses an
// undeclared one fails here and not first on a machine that lacks it. Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { root } from './project.mjs';

/** Directories of Debian's programs. */
const FOLDERS = ['/usr/sbin', '/usr/bin'];
/** Programs that everybody has who got here, wherever they are; Node.js is the one that runs this. */
const PREREQUISITES = ['git', 'npm', 'npx', 'python3'];

const linesOf = (...path) =>
  readFileSync(join(root, ...path), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** A PATH with them alone; the PATH as it is where packages do not say what they hold. */
export function declaredPath() {
  const packages = linesOf('assets/lab/needs.tsv').flatMap((line) => line.split('\t')[1].split(' '));
  const listed = spawnSync('dpkg-query', ['--listfiles', ...new Set(packages)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (listed.error) return process.env.PATH;
  const declared = new Set(listed.stdout.split('\n').map((file) => file.replace(/^\/(s?bin)\//, '/usr/$1/')));
  const minimal = new Set(linesOf('test/fixtures/debian/minbase-programs.txt'));
  const folder = join(root, '.lab', 'declared');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const system of FOLDERS) {
    for (const name of readdirSync(system)) {
      const path = join(system, name);
      if (minimal.has(name) || leadsTo(path).some((one) => declared.has(one))) link(folder, name, path);
    }
  }
  for (const name of PREREQUISITES) {
    const found = (process.env.PATH ?? '')
      .split(delimiter)
      .map((place) => join(place, name))
      .find((path) => existsSync(path));
    if (found) link(folder, name, found);
  }
  link(folder, 'node', process.execPath);
  return folder;
}

/** A file and what it leads to, link by link, as those of Debian's alternatives do. */
function leadsTo(path) {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? [path, ...leadsTo(resolve(dirname(path), readlinkSync(path)))] : [path];
}

function link(folder, name, path) {
  const to = join(folder, name);
  rmSync(to, { force: true });
  // An environment of Python remembers the folder of the Python that made it.
  if (name.startsWith('python3')) writeFileSync(to, `#!/bin/sh\nexec ${path} "$@"\n`, { mode: 0o755 });
  else symlinkSync(path, to);
}
