import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { keepStart } from '../../lib/run/started';
import { folderOf } from '../../lib/store/library';
import { PROJECT } from '../lab/support';
import { localClients, temporaryFolder } from '../run/bench';
import { userNumber } from '../support/users';
import { fsxbenchIn } from './support';

const RUN = '20261122T120000Z-mount-abcd';
const BUILT = join(PROJECT, 'dist/fsxbench.js');
const [owner, other] = [65_534, 65_533].map((id) => userNumber(id, BUILT)) as [
  ReturnType<typeof userNumber>,
  ReturnType<typeof userNumber>,
];

/** A shared file system, and a user with the results and the record of a run that left data there. */
async function world() {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const [shared, home] = ['shared', 'home'].map((name) => join(folder, name)) as [string, string];
  const results = folderOf(join(home, 'results'), 'MountBench', RUN);
  for (const path of [shared, results]) mkdirSync(path, { recursive: true });
  chmodSync(shared, 0o1777);
  writeFileSync(join(results, 'samples.jsonl'), '{}\n');
  const { config: client } = localClients(shared);
  const record = { schema: 'fsxbench.start/1', benchmark: 'MountBench', run: RUN, planSha256: '0'.repeat(64) } as const;
  await keepStart({ XDG_STATE_HOME: join(home, 'state') }, { ...record, stack: null, client, folder: results });
  owner.own(home);
  const run = (user: typeof owner, argv: readonly string[]) => {
    const [program, ...rest] = [...user.prefix, ...argv] as [string, ...string[]];
    const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state') };
    return spawnSync(program, rest, { cwd: folder, env, encoding: 'utf8' });
  };
  return {
    folder,
    shared,
    results: join(results, 'samples.jsonl'),
    as: (user: typeof owner, ...argv: string[]) => expect(run(user, argv).status).toBe(0),
    fsxbench: (...argv: string[]) => run(owner, [process.execPath, BUILT, ...argv]),
  };
}

test("another user's folder that may not be read stops no run, which notes it", async () => {
  const { as, folder, fsxbench, shared } = await world();
  if (other.prefix.length === 0) return;
  as(owner, 'mkdir', '-m', '1777', join(shared, 'fsxbench'));
  as(other, 'mkdir', '-m', '700', join(shared, 'fsxbench', 'theirs'));
  const results = join(folder, 'home', 'results');
  const program = ['--set', 'repeats=1', '--', 'touch', '{dir}/made'];
  const { stderr, status } = fsxbench('run', '--on', shared, '--results', results, ...program);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const run = readdirSync(join(results, 'runs', 'MountBench')).find((name) => name !== RUN) as string;
  const said = readFileSync(join(folderOf(results, 'MountBench', run), 'status.json'), 'utf8');
  expect(said).toContain(`holds data of theirs in ${join(shared, 'fsxbench', 'theirs')} (EACCES)`);
});

test.each<[string, readonly string[]]>([
  ['report/index.html', ['report']],
  ['report/summary.json', ['report']],
  ['report/summary.json', ['list', '--here', '--json']],
  ['report', ['report']],
  ['report/dashboard.html', ['dashboard']],
])('a link at %s, a default name, is not written through by %s', async (name, [command = '', ...more]) => {
  const root = temporaryFolder();
  const own = join(root, 'own');
  mkdirSync(own);
  writeFileSync(join(own, 'file'), 'precious');
  const results = join(root, 'results');
  const run = '20261121T090000Z-aws';
  const folder = folderOf(results, 'CompressionBench', run);
  cpSync(join(PROJECT, 'test/fixtures/runs/aws-compression'), folder, { recursive: true });
  const place = join(folder, name);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(name === 'report' ? own : join(own, 'file'), place);
  const { err } = await fsxbenchIn({ root }, [
    command,
    ...(command === 'list' ? [] : [run]),
    ...more,
    '--results',
    results,
  ]);
  expect(err).toContain(command === 'list' ? '' : 'is a link');
  expect(readFileSync(join(own, 'file'), 'utf8')).toBe('precious');
  expect(readdirSync(own)).toEqual(['file']);
  expect(lstatSync(place).isSymbolicLink()).toBe(true);
});

test('a file that the user names may be a link, and a default name in this folder may not', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'target'), '');
  for (const name of ['typed', 'explore.html']) symlinkSync('target', join(root, name));
  const explore = (...argv: string[]) =>
    spawnSync(process.execPath, [BUILT, 'explore', ...argv], { cwd: root, encoding: 'utf8' });
  const refused = explore();
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('remove the link')]);
  expect(readFileSync(join(root, 'target'), 'utf8')).toBe('');
  expect(explore('--html', 'typed').status).toBe(0);
  expect(readFileSync(join(root, 'target'), 'utf8')).toContain('<!doctype html>');
});
