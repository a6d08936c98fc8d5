import { withQueue } from '../../../lib/run/clients/launch';
import type { QueueStatus } from '../../../lib/schema/client';
import type { RunStatus } from '../../../lib/schema/run';

const REFERENCE = { benchmark: 'ClusterBench', run: 'r1' };
const at = (second: number): string => `2026-11-22T12:00:${String(second).padStart(2, '0')}.000Z`;

const job = (change: Partial<QueueStatus>): QueueStatus => ({
  schema: 'fsxbench.queue/1',
  job: '12',
  state: 'RUNNING',
  ended: false,
  reason: 'None',
  restarts: 0,
  nodes: 'n[1-2]',
  updatedAt: at(10),
  ...change,
});
const word = (change: Partial<RunStatus>): RunStatus => ({
  schema: 'fsxbench.status/1',
  ...REFERENCE,
  state: 'running',
  step: 's',
  phase: 'measure',
  stepsDone: 3,
  stepsTotal: 9,
  failedSteps: [],
  startedAt: at(0),
  updatedAt: at(5),
  endedAt: null,
  sessions: [],
  message: 'ior write on none',
  ...change,
});
const interrupted = word({ state: 'interrupted', endedAt: at(5), message: 'interrupted with 6 steps to do' });

test('a fleet without a scheduler has the driver’s word and nothing else', () => {
  expect(withQueue(REFERENCE, null, null)).toBeNull();
  expect(withQueue(REFERENCE, interrupted, null)).toBe(interrupted);
});

test.each<[string, RunStatus | null, Partial<QueueStatus>, Partial<RunStatus>]>([
  [
    'a job that waits for its nodes says so, before there is a driver',
    null,
    { state: 'PENDING', reason: 'Resources' },
    { state: 'starting', endedAt: null, message: 'the job 12 waits for its nodes: PENDING (Resources)' },
  ],
  [
    'a driver that was interrupted while its job is still there will be started again',
    interrupted,
    {},
    { state: 'starting', endedAt: null, stepsDone: 3, message: 'the job 12 is RUNNING; waiting for its driver' },
  ],
  [
    'a job that was put back into the queue is no end of the run',
    interrupted,
    { state: 'PENDING', reason: 'BeginTime', restarts: 1 },
    {
      state: 'starting',
      endedAt: null,
      message: 'the job 12 waits for its nodes: PENDING (BeginTime), put back into the queue 1 time',
    },
  ],
  [
    'a driver that was killed without a word is interrupted once its job has left the queue',
    word({}),
    { state: 'NODE_FAIL', ended: true },
    { state: 'interrupted', endedAt: at(10), message: 'the job 12 ended as NODE_FAIL before the run was done' },
  ],
  ['the driver’s own end counts', interrupted, { state: 'CANCELLED', ended: true }, interrupted],
  [
    'a run that is done is done, whatever the queue says',
    word({ state: 'done', endedAt: at(5) }),
    {},
    { state: 'done' },
  ],
  ['a running driver speaks for itself', word({}), {}, word({})],
  [
    'an earlier job that has ended says nothing of a driver that spoke after it',
    word({ updatedAt: at(20) }),
    { state: 'CANCELLED', ended: true },
    { state: 'running', endedAt: null },
  ],
])('%s', (_, status, queue, expected) => {
  expect(withQueue(REFERENCE, status, job(queue))).toMatchObject(expected);
});
