import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_STATUSES } from '../../lib/cli/context';
import { EXAMPLES, makeProgram } from '../../lib/cli/program';
import { temporaryFolder } from '../run/bench';
import { fsxbench, fsxbenchIn, PROJECT } from './support';

test('names its commands', async () => {
  const { status, out } = await fsxbench('--help');
  expect(status).toBe(0);
  for (const command of ['plan', 'cost', 'run', 'watch', 'list', 'collect', 'report', 'parse', 'doctor', 'lab'])
    expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test('help ends with examples that are commands with options as they are', async () => {
  const { out } = await fsxbench('--help');
  for (const line of EXAMPLES) {
    expect(out).toContain(`  ${line}\n`);
    const words = line.split(' ').slice(2);
    const { status, out: help } = await fsxbench(...words.filter((word) => /^[a-z]+$/.test(word)), '--help');
    expect(status).toBe(0);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(help).toContain(option);
  }
});

test('every command, and every command below it, has examples with options that it has, and a page that is there', async () => {
  const program = makeProgram({ root: PROJECT, out: () => {}, err: () => {}, environment: {}, interactive: false });
  type Below = readonly [path: string[], command: (typeof program.commands)[number]];
  const below = (command: typeof program, path: string[] = []): Below[] =>
    command.commands
      .filter((one) => !('_hidden' in one && one._hidden))
      .flatMap((one) => [[[...path, one.name()], one] as const, ...below(one, [...path, one.name()])]);
  const all = below(program);
  expect(all.length).toBeGreaterThan(25);
  for (const [path, command] of all) {
    const { out } = await fsxbench(...path, '--help');
    expect([path, existsSync(join(PROJECT, /^(docs\/\S+) explains it\.$/m.exec(out)?.[1] ?? 'none'))]).toEqual([
      path,
      true,
    ]);
    const examples = [...out.matchAll(/^ {2}npx fsxbench (.*)$/gm)].map(([, line = '']) => line.split(' -- ')[0] ?? '');
    expect([path, examples.length > 0]).toEqual([path, true]);
    for (const words of examples.map((line) => line.split(' '))) {
      const meant = all.filter(([own]) => own.every((word, index) => words[index] === word)).at(-1)?.[1] ?? command;
      for (const option of words.filter((word) => word.startsWith('--')))
        expect([words, meant.options.map(({ long }) => long)]).toEqual([words, expect.arrayContaining([option])]);
    }
  }
});

test('a TMPDIR that is not there, such as one of a job that has ended, is left alone', () => {
  const folder = temporaryFolder();
  const argv = [join(PROJECT, 'dist/fsxbench.js'), 'plan', '--on', folder, '--', 'ls', '{dir}'];
  const env = { ...process.env, TMPDIR: join(folder, 'gone') };
  const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  expect(stderr).not.toContain('mkdtemp');
  expect(status).toBe(0);
});

test('help and docs/commands.md name every exit status', async () => {
  const [{ out }, page] = [await fsxbench('--help'), readFileSync(join(PROJECT, 'docs/commands.md'), 'utf8')];
  for (const { status, meaning } of EXIT_STATUSES) {
    expect(out).toContain(`  ${status}  ${meaning}\n`);
    expect(page).toContain(`| ${status} | ${meaning} |\n`);
  }
});

test.each(['-V', '--version'])('%s prints the version', async (flag) => {
  expect(await fsxbench(flag)).toMatchObject({
    status: 0,
    out: `${JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).version}\n`,
  });
});

describe('wrong input gets one clear line on stderr, status 2 and nothing on stdout', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a'));
  mkdirSync(join(folder, 'b'));
  test.each([
    [['parse', 'no-such-file.out'], "fsxbench: there is no file 'no-such-file.out': name the output of a tool"],
    [['parse', folder], `fsxbench: '${folder}' is not a file: name the raw output itself`],
    [
      ['run', 'CompressionBench', '--local', 'none'],
      "fsxbench: --local takes arm=directory, such as none=/mnt/a lz4=/mnt/b, got 'none'",
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`],
      'fsxbench: --local needs at least two directories, got 1',
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`, `lz4=${folder}/c`],
      `fsxbench: --local lz4: there is no directory ${folder}/c: mount the file system, or create it`,
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`, `none=${folder}/b`],
      "fsxbench: --local names the arm 'none' twice",
    ],
    [
      ['run', 'CompressionBench', '--local', `none=${folder}/a`, `lz4=${folder}/b/../a`],
      `fsxbench: --local lz4: ${folder}/b/../a is also the directory of 'none': use one directory per arm`,
    ],
  ])('%j', async (argv, line) => {
    const { status, out, err } = await fsxbench(...argv);
    expect(err.startsWith(line)).toBe(true);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect([status, out]).toEqual([2, '']);
  });

  test.each([
    [['nosuch', '--help'], 'fsxbench --help names the commands'],
    [['estimate', 'nosuch', '-h'], 'fsxbench estimate takes compression: fsxbench estimate --help explains it'],
  ])('%j is no success: there is no such command', async (argv, help) => {
    const err = `fsxbench: unknown command 'nosuch' (${help})\n`;
    expect(await fsxbench(...argv)).toEqual({ status: 2, out: '', err });
    for (const known of [['help'], ['--help'], ['help', 'estimate'], ['estimate', 'help'], ['--help', 'parse']])
      expect(await fsxbench(...known)).toMatchObject({ status: 0, err: '' });
  });

  test.each(['AWS_REGION', 'AWS_DEFAULT_REGION'])('a Region that does not exist is told from %s', async (variable) => {
    const world = { root: PROJECT, environment: { [variable]: 'us-est-1' } };
    expect(await fsxbenchIn(world, ['cost', 'CompressionBench'])).toEqual({
      status: 2,
      out: '',
      err: `fsxbench: '${variable}' must be the name of a Region such as us-east-1, got 'us-est-1': did you mean us-east-1?\n`,
    });
  });
});

test.each(['', 'estimate', 'scale', 'lab'])(
  "'%s' without a command below it shows the commands, and is wrong usage",
  async (name) => {
    const { status, out, err } = await fsxbenchIn({}, name === '' ? [] : [name]);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^Usage: fsxbench .*\n[\s\S]*Commands:\n/);
  },
);

test.each([
  [['estimate', 'compression'], 'fsxbench estimate compression --help names the options'],
  [['estimate', 'size'], 'fsxbench estimate takes compression: fsxbench estimate --help explains it'],
  [['guess'], 'fsxbench --help names the commands'],
  [['lab', 'up', '--fast'], 'fsxbench lab up --help names the options'],
])('wrong usage points to the help of the very command: %j', async (argv, help) => {
  const { status, err } = await fsxbenchIn({}, argv);
  expect(status).toBe(2);
  expect(err).toMatch(/^fsxbench: [^\n]*\n$/);
  expect(err).toContain(`(${help})`);
});
