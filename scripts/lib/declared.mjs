// The programs that tests may call: those of a minimal Debian, and what assets/lab/needs.tsv declares. On a machine that has more, a test that uses an
// undeclared one fails here and not first on a machine that lacks it. Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { root } from './project.mjs';

/** Directories of Debian's programs. */
const FOLDERS = ['/usr/sbin', '/usr/bin'];
/** Programs that everybody has who got here, wherever they are; Node.js is the one that runs this. */
const PREREQUISITES = ['git', 'npm', 'npx', 'python3'];

const linesOf = (path) => fs.readFileSync(join(root, path), 'utf8').match(/^[^#\n].*/gm);

/** A PATH with them alone; the PATH as it is where packages do not say what they hold. */
export function declaredPath() {
  const packages = linesOf('assets/lab/needs.tsv').flatMap((line) => line.split('\t')[1].split(' '));
  const { stdout, error } = spawnSync('dpkg-query', ['--listfiles', ...new Set(packages)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (error) return process.env.PATH;
  const declared = new Set(stdout.split('\n').map((file) => file.replace(/^\/(s?bin)\//, '/usr/$1/')));
  const minimal = new Set(linesOf('test/fixtures/debian/minbase-programs.txt'));
  const folder = join(root, '.lab/declared');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const link = (name, path) => {
    const to = join(folder, name);
    fs.rmSync(to, { force: true });
    // An environment of Python remembers the folder of the Python that made it.
    if (name.startsWith('python3')) fs.writeFileSync(to, `#!/bin/sh\nexec ${path} "$@"\n`, { mode: 0o755 });
    else fs.symlinkSync(path, to);
  };
  for (const path of FOLDERS.flatMap((system) => fs.readdirSync(system).map((name) => join(system, name)))) {
    const name = path.slice(dirname(path).length + 1);
    if (minimal.has(name) || leadsTo(path).some((one) => declared.has(one))) link(name, path);
  }
  for (const name of PREREQUISITES) {
    const places = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name));
    const found = places.find((path) => fs.existsSync(path));
    if (found) link(name, found);
  }
  link('node', process.execPath);
  return folder;
}

/** A file and what it leads to, link by link, as those of Debian's alternatives do. */
function leadsTo(path) {
  const isLink = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? [path, ...leadsTo(resolve(dirname(path), fs.readlinkSync(path)))] : [path];
}
