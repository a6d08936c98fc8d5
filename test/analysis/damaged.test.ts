import { summarise, summarise as summariseRun } from '../../lib/analysis/summary';
import { renderMarkdown, toJson } from '../../lib/report';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { soundRun, withMetric, withSamples } from './runs';

const isMeasured = ({ phase, source }: Sample): boolean => phase === 'measure' && source === 'client';
const isRate = (sample: Sample): boolean => isMeasured(sample) && sample.metric === 'throughput';
const onLz4 = (sample: Sample): boolean => isMeasured(sample) && sample.arm === 'lz4';

const without = (record: RunRecord, gone: (sample: Sample) => boolean): RunRecord => ({
  ...record,
  samples: record.samples.filter((sample) => !gone(sample)),
});
const valued = (record: RunRecord, wanted: (sample: Sample) => boolean, value: number): RunRecord =>
  withSamples(record, (sample) => (wanted(sample) ? { ...sample, value } : sample));
const serious = (record: RunRecord): string[] => [
  ...new Set(summarise(record).issues.flatMap(({ id, severity }) => (severity === 'note' ? [] : `${severity} ${id}`))),
];
/** Issues of an id in words: message, what was expected and found, what to do, and where. */
const said = (record: RunRecord, id: string): string[] =>
  summarise(record).issues.flatMap((one) =>
    one.id === id ? `${one.message} ${one.expected}; ${one.actual}; ${one.suggestion}; ${one.where}` : [],
  );
const comparison = (record: RunRecord, operation: string) =>
  summarise(record).comparisons.find((one) => one.operation === operation && one.compressibility === 1);

describe('samples that are not there', () => {
  test('make a run INVALID where nothing of a kind is left, though its status says that it is done', () => {
    const record = without(soundRun(), (sample) => onLz4(sample) && sample.operation === 'write');
    expect(serious(record)).toContain('error missing-samples');
    expect(summarise(record).validity).toBe('INVALID');
    expect(summarise(without(soundRun(), isMeasured)).validity).toBe('INVALID');
  });

  test('are a warning where some are left, with the steps that have none', () => {
    const record = without(soundRun(), (sample) => isMeasured(sample) && sample.step === 'r2-c1-write');
    const [issue, ...rest] = summarise(record).issues.filter(({ id }) => id === 'missing-samples');
    expect(rest).toHaveLength(1);
    expect(issue).toMatchObject({ severity: 'warning', actual: 'none of r2-c1-write', where: 'none' });
    expect(issue?.message).toBe('none, write at 1:1: no sample of 1 of 4 measured steps that the run did.');
  });

  test('are none of a run that was stopped before them: that is said once', () => {
    expect(serious(soundRun({ stopAfter: 20 }))).toEqual(['warning run-incomplete']);
  });
});

describe('values that no measurement gives', () => {
  const zero = valued(soundRun(), (sample) => onLz4(sample) && sample.repeat === 1, 0);

  test('a repeat in which an arm moved nothing is no pair, and is not told as one', () => {
    expect(comparison(zero, 'write')).toMatchObject({ count: 3 });
    expect(comparison(zero, 'write')?.pairs[0]).toMatchObject({ ratio: null, reason: 'lz4: nothing moved' });
    expect(toJson(summariseRun(zero)).findings[0]).toContain('in 3 pairs');
    expect(serious(zero)).toContain('warning nothing-moved');
  });

  test('a repeat without a value has its own reason, and what never had one no stragglers', () => {
    const lost = (gone: (repeat: number) => boolean) =>
      withSamples(soundRun(), (one) =>
        onLz4(one) && one.step.endsWith('c1-write') && gone(one.repeat)
          ? { ...one, value: null, reason: `lost ${one.repeat}` }
          : one,
      );
    const reasons = comparison(
      lost((repeat) => repeat < 3),
      'write',
    )?.pairs.map(({ reason }) => reason);
    expect(reasons).toEqual(['lz4: lost 1', 'lz4: lost 2', undefined, undefined]);
    const told = (record: RunRecord) =>
      summarise(record).analysis.stragglers.map((one) => `${one.arm} ${one.operation} ${one.compressibility}`);
    expect(told(soundRun()).filter((one) => !told(lost(() => true)).includes(one))).toEqual(['lz4 write 1']);
  });

  test('an arm that never moved anything stops no report', () => {
    const never = valued(soundRun({ repeats: 12 }), onLz4, 0);
    expect(comparison(never, 'write')).toMatchObject({ estimate: null, interval: null, count: 0 });
    expect(renderMarkdown(summariseRun(never))).not.toMatch(/NaN|Infinity/);
  });

  test('a rate below zero makes a run INVALID', () => {
    const record = valued(soundRun(), (sample) => isRate(sample) && onLz4(sample) && sample.repeat === 1, -5);
    expect(serious(record)).toContain('error negative-rate');
    expect(comparison(record, 'write')?.count).toBe(3);
  });

  test('two values for one measurement make a run INVALID', () => {
    const record = soundRun();
    const again = record.samples.filter((sample) => isRate(sample) && sample.step === 'r1-c1-write');
    const twice = { ...record, samples: [...record.samples, ...again.map((one) => ({ ...one, value: 9999 }))] };
    expect(serious(twice)).toContain('error contradicting-samples');
  });
});

describe('units', () => {
  test('a rate in a unit that nobody knows is compared with nothing', () => {
    const record = withSamples(soundRun(), (sample) =>
      isRate(sample) && sample.arm === 'lz4' ? { ...sample, unit: 'furlongs/s' } : sample,
    );
    expect(comparison(record, 'write')).toMatchObject({ estimate: null, interval: null });
    expect(comparison(record, 'write')?.pairs[0]?.reason).toBe('lz4: measured in furlongs/s, not in MB/s');
    expect(serious(record)).toContain('error unknown-unit');
  });

  test('within a cell, values are converted, and one that cannot be is missing with its reason', () => {
    const record = withSamples(soundRun(), (sample) => {
      if (!isRate(sample) || sample.arm !== 'lz4' || sample.value === null) return sample;
      if (sample.repeat === 1) return { ...sample, unit: 'hogsheads/s' };
      return sample.repeat === 2 ? { ...sample, unit: 'MB/s', value: sample.value * 1.048576 } : sample;
    });
    const of = (run: RunRecord) =>
      summarise(run).cells.find((one) => one.arm === 'lz4' && one.operation === 'write' && one.compressibility === 1);
    expect(of(record)).toMatchObject({ unit: 'MB/s', count: 3 });
    expect(of(record)?.samples[0]).toMatchObject({ value: null, reason: 'its unit is hogsheads/s, not one of MB/s' });
    expect(of(record)?.samples[1]?.value).toBeCloseTo(of(soundRun())?.samples[1]?.value as number, 6);
  });

  test.each([
    ['another unit', { unit: 'Kilobytes' }],
    ['averages', { statistic: 'Average' }],
  ])('bytes of the service in %s are not held against those of the clients', (_, change) => {
    const record = soundRun();
    const metrics = record.metrics.map((file) => ({
      ...file,
      series: file.series.map((one) => (/^Data(Read|Write)Bytes$/.test(one.metric) ? { ...one, ...change } : one)),
    }));
    const { checks } = summarise({ ...record, metrics }).analysis;
    expect(checks.find(({ id }) => id === 'bytes-not-counted-by-service')).toMatchObject({
      state: 'not checked',
      reason: expect.stringContaining('not as a sum of bytes'),
    });
  });

  test('a series that was collected twice counts once', () => {
    const record = soundRun();
    const metrics = record.metrics.map((file) => ({ ...file, series: [...file.series, ...file.series] }));
    expect(serious({ ...record, metrics })).toEqual([]);
  });
});

/** Nobody asked the service how busy its network was. */
const unasked = (record: RunRecord): RunRecord => ({
  ...record,
  metrics: record.metrics.map((file) => ({
    ...file,
    series: file.series.filter(({ metric }) => metric !== 'NetworkThroughputUtilization'),
  })),
});

test('reads that are far faster than the disks are not said to be limited by them', () => {
  const read = (sample: Sample): boolean => isMeasured(sample) && sample.operation === 'read' && sample.arm === 'none';
  const fast = (factor: number): RunRecord =>
    withMetric(
      withSamples(unasked(soundRun({ compressibilities: [1] })), (sample) =>
        read(sample) && sample.value !== null ? { ...sample, value: sample.value * factor } : sample,
      ),
      'DataReadBytes',
      (arm) => (arm === 'none' ? factor : 1),
    );
  const limited = (record: RunRecord) =>
    summarise(record).analysis.limits.find(({ arm, operation }) => arm === 'none' && operation === 'read');
  // 10,800 MB/s is the servers' documented network; the disks give 3,456 in a burst.
  expect(limited(fast(2.75))).toMatchObject({ limitedBy: 'server_network', aboveBaseline: false });
  expect(limited(fast(1.7))).toMatchObject({ limitedBy: null, binding: { baseline: 'disk' } });
  const [told] = toJson(summariseRun(fast(1.7))).answers.flatMap(({ sentences }) => sentences);
  expect(told).toContain('well above their documented burst, so the bottleneck is elsewhere');
  expect(renderMarkdown(summariseRun(fast(1.7)))).toContain('none: well above the lowest');
});

test('compressibility is not judged on an arm that nobody describes', () => {
  const record = soundRun();
  const stranger = record.samples.filter(({ arm }) => arm === 'lz4').map((sample) => ({ ...sample, arm: 'zstd' }));
  expect(serious({ ...record, samples: [...record.samples, ...stranger] })).not.toContain(
    'warning compressibility-off-target',
  );
});

test.each<[id: string, record: RunRecord]>([
  ['missing-samples', without(soundRun(), (one) => onLz4(one) && one.step.endsWith('c1-write'))],
  ['nothing-moved', valued(soundRun(), (one) => isRate(one) && onLz4(one) && one.step === 'r1-c1-write', 0)],
  ['nothing-moved', valued(soundRun(), (one) => isRate(one) && onLz4(one) && /r.-c1-write/.test(one.step), 0)],
  ['negative-rate', valued(soundRun(), (one) => isRate(one) && onLz4(one) && one.step === 'r3-c1-write', -5)],
  ['negative-rate', valued(soundRun(), (one) => isRate(one) && onLz4(one) && /r.-c1-write/.test(one.step), -5)],
  [
    'unknown-unit',
    withSamples(soundRun(), (one) =>
      onLz4(one) && one.step.endsWith('c1-write') && isRate(one) ? { ...one, unit: 'knots' } : one,
    ),
  ],
  [
    'contradicting-samples',
    ((run) => ({
      ...run,
      samples: [
        ...run.samples,
        ...run.samples.filter((one) => isRate(one) && one.step === 'r1-c1-write').map((one) => ({ ...one, value: 9 })),
      ],
    }))(soundRun()),
  ],
  ['no-samples', { ...soundRun({ stopAfter: 0 }), status: null }],
  ['run-incomplete', soundRun({ stopAfter: 34 })],
  ['run-incomplete', soundRun({ stopAfter: 20 })],
])('%s in full', (id, record) => {
  expect(said(record, id).join('\n')).toMatchSnapshot();
});

test('what disturbed the driver, by kind', () => {
  const run = soundRun();
  const { startedAt } = run.status as { startedAt: string };
  const event = (kind: string, message: string) => ({ at: startedAt, kind, message });
  const kinds = ['stopped', 'clock', 'leftovers', 'other-run', 'other-data', 'toString'];
  const events = [...kinds.map((kind) => event(kind, 'once')), event('clock', 'twice')];
  const status = { ...run.status, sessions: [{ startedAt, endedAt: startedAt, events }] } as RunRecord['status'];
  const { issues } = summarise({ ...run, status });
  expect(
    issues.flatMap(({ id, severity, message, actual }) =>
      id.startsWith('run-disturbed') ? `${severity} ${id}: ${message} ${actual}` : [],
    ),
  ).toMatchSnapshot();
});

test('codes of samples with a value, by code and step', () => {
  const codes = [
    'caches_not_dropped',
    'buffered_write_no_fsync',
    'removal_still_freeing',
    'clients_apart',
    'process_stopped',
    'phase_too_short',
    'size_mismatch',
    'toString',
  ];
  const run = withSamples(soundRun(), (one) =>
    isRate(one) && one.step === 'r1-c1-write'
      ? {
          ...one,
          cautions: one.arm === 'none' ? [...codes, 'settled'] : [],
          problems: one.arm === 'none' ? [] : ['odd'],
        }
      : isRate(one) && one.step === 'r2-c1-read'
        ? { ...one, value: null, problems: ['unseen'] }
        : one.phase === 'warm-up'
          ? { ...one, problems: ['early'] }
          : one,
  );
  const { issues } = summarise(run);
  expect(
    issues.flatMap(({ id, severity, message, actual }) =>
      actual === 'r1-c1-write' || ['unseen', 'early', 'settled'].includes(id) ? `${severity} ${id}: ${message}` : [],
    ),
  ).toMatchSnapshot();
});
