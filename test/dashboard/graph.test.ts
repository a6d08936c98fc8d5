import { ARM_COLOURS } from '../../lib/common/page/drawing';
import {
  alarmRows,
  type Ceiling,
  ceilingLines,
  colourOf,
  graph,
  idOf,
  linePerArm,
  throughputGraphs,
} from '../../lib/dashboard/graph';

const arms = ['none', 'lz4', 'zstd'].map((name) => ({ name, colour: 'red' }));
const linesOf = (values: readonly (number | null)[], label = (_: number) => 'network') =>
  ceilingLines(arms, ({ name }): Ceiling[] => {
    const at = arms.findIndex((arm) => arm.name === name);
    const value = values[at] ?? null;
    return value === null ? [] : [{ label: label(at), value }];
  }).map(({ label: words, value }) => `${words} ${value}`);

test('a ceiling that arms share is one line, which names them unless it holds for all', () => {
  expect(linesOf([1, 1, 1])).toEqual(['network 1']);
  expect(linesOf([1, 1, 2])).toEqual(['network (none and 1 more) 1', 'network (zstd) 2']);
  expect(linesOf([1, null, 1])).toEqual(['network (none and 1 more) 1']);
  expect(linesOf([null, 5, null])).toEqual(['network (lz4) 5']);
  expect(linesOf([1, 1, 1], (at) => (at === 1 ? 'disks' : 'network'))).toEqual([
    'network (none and 1 more) 1',
    'disks (lz4) 1',
  ]);
});

test('a scale model is held to its fraction of a ceiling', () => {
  const modelled = [arms[0], { ...arms[1], model: { scale: 100 } }] as { name: string; colour: string }[];
  expect(ceilingLines(modelled, () => [{ label: 'network', value: 500 }])).toEqual([
    { label: 'network (none)', value: 500 },
    { label: 'network (lz4)', value: 5 },
  ]);
});

test('throughput is drawn by direction, writes first, in MB/s, one line for each arm in its colour', () => {
  const asked: string[] = [];
  const graphs = throughputGraphs(arms, {
    width: 8,
    rate: ({ name }, mode) => {
      asked.push(`${mode} ${name}`);
      return { kind: 'metric', namespace: 'n', metric: mode, dimensions: { name }, stat: 'Sum' };
    },
    ceilings: (_, mode) => [{ label: 'network', value: mode === 'write' ? 100 : 200 }],
  });
  expect(graphs.map(({ title, width, unit }) => [title, width, unit])).toEqual([
    ['Clients: write throughput', 8, 'MB/s'],
    ['Clients: read throughput', 8, 'MB/s'],
  ]);
  expect(graphs.map(({ ceilings }) => ceilings)).toEqual([
    [{ label: 'network', value: 100 }],
    [{ label: 'network', value: 200 }],
  ]);
  expect(graphs.map(({ left }) => left.map(({ label, colour }) => [label, colour]))).toEqual(
    Array(2).fill(arms.map(({ name }) => [name, 'red'])),
  );
  expect(asked).toEqual(['write', 'read'].flatMap((mode) => arms.map(({ name }) => `${mode} ${name}`)));
});

test('alarms are shown so many in a panel, each once, in rows of the whole width', () => {
  const rows = alarmRows(['a', 'b', 'c', 'd', 'e'], 2);
  expect(rows.map((row) => row.map(({ alarms, width }) => [alarms.join(''), width]))).toEqual([
    [['ab', 24]],
    [['cd', 24]],
    [['e', 24]],
  ]);
  expect(alarmRows([], 2)).toEqual([]);
});

test('names and colours of arms suit what they are drawn by', () => {
  expect(['p250-3000', 'a.b c', 'lz4'].map((name) => idOf({ name }))).toEqual(['p250_3000', 'a_b_c', 'lz4']);
  const count = ARM_COLOURS.length;
  expect([0, 1, count, count + 1].map(colourOf)).toEqual([0, 1, 0, 1].map((at) => ARM_COLOURS[at]));
  expect(graph({ title: 't', width: 6, unit: '%', left: [] })).toMatchObject({ height: 6, right: [], ceilings: [] });
  const of = { kind: 'metric', namespace: 'n', metric: 'm', dimensions: {}, stat: 'Sum' } as const;
  expect(linePerArm(arms.slice(1), () => of)).toEqual([
    { label: 'lz4', colour: 'red', of },
    { label: 'zstd', colour: 'red', of },
  ]);
});
