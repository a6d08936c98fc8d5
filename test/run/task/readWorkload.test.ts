import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWorkload } from '../../../lib/run/task/readWorkload';
import type { WorkloadAction } from '../../../lib/schema/plan';

const action: WorkloadAction = {
  kind: 'workload',
  tool: 'fio',
  operation: 'write',
  command: [],
  ranksPerClient: 1,
  pattern: 'any',
};
const START = Date.parse('2026-11-26T23:59:00.000Z');

/** Clients that each wrote 1 GB a second for so long, and ended so many seconds after the start by the driver's clock. */
function read(...clients: { readonly seconds: number; readonly end: number }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-read-'));
  const runs = clients.map(({ seconds, end }, index) => {
    const write = { io_bytes: seconds * 1e9, bw_bytes: 1e9, iops: 1, runtime: seconds * 1000, total_ios: seconds };
    const outputFile = join(folder, `${index}.out`);
    writeFileSync(
      outputFile,
      JSON.stringify({ 'fio version': 'fio-3.33', jobs: [{ jobname: 'data', error: 0, write }] }),
    );
    const ended = { exitStatus: 0, signal: null, timedOut: false, abandoned: false, startError: null };
    return {
      outputFile,
      outcome: { ...ended, startedAt: new Date(START), endedAt: new Date(START + end * 1000) },
    };
  });
  const { measured } = readWorkload(action, runs);
  const { value, cautions } = measured.find(({ metric }) => metric === 'throughput') ?? {};
  return { value, cautions };
}

describe('clients that each run a tool by themselves', () => {
  test('are in doubt where one worked for a time alone: together they are slower than their sum', () => {
    // The second waited for two minutes, past midnight.
    expect(read({ seconds: 300, end: 301 }, { seconds: 300, end: 421 })).toEqual({
      value: 2000,
      cautions: ['clients_apart'],
    });
    expect(read({ seconds: 100, end: 400 }, { seconds: 300, end: 303 }).cautions).toEqual(['clients_apart']);
  });

  test.each([
    ['that all begin late', { seconds: 300, end: 400 }, { seconds: 300, end: 401 }],
    ['of which one is slower', { seconds: 300, end: 301 }, { seconds: 450, end: 451 }],
    ['that begin a moment later', { seconds: 10, end: 11 }, { seconds: 10, end: 15 }],
  ])('%s are not', (_, one, other) => {
    expect(read(one, other).cautions).toEqual([]);
  });

  test('one alone has nobody to wait for', () => {
    expect(read({ seconds: 300, end: 900 }).cautions).toEqual([]);
  });
});
