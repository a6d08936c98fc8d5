import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { meaningOf } from '../../../../lib/parse/codes';
import { slurmProblems } from '../../../../lib/workload/common/parse/launch';

/** Output of srun from Slurm 22.05.8 on two nodes. */
const said = (name: string): string => readFileSync(join(__dirname, '../../../fixtures/srun', `${name}.out`), 'utf8');

test.each([
  ['a program that is not there', 'no-program', ['exit_status_2']],
  ['the rank that failed, not those that were ended with it', 'exit3', ['exit_status_3']],
  ['the signal of the rank that failed first', 'killed', ['rank_signal_9']],
  ['a crash', 'crashed', ['rank_signal_11']],
  ['a node that there is not', 'unknown-node', ['step_refused']],
  ['more than the allocation has', 'refused', ['step_refused']],
  ['a step that somebody cancelled', 'cancelled', ['step_cancelled']],
  ['a node that failed', 'node-failed', ['node_failure']],
  ['a job that ran into its limit', 'limit', ['time_limit']],
])('srun: %s', (_, name, codes) => {
  expect(slurmProblems(said(name))).toEqual(codes);
  for (const code of codes) expect(meaningOf(code)).toBeDefined();
});

test('memory that ran out is named beside the signal', () =>
  expect(
    slurmProblems(
      'slurmstepd-n1: error: Detected 1 oom_kill event in StepId=7.0. Some of the step tasks have been OOM Killed.\nsrun: error: n1: task 0: Killed\n',
    ),
  ).toEqual(['out_of_memory', 'rank_signal_9']));

test('output that only mentions srun has no problem', () =>
  expect(slurmProblems('+ srun ior -w\nwrite 12.3\nsrun: job 4 queued and waiting for resources\n')).toEqual([]));
