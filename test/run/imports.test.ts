import { awaitImports } from '../../lib/run/imports';

const task = (id: string, lifecycle: string, succeeded: number, failed = 0, failure?: string) => ({
  ...{ id, lifecycle, succeeded, failed, failure },
});
type Task = ReturnType<typeof task>;

/** Waits for imports that a service describes in turn, of a file system so many hours old; with what was said and for how long. */
async function awaited(answers: readonly Task[][], { expected = 1, hoursOld = 0.1 } = {}) {
  const said: string[] = [];
  let waited = 0;
  const created = '2026-11-21T12:00:00.000Z';
  let answer = 0;
  const arms = [
    { name: 'lz4', describe: { CreationTime: created } },
    { name: 'none', describe: { CreationTime: created } },
  ];
  const found = await awaitImports(
    arms as never,
    { arms: [{ name: 'none' }, { name: 'lz4' }] } as never,
    {
      say: (line: string) => void said.push(line),
      pause: async (seconds: number) => {
        waited += seconds;
      },
      now: () => new Date(Date.parse(created) + hoursOld * 3_600_000),
      importsOf: ({ name }: { name: string }) =>
        name === 'none' ? null : { expected, tasks: async () => answers[Math.min(answer++, answers.length - 1)] },
    } as never,
  );
  return { files: found.map((arm) => (arm as { importedFiles?: number | null }).importedFiles), said, waited };
}

test('an arm has the files of all its imports once each has succeeded; an arm without imports is left as it is', async () => {
  const { files, said, waited } = await awaited(
    [
      [task('a', 'EXECUTING', 1500), task('b', 'PENDING', 0)],
      [task('a', 'EXECUTING', 1500), task('b', 'PENDING', 0)],
      [task('a', 'SUCCEEDED', 2500), task('b', 'EXECUTING', 10)],
      [task('a', 'SUCCEEDED', 2500), task('b', 'SUCCEEDED', 20)],
    ],
    { expected: 2 },
  );
  expect(files).toEqual([2520, undefined]);
  // Every 15 s, and each number once.
  expect(waited).toBe(3 * 15);
  expect(said).toEqual([
    'waiting for the import from S3: lz4 has 1,500 files',
    'waiting for the import from S3: lz4 has 2,510 files',
  ]);
});

test('an import that is expected and not yet listed is waited for', async () => {
  const { files, waited } = await awaited(
    [[], [task('a', 'SUCCEEDED', 7)], [task('a', 'SUCCEEDED', 7), task('b', 'SUCCEEDED', 3)]],
    { expected: 2 },
  );
  expect([files[0], waited]).toEqual([10, 30]);
});

test.each([
  // FSx forgets its tasks some days after they ended.
  [1.01, [], null],
  [48, [], null],
  // One that is listed is waited for, however old it is.
  [48, [task('a', 'SUCCEEDED', 7)], 7],
])('after %d h with the tasks %j, the number of files is %p', async (hoursOld, tasks, files) => {
  expect((await awaited([tasks], { hoursOld })).files[0]).toBe(files);
});

test.each([
  [
    task('t-1', 'FAILED', 1500, 2500, 'No access.'),
    'is FAILED (t-1), with 1,500 files imported and 2,500 failed: No access. See',
  ],
  [task('t-1', 'CANCELED', 0), 'is CANCELED (t-1), with 0 files imported and 0 failed. See'],
  [task('t-1', 'SUCCEEDED', 10, 1), 'is SUCCEEDED (t-1), with 10 files imported and 1 failed. See'],
])('%j ends the run', async (failed, words) => {
  await expect(awaited([[task('t-0', 'SUCCEEDED', 5), failed]])).rejects.toThrow(words);
});
