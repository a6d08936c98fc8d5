import { FSxClient } from '@aws-sdk/client-fsx';
import { awaitImports } from '../../lib/run/imports';
import type { Deployment } from '../../lib/schema/deployment';
import type { DeployedArm } from '../../lib/schema/run';
import { importsOf } from '../../lib/storage/lustre';
import type { ImportTask } from '../../lib/storage/slices/account';

const arm = (name: string): DeployedArm => ({
  name,
  description: '',
  kind: 'lustre',
  fileSystemId: `fs-${name}`,
  describe: { CreationTime: '2026-11-28T10:00:00Z' },
  hourlyUsd: 1,
  actually: null,
});
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
  const of = (...dataRepositories: object[]) => importsOf({ dataRepositories } as never, 'fs-1')?.expected ?? null;
  expect([of(), of({ fileSystemPath: '/a' }), of({ importMetadataOnCreate: true }, {})]).toEqual([null, null, 1]);
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
  const found = await importsOf({ dataRepositories: [{ importMetadataOnCreate: true }] } as never, 'fs-1')?.tasks();
  send.mockRestore();
  const Filters = [{ Name: 'file-system-id', Values: ['fs-1'] }];
  expect(asked).toEqual([{ Filters }, { Filters, NextToken: 'more' }].map((one) => expect.objectContaining(one)));
  expect(found).toEqual([task('FAILED', 3000, 1, 'The bucket is gone.'), { ...task('PENDING', 0), id: 'task-3' }]);
});
