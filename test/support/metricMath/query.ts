import { ownValue } from '../../../lib/common/collections';
import { NotEvaluated } from './series';

const FORM = /^\s*SELECT (\w+)\((\w+)\) FROM SCHEMA\("([^"]+)"((?:, \w+)+)\) WHERE (.+?)(?: GROUP BY (\w+))?\s*$/;
const CONDITION = /^(\w+) = '([^']*)'$/;

/** The statistic that each function of a query takes of every metric that it finds. */
const STATISTICS: Readonly<Record<string, string>> = { SUM: 'Sum', MAX: 'Maximum', MIN: 'Minimum', AVG: 'Average' };

/** A query as searches: one line for each, over all that it finds. */
interface Query {
  readonly aggregate: string;
  readonly statistic: string;
  readonly lines: readonly { readonly value: string; readonly search: string }[];
}

/**
 * Parses a query of Metrics Insights in the form that our dashboards have: one value of one dimension after the other, each a line. Source:
 * CloudWatch user guide, Metrics Insights query components and syntax.
 *
 * @throws NotEvaluated for other forms
 */
export function parseQuery(text: string): Query {
  const [, aggregate = '', metric = '', namespace = '', dimensions = '', where = '', by] = FORM.exec(text) ?? [];
  const statistic = ownValue(STATISTICS, aggregate);
  const conditions = where.split(' OR ').map((condition) => CONDITION.exec(condition));
  if (statistic === undefined || (conditions.length > 1 && by === undefined))
    throw new NotEvaluated('a query with SELECT of this form');
  const lines = conditions.map((condition) => {
    const [, name = '', value = ''] = condition ?? [];
    if (name === '' || (by !== undefined && by !== name)) throw new NotEvaluated('a query with SELECT of this form');
    const schema = `${namespace}${dimensions.replaceAll(' ', '')}`;
    return { value, search: `{${schema}} MetricName="${metric}" ${name}="${value}"` };
  });
  return { aggregate, statistic, lines };
}
