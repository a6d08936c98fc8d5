import { collected, minutes, sourceOf } from '../../observe/draw/source';
import { evaluate } from './evaluate';
import { NotEvaluated, type Value } from './series';

const FS = 'fs-0a1b2c3d4e5f60718';
const mdt = (id: string, values: (number | null)[], metric = 'StatOperations') =>
  collected(metric, { FileSystemId: FS, StorageTargetId: id }, values);

const source = sourceOf([
  collected('Reads', { FileSystemId: FS }, [60, 120, null, 240]),
  collected('Writes', { FileSystemId: FS }, [60, null, 60, 60]),
  collected('Never', { FileSystemId: FS }, []),
  mdt('MDT0000', [10, 20, null, 40]),
  mdt('MDT0001', [1, 2, 3, null]),
  mdt('OST0000', [500, 500, 500, 500]),
  collected('StatOperations', { FileSystemId: 'fs-0ffffffffffffffff', StorageTargetId: 'MDT0000' }, [7, 7, 7, 7]),
  collected('StatOperations', { FileSystemId: FS }, [9, 9, 9, 9]),
]);

const METRICS: Readonly<Record<string, string>> = { a: 'Reads', b: 'Writes', never: 'Never' };

function run(text: string) {
  return evaluate(text, {
    source,
    periodSeconds: 60,
    byId: (id): Value => {
      const metric = METRICS[id];
      if (metric === undefined) throw new NotEvaluated(`no id ${id}`);
      const asked = { namespace: 'AWS/FSx', metric, dimensions: { FileSystemId: FS }, stat: 'Sum' };
      return { kind: 'series', series: source.metric(asked, 60) };
    },
  });
}

function shown(text: string): unknown {
  const value = run(text);
  if (value.kind === 'scalar') return value.value;
  if (value.kind === 'series') return minutes(value.series.points);
  return value.kind === 'list' ? value.list.map(({ points }) => minutes(points)) : value.reason;
}

const QUERY = `SELECT SUM(StatOperations) FROM SCHEMA("AWS/FSx", FileSystemId, StorageTargetId) WHERE FileSystemId = '${FS}' OR FileSystemId = 'fs-0ffffffffffffffff' GROUP BY FileSystemId`;
const SEARCH = `SEARCH('{AWS/FSx,FileSystemId,StorageTargetId} MetricName="StatOperations" FileSystemId="${FS}" StorageTargetId=MDT', 'Sum', 60)`;

test.each<[string, string, unknown]>([
  ['a plain metric', 'a', [60, 120, null, 240]],
  ['precedence', '2 + 3 * 4 ^ 2', 50],
  ['minus before a bracket', '-(2 - 5)', 3],
  ['a number applied to each point', 'a / 60', [1, 2, null, 4]],
  ['a point missing on one side counts as 0', 'a + b', [120, 120, 60, 300]],
  ["a rate, whose period is the metric's", '(a + b) / PERIOD(a)', [2, 2, 1, 5]],
  ['a quotient by zero is missing', 'a / (b - 60)', [null, null, null, null]],
  ['FILL gives each period of the window a value', 'FILL(a, 0)', [60, 120, 0, 240]],
  ['FILL in a sum', 'a + FILL(b, 0)', [120, 120, 60, 300]],
  ['FILL knows no period of a metric without any point', 'FILL(never, 0)', [null, null, null, null]],
  ['IF by a series', 'IF(a > 100, 1, 0)', [0, 1, null, 1]],
  ['IF takes the chosen series at that time', 'IF(a > 100, b, a)', [60, 0, null, 60]],
  ['MINUTE is the clock at each period of the window, with or without a point', 'MINUTE(a)', [0, 1, 2, 3]],
  ['HOUR, in UTC', 'IF(HOUR(a) == 10 AND MINUTE(a) == 2, 1, 0)', [0, 0, 1, 0]],
  [
    'a search, each series by itself',
    SEARCH,
    [
      [10, 20, null, 40],
      [1, 2, 3, null],
    ],
  ],
  ['SUM over a search ignores what is missing', `SUM(${SEARCH})`, [11, 22, 3, 40]],
  ['SUM over a search as a rate', `SUM(${SEARCH}) / 60`, [11 / 60, 22 / 60, 3 / 60, 40 / 60]],
  ['MAX over a search is the busiest at each time', `MAX(${SEARCH})`, [10, 20, 3, 40]],
  ['AVG, for which a missing value is 0', `AVG(${SEARCH})`, [5.5, 11, 1.5, 20]],
  ['MAX of a list', '100 * MAX([a / 60, b / 60]) / 12', [100 / 12, 200 / 12, 100 / 12, 400 / 12]],
  ['MAX of one series is a number', 'MAX(a)', 240],
  [
    'a list and a number',
    `${SEARCH} * 2`,
    [
      [20, 40, null, 80],
      [2, 4, 6, null],
    ],
  ],
  [
    'a query: one line for each file system, over all of its targets',
    QUERY,
    [
      [511, 522, 503, 540],
      [7, 7, 7, 7],
    ],
  ],
  ['a query over one file system', QUERY.replace(/ OR .*/, ''), [[511, 522, 503, 540]]],
  ['a sum over nothing has no point', `SUM(${SEARCH.replace('=MDT', '=XYZ')})`, [null, null, null, null]],
])('%s: %s', (_, text, expected) => {
  expect(shown(text)).toEqual(expected);
});

test.each([
  ['SELECT MAX(CPUUtilization) FROM SCHEMA("AWS/FSx", FileSystemId)', /a query with SELECT of this form/],
  [QUERY.replace(' GROUP BY FileSystemId', ''), /a query with SELECT of this form/],
  ['RATE(a)', /the function RATE$/],
  [`${SEARCH} + ${SEARCH}`, /'\+' between two lists of series/],
  ['a +', /ends in the middle/],
  ['SUM(a, b)', /SUM with 2 arguments instead of 1/],
  ["SEARCH('{AWS/FSx,FileSystemId} a OR b', 'Sum', 60)", /a SEARCH for 'a OR b'/],
  [SEARCH.replace(', 60)', ', 90)'), /collected every 60 s, and this asks for 90 s/],
])('refuses %s by name', (text, reason) => {
  expect(shown(text)).toMatch(reason);
});

test('adds up shorter periods to the one that is asked for', () => {
  const value = run(SEARCH.replace(', 60)', ', 120)'));
  const values = value.kind === 'list' ? value.list.map(({ points }) => [...points.values()]) : [];
  expect(values).toEqual([
    [30, 40],
    [3, 3],
  ]);
});
