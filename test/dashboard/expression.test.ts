import {
  countOf,
  extreme,
  inMegabytes,
  leavesOf,
  type Metric,
  named,
  parts,
  product,
  rate,
  ratio,
  reduced,
  type Search,
  sum,
} from '../../lib/dashboard/expression';

const metric = (name: string): Metric =>
  named({ kind: 'metric', namespace: 'AWS/FSx', metric: name, dimensions: {}, stat: 'Sum' }, name.toLowerCase());
const search = (name: string): Search => ({
  namespace: 'AWS/FSx',
  metric: name,
  dimensions: [],
  resource: {},
  stat: 'Sum',
});

test('every metric of a line is asked for, wherever it stands in its expression', () => {
  const expression = extreme('MAX', [
    ratio(rate(sum([metric('A'), metric('B')])), product(metric('C'), countOf(search('D')))),
    inMegabytes(rate(metric('E')), 'e'),
    reduced('SUM', search('F')),
    product(metric('G'), 100),
  ]);
  expect(leavesOf(expression).map(({ metric: name }) => name)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
  expect(leavesOf(parts(search('A')))).toEqual([search('A')]);
  expect(leavesOf({ kind: 'query', how: 'MAX', searches: [search('A'), search('B')] })).toEqual([
    search('A'),
    search('B'),
  ]);
});
