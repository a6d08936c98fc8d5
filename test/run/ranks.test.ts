import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWorkload } from '../../lib/run/task/readWorkload';
import type { WorkloadAction } from '../../lib/schema/plan';

const FIXTURES = join(__dirname, '../fixtures/tools');

/** Values that the driver takes from recorded outputs: one for each process that it started. */
function counted(action: Pick<WorkloadAction, 'tool' | 'operation'>, ...names: readonly string[]) {
  const at = new Date(0);
  const outcome = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
  const { measured } = readWorkload(
    { kind: 'workload', command: [action.tool], ranksPerClient: 999, pattern: 'any', ...action },
    names.map((name) => ({
      outcome: { ...outcome, startedAt: at, endedAt: at },
      outputFile: join(FIXTURES, `${name}.out`),
    })),
  );
  expect(measured.length).toBeGreaterThan(0);
  return [...new Set(measured.map(({ ranks, nodes, toolVersion }) => `${ranks} on ${nodes}, ${toolVersion}`))];
}

test.each([
  ['ior', 'write', ['ior330_blog_4n144r'], '144 on 4, 3.3.0'],
  ['ior', 'write', ['ior321_wr_fpp_4r'], '4 on null, 3.2.1'],
  ['mdtest', 'create', ['md400_aws_4r'], '4 on 1, 4.0.0'],
  // Two jobs on each of two clients.
  ['fio', 'write', ['fio_seqwrite_c0', 'fio_seqwrite_c0'], '4 on null, 3.33'],
] as const)('the processes and the version of %s %s in %j are what it printed', (tool, operation, names, expected) => {
  expect(counted({ tool, operation }, ...names)).toEqual([expected]);
});

describe('an MPI job that is not the one that was started fails, with values that count for nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-ranks-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const at = new Date(0);
  const outcome = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
  const reading = (text: string, ranks: number) => {
    const outputFile = join(folder, 'job.out');
    writeFileSync(outputFile, text);
    const action = { kind: 'workload', tool: 'ior', operation: 'write', command: ['ior'], pattern: 'any' } as const;
    return readWorkload(
      { ...action, ranksPerClient: ranks },
      [{ outcome: { ...outcome, startedAt: at, endedAt: at }, outputFile }],
      ranks,
    );
  };
  const text = (name: string): string => readFileSync(join(FIXTURES, `${name}.out`), 'utf8');

  test('four singletons under mpirun -np 4, each complete and valid by itself', () => {
    const { failure, measured } = reading(text('ior330_np1').repeat(4), 4);
    expect(failure).toBe(
      'ior ran as 4 jobs of one process each, not as one of 4: mpirun is of another MPI than the one that ior was built with',
    );
    expect(measured).toMatchObject([{ value: null, ranks: 1, reason: failure }]);
  });

  test('half of the ranks', () => {
    expect(reading(text('ior330_wr_fpp_4r'), 8).failure).toBe('ior counted 4 of 8 processes');
    expect(reading(text('ior330_wr_fpp_4r'), 4).failure).toBeNull();
  });
});
