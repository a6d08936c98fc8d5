import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftovers } from '../../../lib/run/driver/session';
import type { ClientConfig } from '../../../lib/schema/client';
import { RunFolder } from '../../../lib/store/folder';
import { fakeExecute } from '../bench';

const top = mkdtempSync(join(tmpdir(), 'fsxbench-leftovers-'));
afterAll(() => rmSync(top, { recursive: true }));

/** Ends what is left over by clients each of which prints lines, and here. */
async function ended(says: Readonly<Record<string, string>>, addresses: readonly string[], run = 'runs/b/r-2') {
  const path = join(top, run);
  mkdirSync(path, { recursive: true });
  const asked: string[] = [];
  const { execute } = fakeExecute(({ argv }) => {
    const where = addresses.find((address) => argv.some((word) => word.includes(address))) ?? 'here';
    asked.push(`${where} ${argv.at(-1)?.replace(`${top}/`, '')}`);
    const output = says[`${where} ${argv.at(-1)?.replace(`${top}/`, '')}`] ?? says[where] ?? '';
    return { output, exitStatus: output.includes('error: ') ? 1 : 0 };
  });
  const config = { launch: 'ssh', user: 'fsxbench', home: '/opt/fsxbench' } as unknown as ClientConfig;
  const clients = { config, addresses, groups: 1 };
  const found = await endLeftovers({
    clients,
    execute,
    abort: new AbortController().signal,
    folder: new RunFolder(path),
  });
  return { ...found, asked };
}

test.each([[[]], [['10.0.0.4']], [['10.0.0.4', '10.0.0.5']]])(
  'are looked for here and on each of %j',
  async (addresses) => {
    const { asked, ended: all, problem } = await ended({ here: '7 fio\n' }, addresses);
    expect(asked.map((one) => one.split(' ')[0])).toEqual(['here', ...addresses]);
    expect([all, problem]).toEqual([['fio (7, here)'], null]);
  },
);

test('are named with where they ran', async () => {
  const { ended: all } = await ended({ here: '7 mpirun\n', '10.0.0.4': '31 ior\n32 ior\n', '10.0.0.5': '' }, [
    '10.0.0.4',
    '10.0.0.5',
  ]);
  expect(all).toEqual(['mpirun (7, here)', 'ior (31, 10.0.0.4)', 'ior (32, 10.0.0.4)']);
});

test('that cannot be ended are a problem, which names the first client', async () => {
  const says = { '10.0.0.5': 'error: ior (9) survived SIGKILL\n', '10.0.0.6': 'error: fio (8) survived SIGKILL\n' };
  expect((await ended(says, ['10.0.0.4', '10.0.0.5', '10.0.0.6'])).problem).toBe(
    'processes of an earlier session could not be ended (10.0.0.5): ior (9) survived SIGKILL; end them, then continue with --resume',
  );
});

test('of other runs are ended only if the runs lie next to this one, each with its name', async () => {
  for (const run of ['runs/b/r-1', 'runs/c/r-0', 'elsewhere/r-9']) mkdirSync(join(top, run), { recursive: true });
  const others = ['runs/c/r-0', 'elsewhere/r-9', 'runs/b/r-1'].map((run) => `other ${join(top, run)}\n`).join('');
  const { asked, ended: all } = await ended({ 'here runs/b/r-2': others, 'here runs/b/r-1': '5 dd\n' }, []);
  expect(asked).toEqual(['here runs/b/r-2', 'here runs/b/r-1', 'here runs/c/r-0']);
  expect(all).toEqual(['dd (5, here) of r-1']);
});
