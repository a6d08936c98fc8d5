import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statusOrNone } from '../../../lib/store/documents';
import { folderOf } from '../../../lib/store/library';
import { PROJECT, startFsxbench } from '../../lab/support';
import { temporaryFolder } from '../../run/bench';
import { until } from '../../support/patience';
import { fsxbenchIn } from '../support';

const folder = temporaryFolder();
const [mount, results, state] = ['mnt', 'results', 'state'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
mkdirSync(mount);
const environment = { ...process.env, XDG_STATE_HOME: state };
const fsxbench = (...argv: string[]) => fsxbenchIn({ root: PROJECT, environment }, argv);
const dataHere = async (...more: string[]) => {
  const answer = await fsxbench('leftovers', '--on', '--json', ...more);
  return { ...answer, data: JSON.parse(answer.out).data as Record<string, unknown>[] };
};
const program = join(folder, 'program');
writeFileSync(program, 'cat /dev/urandom | head -c 8M >"$1/data"; touch "$1/there"; sleep 600\n');
/** Runs a program of the user's that leaves 8 MiB and goes on. */
const start = () => {
  const started = startFsxbench(
    PROJECT,
    ['run', '--on', mount, '--results', results, '--set', 'repeats=1', '--', 'sh', program, '{dir}'],
    environment,
  );
  void started.ended.then(({ output }) => {
    ended += output;
  });
  return started;
};
let ended = '';
/** Waits for something of a run that goes on. */
const during = <T>(what: string, look: () => T | undefined | false) =>
  until(what, () => {
    if (/refusing|failed/.test(ended)) throw new Error(ended);
    return look();
  });
const runs = () => readdirSync(join(mount, 'fsxbench'));
const wrote = (run: string) =>
  readdirSync(join(mount, 'fsxbench', run), { recursive: true, encoding: 'utf8' }).some((name) =>
    name.endsWith('there'),
  );

test('data of a run that was never finished are named with their size, spare one that is running, and can be removed', async () => {
  expect(await dataHere()).toMatchObject({ status: 0, data: [] });
  const killed = start();
  const [first = ''] = await during(
    'the first run',
    () => existsSync(join(mount, 'fsxbench')) && runs().length > 0 && runs(),
  );
  await during('its data', () => wrote(first));
  killed.child.kill('SIGKILL');
  await killed.ended;
  // Whoever works here later is told of the data, and does not measure beside the tool that is still there.
  const second = start();
  const other = await during('the second run', () => runs().find((run) => run !== first));
  await during('its data', () => wrote(other));
  try {
    const events = statusOrNone(folderOf(results, 'MountBench', other))?.sessions?.at(-1)?.events;
    expect(events).toEqual([
      expect.objectContaining({ kind: 'leftovers', message: expect.stringContaining(` of ${first}`) }),
      expect.objectContaining({
        kind: 'other-data',
        message: expect.stringMatching(`data of ${first} in .*8(\\.\\d+)? MiB`),
      }),
    ]);
    // A third beside it would have both measure one another.
    const { output } = await start().ended;
    expect(output).toMatch(`the run ${other} is at work in ${mount} (process ${second.child.pid}), and two at once`);
    expect(runs().sort()).toEqual([first, other].sort());

    const before = await dataHere();
    expect(before.status).toBe(1);
    expect(before.data).toEqual([
      expect.objectContaining({ run: first, path: join(mount, 'fsxbench', first), state: 'left', removed: false }),
      expect.objectContaining({ run: other, state: 'running' }),
    ]);
    expect(before.data[0]?.bytes).toBeGreaterThan(8 * 2 ** 20 - 1);

    // Nobody removes what a person did not agree to.
    expect(await fsxbench('leftovers', '--on', mount, '--remove')).toMatchObject({
      status: 2,
      err: expect.stringContaining('There is no terminal to ask on: add --yes'),
    });
    expect(runs().sort()).toEqual([first, other].sort());
    const after = await dataHere('--remove', '--yes');
    expect(after.status).toBe(0);
    expect(after.data.map(({ removed }) => removed)).toEqual([true, false]);
    expect(runs()).toEqual([other]);
  } finally {
    second.child.kill('SIGINT');
    await second.ended;
  }
});

test('data of a run that this machine did not start are named, and stay', async () => {
  const foreign = join(folder, 'foreign');
  mkdirSync(join(foreign, 'fsxbench', '20261122T120000Z-mount-abcd', 'r1'), { recursive: true });
  writeFileSync(join(foreign, 'fsxbench', '20261122T120000Z-mount-abcd', 'r1', 'data'), 'x');
  const { status, out } = await fsxbench('leftovers', '--on', foreign, '--remove', '--yes');
  expect(status).toBe(1);
  expect(out).toContain('20261122T120000Z-mount-abcd');
  expect(out).toContain('started elsewhere: resume it there, or rm -r');
  expect(existsSync(join(foreign, 'fsxbench', '20261122T120000Z-mount-abcd', 'r1', 'data'))).toBe(true);
});

test('what to remove has to be said', async () => {
  const { status, err } = await fsxbench('leftovers', '--remove');
  expect(status).toBe(2);
  expect(err).toContain('say where with --on');
});
