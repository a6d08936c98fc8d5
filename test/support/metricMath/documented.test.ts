import { collected, minutes, sourceOf } from '../../observe/draw/source';
import { evaluate } from './evaluate';
import { matchesPartly } from './search';
import { NotEvaluated, type Value } from './series';

/*
 * What CloudWatch documents, with the documentation's own values: user guide, "Using math expressions with CloudWatch metrics" and
 * "CloudWatch search expression syntax". `null` is a time without a value, which the documentation writes as a dash.
 */

type Points = readonly (number | null)[];

/** Evaluates an expression over the metrics that it names. */
function evaluated(text: string, metrics: Readonly<Record<string, Points>>): unknown {
  const source = sourceOf(
    Object.entries(metrics).map(([name, values]) => collected(name, {}, values)),
    5,
  );
  const value = evaluate(text, {
    source,
    periodSeconds: 60,
    byId: (id): Value => {
      if (!Object.hasOwn(metrics, id)) throw new NotEvaluated(`no id ${id}`);
      const asked = { namespace: 'AWS/FSx', metric: id, dimensions: {}, stat: 'Sum' };
      return { kind: 'series', series: source.metric(asked, 60) };
    },
  });
  if (value.kind === 'series') return minutes(value.series.points, 5);
  if (value.kind === 'list') return value.list.map(({ points }) => minutes(points, 5));
  return value.kind === 'scalar' ? value.value : value.reason;
}

describe('comparison and logical operators, table of the guide', () => {
  const metrics = { metric1: [30, 20, 0, 0], metric2: [20, null, 20, null] };

  test.each([
    ['(metric1 < metric2)', [0, 0, 1, 0, null]],
    ['(metric1 >= 30)', [1, 0, 0, 0, null]],
    ['(metric1 > 15 AND metric2 > 15)', [1, 0, 0, 0, null]],
    ['(metric1 > 15 && metric2 > 15)', [1, 0, 0, 0, null]],
  ])('%s', (text, expected) => {
    expect(evaluated(text, metrics)).toEqual(expected);
  });
});

describe('IF, tables of the guide', () => {
  const metric1 = [1, 1, 0, 0, null];

  test.each<[string, Readonly<Record<string, Points>>, Points]>([
    [
      'IF(metric1, metric2, metric3)',
      { metric1, metric2: [30, null, 0, 0, 30], metric3: [0, 0, 20, null, 20] },
      [30, 0, 20, null, null],
    ],
    ['IF(metric1, 5, metric3)', { metric1, metric3: [0, 0, 20, null, 20] }, [5, 5, 20, null, null]],
    ['IF(metric1, metric2, 5)', { metric1, metric2: [30, null, 0, 0, 30] }, [30, 0, 5, 5, null]],
    // Without a third argument what is false is dropped, and any number but 0 is true, also one below it.
    ['IF(metric1, 7)', { metric1: [1, 0, -3, null, 2] }, [7, null, 7, null, 7]],
    ['IF(metric1 < 400, metric1)', { metric1: [399, 400, 12, null, 500] }, [399, null, 12, null, null]],
    ['IF(metric1 < 400, 10, 2)', { metric1: [399, 400, 12, null, 500] }, [10, 2, 10, null, 2]],
    ['IF(0, metric1, metric2)', { metric1: [1, 1, 1, 1, 1], metric2: [4, null, 4, 4, 4] }, [4, null, 4, 4, 4]],
  ])('%s of %j', (text, metrics, expected) => {
    expect(evaluated(text, metrics)).toEqual(expected);
  });
});

describe('basic arithmetic and functions over arrays', () => {
  const m1 = [1, 2, null, 4, 6];
  const m2 = [10, null, null, 0, 3];

  test.each<[string, string, unknown]>([
    ['missing values count as 0 between two series', 'm1 + m2', [11, 2, null, 4, 9]],
    ['… on either side', 'm2 - m1', [9, -2, null, -4, -3]],
    ['a number is applied where there is a value', '5 * m1', [5, 10, null, 20, 30]],
    ['unary minus', '-m1', [-1, -2, null, -4, -6]],
    ['a point that would be divided by 0 is dropped, also by a missing one', 'm1 / m2', [0.1, null, null, null, 2]],
    [
      'an array and a number',
      '[m1, m2] * 2',
      [
        [2, 4, null, 8, 12],
        [20, null, null, 0, 6],
      ],
    ],
    ['SUM of an array is one series', 'SUM([m1, m2])', [11, 2, null, 4, 9]],
    ['SUM(100 / [m1, m2])', 'SUM(100 / [m1, m2])', [110, 50, null, 25, 100 / 6 + 100 / 3]],
    ['MAX of an array is one series', 'MAX([m1, m2])', [10, 2, null, 4, 6]],
    ['MIN of an array is one series', 'MIN([m1, m2])', [1, 2, null, 0, 3]],
    ['AVG of an array takes what is missing for 0', 'AVG([m1, m2])', [5.5, 1, null, 2, 4.5]],
    ['MAX of one series is a number', 'MAX(m1) - 0', 6],
    ['SUM of one series is a number', 'SUM(m1) - 0', 13],
    ['which may be computed with', 'm1 - MIN(m1)', [0, 1, null, 3, 5]],
    ['METRIC_COUNT is a number', 'm1 / METRIC_COUNT([m1, m2])', [0.5, 1, null, 2, 3]],
    ['PERIOD is the seconds of the metric', 'm1 / PERIOD(m1)', [1 / 60, 2 / 60, null, 4 / 60, 6 / 60]],
    ['FILL with a number', 'FILL(m1, 10)', [1, 2, 10, 4, 6]],
    ['FILL with another series', 'FILL(m2, m1)', [10, 2, null, 0, 3]],
    ['FILL with a number of a series', 'FILL(m1, MIN(m1))', [1, 2, 1, 4, 6]],
    [
      'FILL of an array',
      'FILL([m1, m2], 0)',
      [
        [1, 2, 0, 4, 6],
        [10, 0, 0, 0, 3],
      ],
    ],
  ])('%s: %s', (_, text, expected) => {
    expect(evaluated(text, { m1, m2 })).toEqual(expected);
  });

  test('PERIOD takes a metric, and no result of an expression over arrays', () => {
    expect(evaluated('PERIOD([m1, m2])', { m1, m2 })).toMatch(/PERIOD of what is not one series/);
  });
});

describe('partial matches of a search, examples of the guide', () => {
  test.each([
    ...['count', 'Count', 'COUNT', 'CustomCount', 'Count1'].map((term) => [term, 'CustomCount1', true] as const),
    ...['couNT', 'customcount', 'count1'].map((term) => [term, 'CustomCount1', false] as const),
    ...['sdb', 'failure', 'SDBFailure'].map((term) => [term, 'SDBFailure', true] as const),
    ...['project', '2', 'trial', '333'].map((term) => [term, 'Project2-trial333', true] as const),
    ...['network/errors', 'network+errors', 'network-errors', 'Network_Errors'].flatMap((term) => [
      [term, 'Network-Errors-2', true] as const,
      [term, 'NetworkErrors2', true] as const,
    ]),
    // Our dashboards search for the metadata targets, with any hexadecimal number.
    ...['MDT0000', 'MDT000a', 'MDT0010'].map((target) => ['MDT', target, true] as const),
    ['MDT', 'OST0000', false] as const,
  ])('%s in %s: %s', (term, value, expected) => {
    expect(matchesPartly(term, value)).toBe(expected);
  });
});
