import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseText } from '../../../../lib/parse';

const FIXTURES = join(__dirname, '../../../fixtures');
const REFUSED = readFileSync(join(FIXTURES, 'tools/ior330_enospc.out'), 'utf8');

const problemsOf = (text: string) => parseText('ior.out', text).problems;

test.each([
  ['Disk quota exceeded', 'quota_exceeded'],
  ['Read-only file system', 'read_only'],
])('a write that fails with %s is told from a full file system', (words, code) => {
  const problems = problemsOf(REFUSED.replaceAll('No space left on device', words));
  expect(problems).toContain(code);
  expect(problems).not.toContain('no_space');
});

test.each([
  ['MPICH', readFileSync(join(FIXTURES, 'mpi/mpich-killed.out'), 'utf8'), 'rank_signal_9'],
  ['MPICH', readFileSync(join(FIXTURES, 'mpi/mpich-crashed.out'), 'utf8'), 'rank_signal_11'],
  ['Intel MPI', '=   RANK 0 PID 4711 RUNNING AT n1\n=   KILLED BY SIGNAL: 9 (Killed)\n', 'rank_signal_9'],
  ['MPICH', 'application called MPI_Abort(MPI_COMM_WORLD, -1) - process 1\n', 'mpi_abort'],
])('%s names the signal of a rank, or that one aborted', (_, text, code) => {
  const begun = REFUSED.slice(0, REFUSED.indexOf('ior ERROR'));
  expect(problemsOf(begun)).not.toContain(code);
  expect(problemsOf(`${begun}${text}`)).toContain(code);
});
