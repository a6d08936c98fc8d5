import { reduced, type Search } from '../../../lib/dashboard/expression';
import { graph, type Line } from '../../../lib/dashboard/graph';
import { coloursOf, drawnGraph, seriesOf } from '../../../lib/observe/draw/graph';
import { Collected } from '../../../lib/observe/draw/source';
import type { MetricSeries } from '../../../lib/schema/metrics';
import { collected, minutes, START } from './source';

const FS = { FileSystemId: 'fs-1' };
const target = (id: string) => ({ ...FS, StorageTargetId: id });
const asked = (metric: string, stat = 'Sum', dimensions: Readonly<Record<string, string>> = FS) => ({
  ...{ namespace: 'AWS/FSx', metric, dimensions, stat },
});
const search = (change: Partial<Search> = {}): Search => ({
  namespace: 'AWS/FSx',
  metric: 'Reads',
  dimensions: ['FileSystemId', 'StorageTargetId'],
  resource: FS,
  stat: 'Sum',
  ...change,
});

/** A metric with these values, one after each of so many seconds. */
const every = (periodSeconds: number, metric: string, values: readonly number[], statistic = 'Sum'): MetricSeries => ({
  ...collected(metric, FS, []),
  statistic,
  periodSeconds,
  points: values.map((value, index) => [new Date(START + index * periodSeconds * 1000).toISOString(), value]),
});

describe('a metric', () => {
  test('is the one with these dimensions and no more', () => {
    const source = new Collected([collected('Reads', target('OST0000'), [7]), collected('Reads', FS, [1])]);
    expect(minutes(source.metric(asked('Reads')).points, 1)).toEqual([1]);
  });

  test('without a point is empty, whatever its statistic; with some it must be the one that was collected', () => {
    const source = new Collected([collected('Reads', FS, []), collected('Writes', FS, [1])]);
    expect(source.metric(asked('Reads', 'Average')).points.size).toBe(0);
    expect(() => source.metric(asked('Writes', 'Average'))).toThrow(
      'Writes was collected as Sum, and this asks for Average',
    );
  });

  test('that was collected more often is put together by the minute', () => {
    const source = new Collected([every(30, 'Reads', [1, 2, 3, 4]), every(30, 'Load', [1, 2, 3, 4], 'SampleCount')]);
    const { points, everySeconds } = source.metric(asked('Reads'));
    expect([minutes(points, 2), everySeconds]).toEqual([[3, 7], 60]);
    expect(minutes(source.metric(asked('Load', 'SampleCount')).points, 2)).toEqual([3, 7]);
  });

  test('of the lab’s seconds is drawn value by value, counts as the minute that they would make, levels as they are', () => {
    const values = [1, 2, 3, 4, 5, 6];
    const source = new Collected([every(20, 'Reads', values), every(20, 'LogicalDiskUsage', values)]);
    const drawn = (metric: string) => [...source.metric(asked(metric)).points.values()];
    expect([drawn('Reads'), drawn('LogicalDiskUsage')]).toEqual([[3, 6, 9, 12, 15, 18], values]);
  });

  test('whose period does not fit into a minute, nor a minute into it, is not drawn', () => {
    const source = new Collected([every(45, 'Reads', [1, 2]), every(90, 'Writes', [1, 2])]);
    for (const [name, seconds] of [
      ['Reads', 45],
      ['Writes', 90],
    ] as const)
      expect(() => source.metric(asked(name))).toThrow(
        `${name} was collected every ${seconds} s, and this asks for 60 s`,
      );
  });

  test('is drawn in the order of time, in whatever order it was collected', () => {
    const one = every(30, 'Reads', [1, 2, 3, 4]);
    const source = new Collected([{ ...one, points: [...one.points].reverse() }]);
    expect([...source.metric(asked('Reads')).points.values()]).toEqual([3, 7]);
  });

  test('of which only longer periods are kept is drawn by its mean minute, a mean as it is', () => {
    const source = new Collected([every(300, 'Reads', [50]), every(300, 'Load', [50], 'Average')]);
    const { points, everySeconds } = source.metric(asked('Reads'));
    expect([minutes(points, 1), everySeconds]).toEqual([[10], 300]);
    expect(minutes(source.metric(asked('Load', 'Average')).points, 1)).toEqual([50]);
  });
});

describe('a search', () => {
  test('finds what has exactly its dimensions, data, and a part of that name', () => {
    const source = new Collected([
      ...['MDT0001', 'MDT0000', 'OST-MDT0'].map((id, index) => collected('Reads', target(id), [index])),
      collected('Reads', target('MDT0002'), []),
      collected('Reads', { ...target('MDT0003'), Extra: 'x' }, [9]),
    ]);
    const found = source.search(search({ named: { StorageTargetId: 'MDT' } }));
    expect(found.map(({ dimensions }) => dimensions.StorageTargetId)).toEqual(['MDT0000', 'MDT0001']);
  });

  test('is reduced with a missing value as 0, and to nothing where it finds nothing', () => {
    const source = new Collected([
      collected('Reads', target('OST0000'), [4, 4]),
      collected('Reads', target('OST0001'), [2, null]),
    ]);
    const [mean] = seriesOf(reduced('AVG', search()), source);
    expect(minutes(mean?.points ?? new Map(), 2)).toEqual([3, 2]);
    const [none] = seriesOf(reduced('SUM', search({ metric: 'Writes' })), source);
    expect(none?.points.size).toBe(0);
  });
});

test('why there is nothing of a part may stand beside the whole', () => {
  const source = new Collected([collected('Reads', FS, [], { reason: 'the service published none' })]);
  expect(source.reason(search())).toBe('Reads: the service published none');
  expect(source.reason({ kind: 'metric', ...asked('Reads', 'Sum', target('OST0000')) })).toBe(
    'Reads: the service published none',
  );
  expect(source.reason(search({ metric: 'Writes' }))).toBe('Writes: not collected');
});

describe('a graph', () => {
  const line = (label: string, metric: string, colour?: string): Line => ({
    label,
    ...(colour !== undefined && { colour }),
    of: { kind: 'metric', ...asked(metric) },
  });
  const source = new Collected([
    collected('Reads', FS, [1]),
    collected('Writes', FS, [], { reason: 'none published' }),
  ]);

  test('remarks on lines without data alone', () => {
    const left = [line('read', 'Reads'), line('written', 'Writes')];
    const { lines, missing, partial, refused } = drawnGraph(graph({ title: 'a', width: 6, unit: 'x', left }), source);
    expect(lines.map(({ label }) => label)).toEqual(['read']);
    expect([missing, partial, refused]).toEqual([[{ label: 'written', why: 'Writes: none published' }], [], []]);
  });

  test('gives a name the colour that it has first on the dashboard', () => {
    const of = (colour: string) =>
      graph({ title: colour, width: 6, unit: 'x', left: [line('lz4', 'Reads', colour), line('none', 'Reads')] });
    expect([...coloursOf({ rows: [[of('red'), of('blue')]] })]).toEqual([['lz4', 'red']]);
  });
});
