import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plan } from '../../../lib/schema/plan';
import { printedOn } from '../../docs/commands';
import { temporaryFolder } from '../../run/bench';
import { fsxbenchIn } from '../support';

test.each([
  [['run', '--on', '/fsx', '--set', 'repeats=1', 'seconds=10'], 'seconds=10'],
  [['run', '--on', '/fsx', 'seconds=10', '--', 'app', '{dir}'], 'seconds=10'],
  [['plan', '--on', '/fsx', 'app', '{dir}'], 'app'],
  [['plan', 'CompressionBench', 'app', '--scale', 'smoke'], 'app'],
])('%j: a word that stands in no option is no program, and nothing starts', async (argv, word) => {
  expect(await fsxbenchIn({}, argv)).toMatchObject({
    status: 2,
    err: `fsxbench: '${word}' belongs to no option: write --set before each setting, and -- before your own program (-- ./app {dir})\n`,
  });
});

test.each(['--scale=smoke', '--region=us-east-1'])(
  '%s is for a plan of a benchmark, not of a directory',
  async (option) => {
    const [name = ''] = option.split('=');
    expect(await fsxbenchIn({}, ['plan', '--on', '/fsx', option])).toMatchObject({
      status: 2,
      err: `fsxbench: ${name} is for a benchmark: leave it out with --on\n`,
    });
  },
);

test('a program of one’s own stands behind --, with options and a -- of its own', async () => {
  const root = resolve(__dirname, '../../..');
  const argv = ['plan', '--on', temporaryFolder(), '--json', '--', 'srun', '--', 'app', '--set', '{dir}'];
  const { status, out } = await fsxbenchIn({ root }, argv);
  expect(status).toBe(0);
  expect(JSON.stringify(JSON.parse(out).steps)).toMatch(/"srun","--","app","--set","[^"]+"/);
});

const platform = process.platform;
afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

test.each([
  ['run --local', ['run', 'CompressionBench', '--local', 'none=/tmp', 'lz4=/var']],
  ['run --on', ['run', '--on', '/tmp']],
  ['the lab', ['lab', 'up']],
])('%s says on macOS that it needs Linux', async (what, argv) => {
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const { status, err } = await fsxbenchIn({}, argv);
  expect([status, err]).toEqual([
    1,
    `fsxbench: ${what} needs Linux, and this is darwin: use a Linux computer or, on Windows, WSL\n`,
  ]);
});

const PROJECT = resolve(__dirname, '../../..');
const LOG = join(PROJECT, 'test/fixtures/tools/darshan_ior_fpp.out');
const folder = temporaryFolder();
const mount = join(folder, 'fsx');
mkdirSync(mount);

/** On a machine without any tool, and without an ssh or a Slurm that could be asked. */
const fsxbench = (...argv: string[]) =>
  fsxbenchIn({ root: PROJECT, environment: { PATH: folder, HOME: folder } }, argv);

async function planOf(...argv: string[]): Promise<Plan & { readonly said: string }> {
  const { status, out, err } = await fsxbench('plan', '--on', mount, ...argv, '--json');
  expect(`${status}\n${err}`).toMatch(/^0\n/);
  return { ...JSON.parse(out), said: err };
}

const commandsOf = ({ steps }: Plan): string[] => [
  ...new Set(
    steps.flatMap(({ tasks }) =>
      tasks.flatMap(({ action }) => ('command' in action ? [action.command.join(' ')] : [])),
    ),
  ),
];

test('a Darshan log is planned by the command that the page prints, before any node is asked', async () => {
  const [printed = ''] = printedOn('docs/own-program.md').filter((command) => command.includes(' plan --on '));
  const words = printed.replace('npx fsxbench plan --on /fsx ', '').replace('app.darshan', LOG).replace('16', '2');
  const { fleet, parameters, said, ...plan } = await planOf(...words.split(' '));
  expect(fleet.clients).toBe(2);
  expect(parameters).toMatchObject({
    ranksPerClient: 2,
    files: 'own',
    writeBytes: 4 * 2 ** 20,
    readTransferBytes: 2 ** 18,
  });
  expect(commandsOf({ fleet, parameters, ...plan })).toEqual([
    'ior -a POSIX -t 262144 -b 4194304 -s 1 -k -F -w -e -l incompressible -o {dir}/data',
    'ior -a POSIX -t 262144 -b 4194304 -s 1 -k -F -r -C -Q 2 -l incompressible -o {dir}/data',
  ]);
  expect(said).toContain('here the like plan needs IOR 3.3.0 or 4.0.0 and mpirun, found no IOR');
  expect(said).toContain('according to darshan_ior_fpp.out: 4 processes wrote 16 MiB');
  expect(readdirSync(mount)).toEqual([]);
});

test('hosts are counted and not asked, and the plan is printed for people, too', async () => {
  const { fleet, parameters } = await planOf('--hosts', 'a,b,c,d', '--like', LOG, '--ranks', '3');
  expect([fleet.clients, parameters.ranksPerClient]).toEqual([4, 3]);
  const { status, out } = await fsxbench('plan', '--on', mount, '--plan', 'scaling', '--nodes', '4');
  expect(status).toBe(0);
  expect(out).toContain('MountBench');
  expect(out).toContain('mdtest');
});

test('what is measured where it is has no price, which is not a price of nothing: EFS may bill each byte', async () => {
  const costReason = 'the clients and the file system exist already and are not priced';
  for (const more of [[], ['--as', 'efs:efsThroughputMode=elastic']])
    expect((await planOf(...more)).totals).toMatchObject({ costUsd: null, costReason });
});

test.each([
  [['--like', LOG], '--like describes the directory of --on: also give --on'],
  [[], 'or one mounted directory: npx fsxbench plan --on /fsx'],
  [['--on', mount, '--like', '/no/log'], "--like: there is no file '/no/log'"],
  [['--on', mount, '--like', LOG, '--nodes', '3'], 'the program had 4 processes, which 3 clients cannot share evenly'],
  [['--on', mount, '--like', LOG, '--plan', 'mount'], '--like drives IOR as the record says: leave out --plan'],
])('plan %j is wrong usage that says what to do', async (argv, message) => {
  const { status, out, err } = await fsxbench('plan', ...argv);
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
