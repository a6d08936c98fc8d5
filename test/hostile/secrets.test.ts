import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { fsxbenchIn } from '../cli/support';
import { temporaryFolder } from '../run/bench';
import { stacksWith } from '../support/cdk';

/*
 * Secrets are planted where a user has them, and then everything that fsxbench writes, prints or starts is searched for them.
 */
const ROOT = join(__dirname, '..', '..');
const SECRETS = {
  AWS_ACCESS_KEY_ID: 'AKIAPLANTEDPLANTED00',
  AWS_SECRET_ACCESS_KEY: 'planted/secret+access+key',
  AWS_SESSION_TOKEN: 'planted-session-token',
  GITHUB_TOKEN: 'ghp_plantedplantedplanted',
  DATABASE_URL: 'postgres://user:planted-password@db',
} as const;

/** Patterns of secrets, whoever planted them. */
const SHAPES =
  /AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY|gh[pousr]_\w{20}|aws_secret_access_key\s*[=:]/;

const before = { ...process.env };
beforeAll(() => Object.assign(process.env, SECRETS));
afterAll(() => {
  for (const name of Object.keys(SECRETS)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

/** Secrets in a text, by name. */
const secretsIn = (text: string): string[] => [
  ...Object.entries(SECRETS).flatMap(([name, value]) => (text.includes(value) ? [name] : [])),
  ...(SHAPES.exec(text) ?? []),
];

/** Every file below a folder that has a secret, and how many were searched. */
function searched(folder: string): { files: number; found: string[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return {
    files: files.length,
    found: files.flatMap((name) =>
      secretsIn(readFileSync(join(folder, name), 'latin1')).map((secret) => `${name}: ${secret}`),
    ),
  };
}

test('no template, user data or asset of any stack has one', () => {
  const outdir = temporaryFolder();
  for (const definition of BENCHMARKS) {
    const folder = join(outdir, definition.name);
    stacksWith({}, undefined, undefined, definition, folder).app.synth();
  }
  const { files, found } = searched(outdir);
  expect(files).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

describe('a run', () => {
  const folder = temporaryFolder();
  const results = join(folder, 'results');
  const processes = join(folder, 'processes');
  let said = '';

  beforeAll(async () => {
    for (const arm of ['slow', 'fast']) mkdirSync(join(folder, arm));
    // The output of `ps` for every user, as the measured program itself sees it.
    const program = join(folder, 'program');
    writeFileSync(
      program,
      `#!/bin/sh\nfor p in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <"$p"; echo; done >>'${processes}' 2>/dev/null\n:\n`,
    );
    chmodSync(program, 0o755);
    const local = ['--local', `slow=${join(folder, 'slow')}`, `fast=${join(folder, 'fast')}`];
    const set = ['--set', 'repeats=2', '--set', 'dropCaches=false', '--results', results];
    const world = { root: ROOT, environment: { ...SECRETS, PATH: process.env.PATH ?? '' } };
    const done = await fsxbenchIn(world, ['run', 'CompressionBench', ...local, ...set, '--', program, '{dir}']);
    expect(done.err).toContain('every step is done');
    const [run = ''] = readdirSync(join(results, 'runs', 'CompressionBench'));
    said = done.out + done.err;
    for (const form of [[], ['--json'], ['--csv'], ['--markdown']]) {
      const { out, err } = await fsxbenchIn(world, ['report', run, '--results', results, ...form]);
      said += out + err;
    }
  }, 120_000);

  test('writes none to plan, manifest, samples, raw output, environment, log or report', () => {
    const { files, found } = searched(results);
    expect(files).toBeGreaterThan(8);
    expect(found).toEqual([]);
  });

  test('prints none, and starts no process with one in its arguments', () => {
    expect(secretsIn(said)).toEqual([]);
    const seen = readFileSync(processes, 'utf8');
    expect(seen).toContain(join(folder, 'program'));
    expect(secretsIn(seen)).toEqual([]);
  });
});

test('a planted secret is found, in a file and by its shape', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ key: SECRETS.AWS_SECRET_ACCESS_KEY }));
  writeFileSync(join(folder, 'id'), '-----BEGIN OPENSSH PRIVATE KEY-----');
  expect(searched(folder).found.sort()).toEqual([
    'id: -----BEGIN OPENSSH PRIVATE KEY',
    'manifest.json: AWS_SECRET_ACCESS_KEY',
  ]);
});
