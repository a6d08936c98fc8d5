import { summarise } from '../../lib/analysis/summary';
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
