import type { Subject } from '../../lib/analysis/subject';
import { summarise } from '../../lib/analysis/summary';
import { foreignLoad } from '../../lib/analysis/validity/service';
import { storageOf } from '../../lib/storage/lookup';
import type { RunRecord } from '../../lib/store/record';
import { isMeasured } from './faultyRuns';
import { soundRun } from './runs';

/** A sound run of four repeats in which the service counted a multiple of the bytes of `none`'s writes in one of them. */
function counting(factor: number, repeat = 2, record = soundRun({ compressibilities: [1] })): RunRecord {
  const phase = record.samples.find(
    (sample) => isMeasured(sample) && sample.arm === 'none' && sample.operation === 'write' && sample.repeat === repeat,
  );
  if (phase === undefined) throw new Error(`no write in repeat ${repeat}`);
  const [from, to] = [Date.parse(phase.startedAt), Date.parse(phase.endedAt)];
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: file.series.map((series) =>
      series.arm === 'none' && series.metric === 'DataWriteBytes'
        ? {
            ...series,
            points: series.points.map(([at, value]) => {
              const time = Date.parse(at);
              return [at, time >= from - 60_000 && time < to ? value * factor : value] as const;
            }),
          }
        : series,
    ),
  }));
  return { ...record, metrics };
}

const ruleOf = (record: RunRecord, rule: string) => summarise(record).analysis.checks.find(({ id }) => id === rule);

test.each([1, 2, 3, 4])('a foreign load of 30 % in repeat %i of four is found, and the phase is named', (repeat) => {
  expect(ruleOf(counting(1.3, repeat), 'foreign-load')).toMatchObject({
    state: 'found',
    issues: [
      {
        severity: 'error',
        message: expect.stringMatching(
          /^none: the service counted (2\d|3\d)(\.\d+)? % more of write than the clients of this run in 1 of 4 stretches of phases\.$/,
        ),
        where: expect.stringContaining(`r${repeat}-`),
      },
    ],
  });
});

test.each([1, 3])(
  'bytes of repeat %i of four that the service never saw are found, and the phase is named',
  (repeat) => {
    expect(ruleOf(counting(0.85, repeat), 'bytes-not-counted-by-service')).toMatchObject({
      state: 'found',
      issues: [
        {
          message: expect.stringMatching(/less of write than the clients in 1 of 4 stretches of phases;/),
          where: expect.stringContaining(`r${repeat}-`),
        },
      ],
    });
  },
);

test('what a passed check says that it could have found is true of each phase, and of nothing less', () => {
  const outcome = ruleOf(counting(1), 'foreign-load');
  expect(outcome).toMatchObject({ state: 'passed' });
  expect(outcome?.couldFind).toMatch(
    /^a load of others above 10 % in any of 18 stretches of up to 2 phases: DataWriteBytes of none/,
  );
  // The service counts as the clients do but for 2 %.
  expect(ruleOf(counting(1.15), 'foreign-load')?.state).toBe('found');
  expect(ruleOf(counting(1.06), 'foreign-load')?.state).toBe('passed');
});

test('phases that share periods of the service are judged together, and the check says of how many', () => {
  const record = soundRun({ compressibilities: [1] });
  // Reads are left out, and the writes follow one another.
  const first = Math.min(...record.samples.filter(isMeasured).map(({ startedAt }) => Date.parse(startedAt)));
  const shift = (repeat: number, at: string): string =>
    new Date(Date.parse(at) - startOf(record, repeat) + first + (repeat - 1) * 360_000).toISOString();
  const samples = record.samples.flatMap((sample) =>
    isMeasured(sample) && sample.operation === 'write'
      ? [
          {
            ...sample,
            startedAt: shift(sample.repeat, sample.startedAt),
            endedAt: shift(sample.repeat, sample.endedAt),
          },
        ]
      : [],
  );
  expect(ruleOf({ ...record, samples }, 'foreign-load')?.couldFind).toContain(
    'in any of 2 stretches of up to 4 phases: DataWriteBytes of none, DataWriteBytes of lz4',
  );
});

const startOf = (record: RunRecord, repeat: number): number =>
  Date.parse(
    record.samples.find((sample) => isMeasured(sample) && sample.operation === 'write' && sample.repeat === repeat)
      ?.startedAt ?? '',
  );

const write = (step: string, from: number, to: number) => ({
  arm: 'none',
  step,
  operation: 'write',
  tool: 'fio',
  bytes: 1e9,
  from: from * 1000,
  to: to * 1000,
});

/** Answer about tasks of one arm, with the bytes that the service counted in each minute; `null` for a minute that it did not publish. */
function judge(tasks: readonly object[], counted: readonly (number | null)[], sessions: readonly object[] = []) {
  const points = counted.flatMap((value, minute) =>
    value === null ? [] : [[new Date(minute * 60_000).toISOString(), value]],
  );
  const series = [
    { arm: 'none', metric: 'DataWriteBytes', dimensions: {}, periodSeconds: 60, statistic: 'Sum', points },
  ];
  const arms = [{ name: 'none', storage: storageOf({}), series }];
  return foreignLoad.check({ plan: null, status: null, tasks, arms, sessions, elsewhere: null } as unknown as Subject);
}

test('bytes of a task that is left out, since a program was at work beside it, are no foreign load', () => {
  const program = { ...write('r1-run', 200, 230), operation: 'run', tool: 'command', bytes: null };
  const tasks = [write('r1-write', 0, 60), write('r1-write-again', 70, 130), program];
  expect(judge(tasks, [1e9, 0.9e9, 0.1e9])).toMatchObject({ state: 'judged', findings: [] });
  expect(judge(tasks, [1e9, 1.3e9, 0.1e9])).toMatchObject({
    findings: [{ message: 'none: the service counted 15.0 % more of write than the clients of this run.' }],
  });
});

test('bytes of a period that two phases reach are no foreign load of the first', () => {
  // The service counted the beginning of the second in the minute before it.
  const tasks = [write('r1-write', 0, 62), write('r2-write', 190, 250)];
  expect(judge(tasks, [0.9e9, 0.1e9, 0.3e9, 0.7e9])).toMatchObject({ state: 'judged', findings: [] });
  expect(judge(tasks, [0.9e9, 0.4e9, 0.3e9, 0.7e9])).toMatchObject({ findings: [{ severity: 'error' }] });
});

describe('what a task wrote that was interrupted', () => {
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
  const killed = { startedAt: at(0), endedAt: at(100), end: 'killed' };
  const tasks = [write('r1-write', 0, 60), write('r2-write', 600, 660)];
  const counted = [1e9, 0.5e9, 0, 0, 0, 0, 0, 0, 0, 0, 1e9];

  test('is no foreign load', () => {
    expect(judge(tasks, counted)).toMatchObject({ findings: [{ severity: 'error' }] });
    const sessions = [killed, { startedAt: at(400), endedAt: at(660), end: 'done' }];
    expect(judge(tasks, counted, sessions)).toMatchObject({ state: 'judged', findings: [] });
    // Writes next to the others still are.
    expect(judge(tasks, counted.with(10, 1.3e9), sessions)).toMatchObject({ findings: [{ severity: 'error' }] });
  });

  test('leaves nothing to judge where no other phase is known', () => {
    expect(judge(tasks.slice(0, 1), counted, [killed])).toMatchObject({ state: 'not checked' });
  });
});
