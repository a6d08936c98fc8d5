import { join } from 'node:path';
import { readWorkload } from '../../lib/run/task/readWorkload';
import type { WorkloadAction } from '../../lib/schema/plan';
import { workloadNamed } from '../../lib/workload/lookup';
import type { DataPhase } from '../../lib/workload/workload';
import { FIXTURES } from '../parse/corpus';
import { smallPlan } from '../run/bench';

const now = new Date();
const well = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
const outcome = { ...well, startedAt: now, endedAt: now };
const read = (action: Partial<WorkloadAction>, name: string) =>
  readWorkload(
    {
      kind: 'workload',
      tool: 'elbencho',
      operation: 'read',
      items: 'files',
      command: [],
      ranksPerClient: 4,
      pattern: 'files-4096',
      ...action,
    },
    [{ outcome, outputFile: join(FIXTURES, `${name}.out`) }],
  );
/** The same for data, of a command with these options. */
const readData = (operation: 'write' | 'read', name: string, ...command: string[]) =>
  read({ operation, command, items: undefined, pattern: 'elbencho-37' }, name);

// The column LAST DONE of Files/s, and Total files.
test.each([
  ['create', 'file_create', 33994],
  ['stat', 'file_stat', 101781],
  ['read', 'file_read', 162822],
  ['remove', 'file_remove', 82474],
] as const)('%s is the rate of all files, when the last thread was done', (verb, operation, rate) => {
  const { measured, failure } = read({ operation: verb }, 'elbencho_files');
  expect(failure).toBeNull();
  expect(measured[0]).toMatchObject({ operation, metric: 'rate', unit: 'op/s', value: rate });
  expect(measured[1]).toMatchObject({ operation, metric: 'operations', value: 240 });
});

test('an output without the phase fails with what is missing', () => {
  expect(read({ operation: 'stat' }, 'elbencho_large').failure).toBe('elbencho printed no rate of file_stat');
});

test('a disk that was full is a failure, not a rate', () => {
  expect(read({ operation: 'create' }, 'elbencho_enospc').failure).toMatch(/no_space|exit_status_1|not a whole run/);
});

const mebibytes = (count: number): number => count * 2 ** 20;

test('a buffered write ends with its sync', () => {
  const { measured, failure } = readData('write', 'elbencho_data_write', '--sync');
  expect(failure).toBeNull();
  expect(measured.map(({ metric, value }) => [metric, value])).toEqual([
    ['throughput', mebibytes(384) / (1.558 + 0.294) / 1e6],
    ['bytes', mebibytes(384)],
    ['total_time', 1.558 + 0.294],
  ]);
});

test('a buffered write whose sync is missing has no throughput', () => {
  // The time limit ended it, and the sync with it.
  expect(readData('write', 'elbencho_data_cut', '--sync').failure).toBe('elbencho printed no throughput of write');
});

test('a write with O_DIRECT ends at its time, and tells', () => {
  const { measured, failure } = readData('write', 'elbencho_data_cut', '--direct');
  expect(failure).toBeNull();
  expect(measured[0]).toMatchObject({ value: mebibytes(2355) / 2.003 / 1e6, cautions: ['stonewall_hit'] });
});

test('what is read back has all its bytes', () => {
  const { measured } = readData('read', 'elbencho_data_read');
  expect(measured[0]).toMatchObject({ operation: 'read', value: mebibytes(384) / 0.064 / 1e6, unit: 'MB/s' });
});

test('files that time cut short are a failure when they are read', () => {
  expect(readData('read', 'elbencho_data_short').failure).toMatch(/exit_status_1|not a whole run/);
});

test('a plan that would read such files is refused with what can be done', () => {
  const set = ['tool=elbencho', 'compressibilities=2.6', 'direct=true'];
  expect(() => smallPlan({ set })).toThrow(
    'elbencho cannot read back files that the end of a phase cut short: set reads=false or tool=fio',
  );
  expect(() => smallPlan({ set: [...set, 'reads=false'] })).not.toThrow();
});

test('a buffered write ends at its size, and any other phase at its time', () => {
  const command = (phase: Partial<DataPhase>): string =>
    workloadNamed('elbencho')
      .data?.ofRatio(2.6, undefined)
      ?.command({
        operation: 'write',
        seconds: 60,
        maxBytesPerProcess: 3e6,
        processesPerClient: 2,
        direct: false,
        ...phase,
      })
      .join(' ') ?? '';
  expect(command({})).toBe(
    'elbencho -d -w --blockvarpct 37 --blockvaralgo balanced -t 2 -n 1 -N 1 -s 2m -b 1m --nolive --sync --rankoffset {client}000 {dir}',
  );
  expect(command({ direct: true })).toMatch(/--direct --timelimit 60 /);
  expect(command({ operation: 'read' })).toBe(
    'elbencho -r -t 2 -n 1 -N 1 -s 2m -b 1m --nolive --timelimit 60 --rankoffset {client}000 {dir}',
  );
});

test.each([
  [' * Version: 1.9-1\n', undefined],
  [' * Version: 2.0-9\n', undefined],
  [' * Version: 2.3-1\n', '2.3-1'],
  [' * Version: 3.1-10\n', '3.1-10'],
])('%j is a release whose data are known: %p', (text, release) => {
  expect(workloadNamed('elbencho').version?.version.exec(text)?.[1]).toBe(release);
});
