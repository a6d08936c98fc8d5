import { aroundChange } from '../../lib/benchmark/metadata/plan/paired';
import { makePlan } from '../../lib/plan/plan';
import { drive } from '../../lib/run/driver/driver';
import { beforeAfter } from '../../lib/scale/beforeAfter';
import type { RaiseMetadata } from '../../lib/scale/raise';
import type { ClientConfig } from '../../lib/schema/client';
import type { Plan } from '../../lib/schema/plan';
import type { RunStatus } from '../../lib/schema/run';
import type { StorageChange } from '../../lib/storage/change';
import { RunFolder } from '../../lib/store/folder';
import { type Behaviour, fakeExecute, memoryFolder } from './bench';

const ID = 'fs-0a1b2c3d4e5f60718';
const mount = { mountPoint: '/fsx', filesystem: 'other', actually: 'a directory' } as const;
const config: ClientConfig = {
  schema: 'fsxbench.client/1',
  launch: 'local',
  user: null,
  home: '/opt/fsxbench',
  networkCidr: null,
  arms: { before: mount, after: mount },
  tools: { fio: '3.33' },
};
const around = beforeAfter(aroundChange, 'MetadataBench', { fileSystemId: ID, iops: 24_000, expectedSeconds: 1 });
const plan = makePlan({
  benchmark: { name: 'MetadataBench', plans: [around] },
  plan: around.name,
  scale: 'lab',
  arms: ['before', 'after'].map((name) => ({ name, description: name })),
  fleet: { clients: 1, instanceType: null, ranksPerClient: 2 },
  set: ['tool=fio', 'fileBytes=0', 'repeats=1', 'seconds=0', 'maxRounds=1'],
  hourlyUsd: 0,
});
const files = { read: { total_ios: 100, runtime: 50, iops: 2000 } };
const works: Behaviour = ({ argv }) =>
  argv[0] === 'fio'
    ? {
        output: JSON.stringify({
          'fio version': 'fio-3.33',
          'global options': {},
          jobs: [{ jobname: 'files', error: 0, 'job options': { ioengine: argv[2]?.split('=')[1] }, ...files }],
        }),
      }
    : argv[0] === 'df'
      ? { output: '  Size Used Avail\n 10 1 9\n' }
      : {};

async function driveWith(
  change: StorageChange<RaiseMetadata>['make'] | undefined,
  { folder = memoryFolder(), abort = new AbortController(), plan: driven = plan } = {},
) {
  const { execute, commands } = fakeExecute(works);
  const statuses: RunStatus[] = [];
  const run = new RunFolder(folder);
  const status = await drive({
    run: 'test-run',
    plan: driven,
    folder: run,
    execute,
    abort: abort.signal,
    clients: { config, addresses: [], groups: 2 },
    onChange: (changed) => void statuses.push(changed),
    ...(change ? { change } : {}),
    dataPresent: () => false,
    list: () => [],
  });
  const sample = run.samples().findLast(({ step }) => step === 'raise');
  return { status, statuses, commands: commands.map((argv) => argv.join(' ')), folder, sample };
}

test('the words of whoever raises are the status while it lasts', async () => {
  const { status, statuses } = await driveWith(async (action, { say }) => {
    expect(action).toMatchObject({ fileSystemId: ID, iops: 24_000 });
    say('UPDATING, 40 %');
  });
  const during = statuses.filter(({ step }) => step === 'raise').map(({ message }) => message);
  expect(during).toEqual(expect.arrayContaining([`raising the metadata IOPS of ${ID} to 24000`, 'UPDATING, 40 %']));
  expect(status).toMatchObject({ state: 'done', failedSteps: [] });
});

test('nothing is done on the file system behind a raise that failed', async () => {
  const { status, commands, sample } = await driveWith(() => Promise.reject(new Error('not today')));
  expect(status).toMatchObject({ state: 'failed', failedSteps: ['raise'] });
  expect(status.message).toMatch(/^not today; \d+ steps to do$/);
  expect(commands.some((line) => line.includes('r1-s0-after'))).toBe(false);
  expect(sample).toMatchObject({ value: null, reason: 'not today' });
});

test('without somebody who can raise it fails, and says who can', async () => {
  const { status, sample } = await driveWith(undefined);
  expect(status.state).toBe('failed');
  expect(sample?.reason).toBe(`only fsxbench scale metadata --measure can raise the metadata IOPS of ${ID}`);
});

test('an interruption of it is no failure: it is done again, and then what follows it', async () => {
  const folder = memoryFolder();
  const abort = new AbortController();
  const first = await driveWith(
    () => {
      abort.abort();
      return Promise.reject(new Error('aborted'));
    },
    { folder, abort },
  );
  expect([first.status.state, first.sample]).toEqual(['interrupted', undefined]);
  let raised = 0;
  const second = await driveWith(
    async () => {
      raised += 1;
    },
    { folder },
  );
  expect([second.status.state, raised]).toEqual(['done', 1]);
  expect(second.commands.some((line) => line.includes('r1-s0-before'))).toBe(false);
});

test('what is done already is not raised again', async () => {
  const { folder } = await driveWith(async () => {});
  let raised = 0;
  await driveWith(
    async () => {
      raised += 1;
    },
    { folder },
  );
  expect(raised).toBe(0);
});

test.each([
  ['a change of another release', { kind: 'efs.provision', mibps: 100 }, /got \{"kind":"efs.provision","mibps":100\}/],
  ['a raise without its fields', { kind: 'raise-metadata' }, /raise-metadata with its fields, got/],
])('%s fails the run before anything behind it is done', async (_, action, reason) => {
  const steps = plan.steps.map((step) =>
    step.id === 'raise' ? { ...step, tasks: step.tasks.map((task) => ({ ...task, action })) } : step,
  );
  const { status, sample } = await driveWith(undefined, { plan: { ...plan, steps } as Plan });
  expect(status.state).toBe('failed');
  expect(sample?.reason).toMatch(reason);
});
