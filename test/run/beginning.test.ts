import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { FSxClient } from '@aws-sdk/client-fsx';
import { changeWarnings } from '../../lib/run/changing';
import { awaitImports } from '../../lib/run/imports';
import { firstClientOf, newRunId, SsmRunner } from '../../lib/run/runner';
import { deadlineIn, keepStart, recordsHere, startedHere } from '../../lib/run/started';
import type { StartRecord } from '../../lib/schema/client';
import type { Deployment } from '../../lib/schema/deployment';
import type { DeployedArm, Described } from '../../lib/schema/run';
import { type ImportTask, importTasksOf } from '../../lib/storage/common/fsx';
import { lustre } from '../../lib/storage/lustre';
import { deployedArm } from '../support/records';
import { temporaryFolder } from './bench';

const changed = (kind: string, describe: Described | null): DeployedArm => deployedArm({ kind, describe });

const action = (AdministrativeActionType: string, Status: string, ProgressPercent?: number) => ({
  AdministrativeActionType,
  Status,
  ...(ProgressPercent === undefined ? {} : { ProgressPercent }),
});

test('a file system that FSx is still growing is named before anything is measured', () => {
  const AdministrativeActions = [
    action('STORAGE_OPTIMIZATION', 'IN_PROGRESS', 37),
    action('FILE_SYSTEM_UPDATE', 'UPDATED_OPTIMIZING'),
    action('FILE_SYSTEM_UPDATE', 'FAILED'),
  ];
  expect(changeWarnings([changed('lustre', { AdministrativeActions })])).toEqual([
    expect.stringMatching(
      /^FSx for Lustre is still changing fs-0123456789abcdef0 \(lz4\): STORAGE_OPTIMIZATION \(37 %\), FILE_SYSTEM_UPDATE\. .*start it again when the change is complete$/,
    ),
  ]);
});

test.each([
  [
    'whose changes are complete',
    changed('lustre', { AdministrativeActions: [action('STORAGE_OPTIMIZATION', 'COMPLETED', 100)] }),
  ],
  ['that was never changed', changed('openzfs', {})],
  ['that nobody described', changed('lustre', null)],
  ['of a kind whose service does not say', changed('efs', { AdministrativeActions: [action('X', 'IN_PROGRESS')] })],
  ['of another release', changed('unknown', {})],
])('nothing is said of one %s', (_, one) => {
  expect(changeWarnings([one])).toEqual([]);
});

const HOUR = 3_600_000;
const createdAt = Date.parse('2026-11-20T18:00:00Z');
const stack = (expiry: Deployment['expiry']) => ({ createdAt, deployment: { expiry } as Deployment });

test('a stack of an older release, or without an end, does not expire', () => {
  expect(deadlineIn('', stack(undefined))).toBeNull();
});

test.each([
  '24 h after the deployment',
  // By a hand: no time, a time of wherever the reader is, days that no calendar has.
  '2026-13-45',
  '2026-11-22T10:00:00',
  '2026-11-22T10:00:00+01:00',
  '2026-11-31T10:00:00Z',
  '2027-02-29T10:00:00Z',
])('with %j the time is that of the setting, from the next look of the state machine on', (value) => {
  const now = createdAt + 5 * HOUR;
  expect(deadlineIn(value, stack({ hours: 24, deadline: 'p' }), now)).toEqual({ at: now + 24 * HOUR });
  expect(deadlineIn(value, stack({ hours: 24, budgetHours: 20, deadline: 'p' }), now)?.at).toBe(createdAt + 20 * HOUR);
});

test('every day of the calendar is a deadline', () => {
  const from = Date.parse('2027-01-01T12:00:00Z');
  const days = Array.from({ length: 366 + 365 }, (_, day) => from + 24 * day * HOUR);
  const read = days.map((day) => deadlineIn(new Date(day).toISOString(), stack({ hours: 24, deadline: 'p' }))?.at);
  expect(read).toEqual(days);
});

test('what is set holds, up to what the budget pays for', () => {
  const set = new Date(createdAt + 40 * HOUR).toISOString();
  expect(deadlineIn(set, stack({ hours: 24, deadline: 'p' }))).toEqual({ at: createdAt + 40 * HOUR });
  expect(deadlineIn(set, stack({ hours: 24, budgetHours: 30, deadline: 'p' }))).toEqual({
    at: createdAt + 30 * HOUR,
    latest: createdAt + 30 * HOUR,
  });
});

const RECORD: StartRecord = {
  schema: 'fsxbench.start/1',
  benchmark: 'MountBench',
  run: 'r-1',
  planSha256: '0'.repeat(64),
  stack: null,
  client: null,
};

test('a home that cannot be written, as on nodes of some clusters, is said with what helps', async () => {
  const HOME = temporaryFolder();
  // Root may write to what is read-only for others.
  writeFileSync(join(HOME, '.local'), '');
  await expect(keepStart({ HOME }, RECORD)).rejects.toThrow(
    /^the run cannot be recorded: .*\/\.local\/.*; set XDG_STATE_HOME to a directory that you may write, and keep it for --resume$/,
  );
  const XDG_STATE_HOME = temporaryFolder();
  await keepStart({ HOME, XDG_STATE_HOME }, RECORD);
  expect(startedHere({ HOME, XDG_STATE_HOME }, RECORD)).toEqual(RECORD);
});

test('a user without a home, as in containers, is told the same', () => {
  const homedir = jest.spyOn(os, 'homedir').mockImplementation(() => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT');
  });
  try {
    expect(() => recordsHere({})).toThrow(
      /^user \d+ has no home directory, in which runs are recorded: set XDG_STATE_HOME/,
    );
  } finally {
    homedir.mockRestore();
  }
});

const arm = (name: string): DeployedArm =>
  deployedArm({ name, fileSystemId: `fs-${name}`, describe: { CreationTime: '2026-11-28T10:00:00Z' } });
const deployment = (...names: string[]): Pick<Deployment, 'arms'> => ({
  arms: names.map((name) => ({ name, fileSystemId: `fs-${name}` })) as unknown as Deployment['arms'],
});
const task = (lifecycle: string, succeeded: number, failed = 0, failure?: string): ImportTask => ({
  id: 'task-1',
  lifecycle,
  succeeded,
  failed,
  ...(failure !== undefined && { failure }),
});

/** Waits for imports that are in another state at each look. */
async function wait(
  states: Readonly<Record<string, readonly ImportTask[][]>>,
  { expected = 1, now = '2026-11-28T10:10:00Z' } = {},
) {
  const names = Object.keys(states);
  const said: string[] = [];
  const looks = new Map<string, number>();
  let pauses = 0;
  const arms = await awaitImports(names.map(arm), deployment(...names), {
    say: (line) => said.push(line),
    pause: async () => void pauses++,
    now: () => new Date(now),
    importsOf: ({ name }) => {
      const all = states[name] as ImportTask[][];
      if (all.length === 0) return null;
      return {
        expected,
        tasks: async () => {
          const look = looks.get(name) ?? 0;
          looks.set(name, look + 1);
          return all[Math.min(look, all.length - 1)] as ImportTask[];
        },
      };
    },
  });
  return { files: Object.fromEntries(arms.map(({ name, importedFiles }) => [name, importedFiles])), said, pauses };
}

test('a run waits for the import of each arm, and records how many files each has', async () => {
  const { files, said, pauses } = await wait({
    none: [[], [task('PENDING', 0)], [task('EXECUTING', 1500)], [task('EXECUTING', 1500)], [task('SUCCEEDED', 3000)]],
    lz4: [[task('SUCCEEDED', 3000)]],
    plain: [],
  });
  expect(files).toEqual({ none: 3000, lz4: 3000, plain: undefined });
  expect(said).toEqual([
    'waiting for the import from S3: none has 0 files',
    'waiting for the import from S3: none has 1,500 files',
  ]);
  expect(pauses).toBe(4);
});

test('every link of a file system must have been imported', async () => {
  const { files } = await wait(
    {
      none: [
        [task('SUCCEEDED', 10)],
        [task('SUCCEEDED', 10), task('EXECUTING', 2)],
        [task('SUCCEEDED', 10), task('SUCCEEDED', 5)],
      ],
    },
    { expected: 2 },
  );
  expect(files).toEqual({ none: 15 });
});

test('an import beyond those of the links must have ended, too', async () => {
  const later = [
    [task('SUCCEEDED', 10), task('EXECUTING', 2)],
    [task('SUCCEEDED', 10), task('SUCCEEDED', 5)],
  ];
  expect((await wait({ none: later })).files).toEqual({ none: 15 });
});

test.each([
  [
    'that failed',
    task('FAILED', 10, 3, 'The bucket is in another Region.'),
    /FAILED \(task-1\), with 10 files imported and 3 failed: The bucket is in another Region\. See aws fsx/,
  ],
  ['that was canceled', task('CANCELED', 10), /CANCELED/],
  ['that leaves out files', task('SUCCEEDED', 10, 1), /10 files imported and 1 failed/],
])('an import %s is refused, with the arm and the next step', async (_, state, message) => {
  const refused = wait({ lz4: [[task('EXECUTING', 1)], [state]] });
  await expect(refused).rejects.toThrow(/^the import from S3 of arm lz4 is /);
  await expect(refused).rejects.toThrow(message);
});

test('an import of weeks ago, whose task FSx no longer lists, is unknown, not missing', async () => {
  expect((await wait({ none: [[]] }, { now: '2026-12-28T10:00:00Z' })).files).toEqual({ none: null });
});

test('only links that import when they are made are waited for', () => {
  const of = (...dataRepositories: object[]) => lustre.account.imports?.({ dataRepositories } as never);
  expect([of(), of({ fileSystemPath: '/a' }), of({ importMetadataOnCreate: true }, {})]).toEqual([0, 0, 1]);
});

test('tasks are those of the file system that import metadata, with their counts, from every page', async () => {
  const Type = 'IMPORT_METADATA_FROM_REPOSITORY';
  const Status = { TotalCount: 3001, SucceededCount: 3000, FailedCount: 1 };
  const FailureDetails = { Message: 'The bucket is gone.' };
  const pages = [
    {
      DataRepositoryTasks: [{ TaskId: 'task-1', Lifecycle: 'FAILED', Type, Status, FailureDetails }],
      NextToken: 'more',
    },
    {
      DataRepositoryTasks: [
        { TaskId: 'task-2', Lifecycle: 'EXECUTING', Type: 'EXPORT_TO_REPOSITORY' },
        { TaskId: 'task-3', Lifecycle: 'PENDING', Type },
      ],
    },
  ];
  const asked: object[] = [];
  const send = jest.spyOn(FSxClient.prototype, 'send').mockImplementation(async ({ input }: { input: object }) => {
    asked.push(input);
    return pages[asked.length - 1];
  });
  const found = await importTasksOf('fs-1');
  send.mockRestore();
  const Filters = [{ Name: 'file-system-id', Values: ['fs-1'] }];
  expect(asked).toEqual([{ Filters }, { Filters, NextToken: 'more' }].map((one) => expect.objectContaining(one)));
  expect(found).toEqual([task('FAILED', 3000, 1, 'The bucket is gone.'), { ...task('PENDING', 0), id: 'task-3' }]);
});

const REFERENCE = { benchmark: 'CompressionBench', run: 'run-1' };
const SUM = 'a'.repeat(64);
const SUMS = { plan: SUM, manifest: SUM, driver: SUM };
const VARIABLES = ['AWS_ENDPOINT_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'] as const;

let server: Server;
let answer: { readonly __type: string; readonly message: string };
const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const values = { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  Object.assign(process.env, { ...values, AWS_REGION: 'us-east-1' });
});

afterAll(async () => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await new Promise((resolve) => server.close(resolve));
});

const start = () => new SsmRunner('bucket', 'document', 'i-0123456789abcdef0').start(REFERENCE, SUMS);

test('a leader that has not booted yet is named, with what to do', async () => {
  answer = { __type: 'InvalidInstanceId', message: 'Instances not in a valid state for account' };
  await expect(start()).rejects.toThrow(
    /^the leader i-0123456789abcdef0 is not registered with Systems Manager: it is still booting.*again in a few minutes/,
  );
});

test("any other refusal is told in the service's words", async () => {
  answer = { __type: 'InvalidDocument', message: 'Document with name document does not exist.' };
  await expect(start()).rejects.toThrow('Document with name document does not exist.');
});

test('runs that start in the same second have ids of their own', () => {
  const now = new Date('2026-11-21T09:00:00.123Z');
  const ids = Array.from({ length: 20 }, () => newRunId('paired', now));
  expect(new Set(ids).size).toBeGreaterThan(15);
  for (const id of ids) expect(id).toMatch(/^20261121T090000Z-paired-[0-9a-z]{4}$/);
});

test('the driver of a run is on the leader of its fleet, or else on the first client', () => {
  const clients = ['i-1', 'i-2'].map((instanceId) => ({ instanceId }));
  expect(firstClientOf({ leader: 'i-2', clients } as never)).toBe('i-2');
  expect(firstClientOf({ leader: null, clients } as never)).toBe('i-1');
});
