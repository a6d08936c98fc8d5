import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ensureVenv } from '../../lib/lab/venv';
import { PROJECT } from './support';

/** Programs of a minimal system; no Python and no package manager. */
const MINIMAL = 'awk bash cat cut dirname flock grep mkdir rm sha256sum sleep tail timeout tr'.split(' ');

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fsxbench-venv-'));
  mkdirSync(join(root, 'assets/lab'), { recursive: true });
  writeFileSync(join(root, 'assets/lab/requirements.txt'), '# nothing\n');
  mkdirSync(join(root, 'bin'));
  const found = execFileSync('which', MINIMAL, { encoding: 'utf8' }).trim().split('\n');
  for (const path of found) symlinkSync(path, join(root, 'bin', basename(path)));
  symlinkSync(join(PROJECT, 'scripts'), join(root, 'scripts'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A program on a PATH that has nothing but those of a minimal system. */
function program(name: string, script: string): void {
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'bin', name), 0o755);
}

/** Runs the script with only these programs on PATH. */
function setUp(): Promise<{ code: number; stderr: string }> {
  const env = { PATH: join(root, 'bin') };
  return new Promise((resolve) => {
    execFile(join(root, 'scripts/install-python'), { env }, (error, _, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

test('does nothing when nothing has changed', async () => {
  const python = await ensureVenv(PROJECT);
  const said: string[] = [];
  expect(await ensureVenv(PROJECT, (line) => said.push(line))).toBe(python);
  expect(said).toEqual([]);
  expect(existsSync(python)).toBe(true);
});

test('is made again when the requirements change, and after an interruption', async () => {
  const venv = join(root, '.lab/venv');
  program(
    'python3',
    `[ "$1" = -c ] && { echo 3 12; echo venv; exit; }
echo made >>${root}/log; /bin/mkdir -p ${venv}/bin; printf '#!/bin/sh\\necho installed >>${root}/log\\n' >${venv}/bin/python; /bin/chmod +x ${venv}/bin/python`,
  );
  const log = () => readFileSync(join(root, 'log'), 'utf8').split('\n').filter(Boolean);
  expect((await setUp()).code).toBe(0);
  expect((await setUp()).code).toBe(0);
  expect(log()).toEqual(['made', 'installed']);
  rmSync(join(venv, 'fsxbench-stamp'));
  expect((await setUp()).code).toBe(0);
  writeFileSync(join(root, 'assets/lab/requirements.txt'), '# something\n');
  expect((await setUp()).code).toBe(0);
  expect(log()).toHaveLength(6);
});

test.each([
  ['no Python at all', '', 'no python3 is on PATH'],
  ['an old Python', 'echo 3 9; echo venv', 'python3 is 3.9'],
  ['a Python without its venv module', 'echo 3 11; echo none', 'python3 has no venv module'],
])('with %s it says what is missing and what to type', async (_, python, reason) => {
  if (python) program('python3', python);
  for (const name of ['apt-get', 'dnf']) program(name, 'echo "no network" >&2; exit 100');
  const { code, stderr } = await setUp();
  expect(code).toBe(1);
  expect(stderr).toContain(`The lab needs Python 3.10 or newer with its venv module: ${reason}`);
  expect(stderr).not.toContain('    at ');
  if (existsSync('/usr/bin/apt-get')) expect(stderr).toMatch(/apt-get install --yes .*python3-venv/);
});
