import type { Subject } from '../../lib/analysis/subject';
import { summarise } from '../../lib/analysis/summary';
import { foreignLoad } from '../../lib/analysis/validity/service';
import { storageOf } from '../../lib/storage/lookup';
import type { RunRecord } from '../../lib/store/record';
import { isMeasured } from './faultyRuns';
import { soundRun } from './runs';

/** A sound run of four repeats in which the service counted a multiple of the bytes of `none`'s writes in one of them. */
function counting(factor: number, repeat = 2, record = soundRun({ targets: [1] })): RunRecord {
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
  const record = soundRun({ targets: [1] });
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

/** Answer about a write of a minute, one after it that ends beside a program of the user's, and the bytes that the service counted in three minutes. */
function besideProgram(...counted: readonly number[]) {
  const task = { arm: 'none', step: 'r1-write', operation: 'write', tool: 'fio', bytes: 1e9, from: 0, to: 60_000 };
  const later = { ...task, step: 'r1-write-again', from: 70_000, to: 130_000 };
  const program = {
    ...task,
    step: 'r1-run',
    operation: 'run',
    tool: 'command',
    bytes: null,
    from: 200_000,
    to: 230_000,
  };
  const points = counted.map((value, minute) => [new Date(minute * 60_000).toISOString(), value]);
  const series = [
    { arm: 'none', metric: 'DataWriteBytes', dimensions: {}, periodSeconds: 60, statistic: 'Sum', points },
  ];
  const arms = [{ name: 'none', storage: storageOf({}), series }];
  return foreignLoad.check({ plan: null, tasks: [task, later, program], arms, elsewhere: null } as unknown as Subject);
}

test('bytes of a task that is left out, since a program was at work beside it, are no foreign load', () => {
  expect(besideProgram(1e9, 0.9e9, 0.1e9)).toMatchObject({ state: 'judged', findings: [] });
  expect(besideProgram(1e9, 1.3e9, 0.1e9)).toMatchObject({
    findings: [{ message: 'none: the service counted 15.0 % more of write than the clients of this run.' }],
  });
});
