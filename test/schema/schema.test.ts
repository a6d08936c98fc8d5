import { type Issue, validityOf } from '../../lib/schema/issue';
import {
  countsOf,
  inside,
  type MetricSeries,
  overlap,
  SECONDS_FOR_METRICS,
  SeriesColumns,
  seriesOf,
  within,
} from '../../lib/schema/metrics';
import { limitsOfModel } from '../../lib/schema/model';
import { address, bucketName, checkedName, relativePath } from '../../lib/schema/names';
import { type Plan, precisionIn, smallestDifferenceIn } from '../../lib/schema/plan';
import { reasonsOf } from '../../lib/schema/sample';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();
const ms = (minute: number): number => Date.parse(at(minute));
/** Pairs of numbers: `0:1 1:2`. */
const pairs = (text: string) => text.split(' ').map((one) => one.split(':').map(Number) as [number, number]);
const series = (server: string, points: readonly (readonly [minute: number, value: number])[], more: object = {}) =>
  ({
    ...{ arm: 'none', namespace: 'AWS/FSx', metric: 'DataWriteBytes', dimensions: { Server: server } },
    ...{ statistic: 'Sum', unit: 'Bytes', periodSeconds: 60, ...more },
    points: points.map(([minute, value]) => [at(minute), value]),
  }) as unknown as MetricSeries;

describe('what a service counted', () => {
  test.each<[string, MetricSeries[], (readonly [minute: number, value: number])[]]>([
    [
      'is the sum over its servers, minute by minute',
      [series('a', pairs('0:1 1:2')), series('b', pairs('1:40 2:50'))],
      pairs('0:1 1:42 2:50'),
    ],
    ['is in the order of time', [series('a', pairs('2:3 0:1')), series('b', [[1, 2]])], pairs('0:1 1:2 2:3')],
    [
      'counts a server once that was collected twice, as it was last',
      [series('a', [[0, 7]]), series('a', [[0, 9]])],
      [[0, 9]],
    ],
    ['is of its own metric', [series('a', [[0, 1]]), series('a', [[0, 5]], { metric: 'DataReadBytes' })], [[0, 1]]],
    ['leaves out what is no sum', [series('a', [[0, 1]]), series('b', [[0, 5]], { statistic: 'Average' })], [[0, 1]]],
    ['leaves out another unit', [series('a', [[0, 1]]), series('b', [[0, 5]], { unit: 'Seconds' })], [[0, 1]]],
    [
      'takes a count, or no unit',
      [series('a', [[0, 1]], { unit: 'Count' }), series('b', [[0, 2]], { unit: null })],
      [[0, 3]],
    ],
  ])('%s', (_, all, expected) => {
    const { periods, reason } = countsOf(all, 'DataWriteBytes');
    expect(periods.map(({ from, to, value }) => [from, to - from, value])).toEqual(
      expected.map(([minute, value]) => [ms(minute), 60_000, value]),
    );
    expect(reason).toBeNull();
  });

  test.each<[string, MetricSeries[], string]>([
    ['nothing was collected', [], 'DataWriteBytes: not collected; run npx fsxbench collect'],
    [
      'nothing of this metric',
      [series('a', [[0, 1]], { metric: 'x' })],
      'DataWriteBytes: not collected; run npx fsxbench collect',
    ],
    ['nothing was published', [series('a', []), series('b', [], { reason: 'no data' })], 'DataWriteBytes: no data'],
    [
      'it is no sum',
      [series('a', [[0, 1]], { statistic: 'Average', unit: 'Percent' })],
      'DataWriteBytes: collected as Average in Percent, not as a sum of bytes or operations',
    ],
  ])('is unknown with a reason: %s', (_, all, reason) => {
    expect(countsOf(all, 'DataWriteBytes')).toEqual({ periods: [], reason });
  });

  test('has the reason of the service only where no server has a point', () => {
    const all = [series('a', [], { reason: 'no data' }), series('b', [[0, 1]])];
    expect(seriesOf(all, 'DataWriteBytes')).toEqual({ series: [all[1]], reason: null });
  });

  test('is kept in columns without a change', () => {
    const columns = new SeriesColumns();
    const all = [
      series('a', pairs('0:1 1:2')),
      series('b', pairs('0:5 1:6')),
      series('c', pairs('0:7 2:8')),
      series('d', []),
    ];
    expect(all.map((one) => columns.of(one)).map((one) => ({ ...one, points: one.points }))).toEqual(all);
  });
});

// A minute counts for a phase only if all of it lies within.
test.each([
  [[[0, 3]], [10, 20, 30]],
  [[[1, 2]], [20]],
  [[[0.5, 3]], [20, 30]],
  [[[0, 2.9]], [10, 20]],
  [pairs('0:1 2:3'), [10, 30]],
  [pairs('0:1.5 1.5:3'), [10, 30]],
  [[[3, 9]], []],
])('periods within %j: %j', (windows, values) => {
  const own = windows.map(([from = 0, to = 0]) => ({ from: ms(0) + from * 60_000, to: ms(0) + to * 60_000 }));
  expect(within(series('a', pairs('0:10 1:20 2:30')), own)).toEqual(values);
});

test.each([
  [[0, 2], [1, 3], true],
  [[1, 3], [0, 2], true],
  [[0, 9], [3, 4], true],
  [[3, 4], [0, 9], true],
  [[0, 1], [1, 2], false],
  [[1, 2], [0, 1], false],
  [[0, 1], [5, 6], false],
] as const)('%j and %j overlap: %s', ([a, b], [c, d], overlapping) => {
  expect(overlap({ from: a, to: b }, { from: c, to: d })).toBe(overlapping);
  expect(
    inside({ from: a, to: b }, [
      { from: a, to: b },
      { from: c, to: d },
    ]),
  ).toBe(true);
});

test('five points of a minute each are a phase that metrics can confirm', () => expect(SECONDS_FOR_METRICS).toBe(300));

test.each<[Issue['severity'][], string]>([
  [[], 'VALID'],
  [['note'], 'VALID'],
  [['note', 'warning'], 'WARN'],
  [['warning', 'error', 'note'], 'INVALID'],
])('a run with issues of %j is %s', (severities, validity) => {
  expect(validityOf(severities.map((severity) => ({ severity }) as Issue))).toBe(validity);
});

test('a plan says its precision and the smallest difference that matters in percent', () => {
  const plan = (parameters: object) => ({ parameters }) as unknown as Plan;
  expect(precisionIn(plan({ precision: 2, repeats: 10 }))).toEqual({ precision: 0.02, repeats: 10 });
  expect([precisionIn(plan({ repeats: 10 })), precisionIn(plan({ precision: 2 })), precisionIn(null)]).toEqual([
    null,
    null,
    null,
  ]);
  expect([
    smallestDifferenceIn(plan({ smallestDifferencePercent: 5 })),
    smallestDifferenceIn(plan({})),
    smallestDifferenceIn(null),
  ]).toEqual([0.05, null, null]);
});

test('why samples have no value, each reason once and in its order', () => {
  const samples = [
    ...[
      { value: null, reason: 'b' },
      { value: 1, reason: 'rounded' },
      { value: null, reason: 'a' },
    ],
    ...[{ value: null, reason: 'b' }, { value: null }, { value: 0 }],
  ];
  expect(reasonsOf(samples)).toEqual(['b', 'a', 'unknown']);
});

test('a dashboard compares with what a model throttles', () => {
  const metadata = { writesPerSecond: 120, setCreatesPerSecond: 60 } as never;
  expect(limitsOfModel({ scale: 100, metadata })).toEqual({ scale: 100, metadataIops: 120 });
  expect(limitsOfModel({ scale: 100 })).toEqual({ scale: 100, metadataIops: null });
});

test.each([
  [relativePath, 'raw/1-c1.65-write.out', true],
  [relativePath, '/raw/a', false],
  [relativePath, 'raw//a', false],
  [relativePath, 'raw/../a', false],
  [bucketName, 'my-bucket.1', true],
  [bucketName, 'ab', false],
  [bucketName, 'abc', true],
  [bucketName, `a${'b'.repeat(62)}`, true],
  [bucketName, `a${'b'.repeat(63)}`, false],
  [bucketName, 'My-bucket', false],
  [bucketName, 'bucket-', false],
  [address, '10.0.0.1', true],
  [address, 'fd00::1', true],
  [address, 'node-1', false],
  [address, '-oProxyCommand=x', false],
])('%#: %s is allowed: %s', (schema, text, allowed) => expect(schema.safeParse(text).success).toBe(allowed));

test('a name is told with what it should name', () => {
  expect(checkedName('arm', 'lz4-1.65')).toBe('lz4-1.65');
  expect(() => checkedName('arm', '../x')).toThrow(/^'arm' must be .*, got "\.\.\/x"$/);
});
