import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Metric, MetricExpression, Query, Search } from '../../dashboard/expression';
import type { Dashboard, Line, Panel } from '../../dashboard/graph';
import { metricOf, type Published } from '../../storage/common/graphs';
import type { MetricRole } from '../../storage/storage';

/** Services publish one value per minute; a coarser graph would average out the phases of a run. */
export const MINUTE = Duration.minutes(1);

export const toMetric = (
  { namespace, metric, dimensions, stat }: Metric,
  options: cloudwatch.MetricOptions = {},
): cloudwatch.Metric =>
  // No unit: CloudWatch would filter by it, and services publish a metric in one unit anyway.
  new cloudwatch.Metric({
    namespace,
    metricName: metric,
    dimensionsMap: { ...dimensions },
    statistic: stat,
    period: MINUTE,
    ...options,
  });

/** A search as a CloudWatch expression. It finds only data of two weeks, and alarms cannot use it. @param terms such as `StorageTargetId=MDT` */
export function searchText(
  { namespace, metric, dimensions, resource, named = {}, stat }: Search,
  periodSeconds = MINUTE.toSeconds(),
  terms: readonly string[] = [],
): string {
  const all = [
    `MetricName="${metric}"`,
    ...Object.entries(resource).map(([name, value]) => `${name}="${value}"`),
    // Partial matches are of words that CloudWatch finds inside a value: MDT0000 has the words MDT and 0000 (CloudWatch docs, tokenization).
    ...Object.entries(named).map(([name, word]) => `${name}=${word}`),
    ...terms,
  ];
  return `SEARCH('{${[namespace, ...dimensions].join(',')}} ${all.join(' ')}', '${stat}', ${periodSeconds})`;
}

/**
 * A query of Metrics Insights. Unlike a search it counts as one metric of a dashboard whatever it reads, and a graph takes one of it.
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-limits.html.
 */
function queryText({ how, searches }: Query): string {
  const [first] = searches;
  if (first === undefined) throw new Error("'searches' must name at least one resource");
  const where = searches.flatMap(({ resource }) => Object.entries(resource).map(([name, id]) => `${name} = '${id}'`));
  const schema = `SCHEMA("${first.namespace}", ${first.dimensions.join(', ')})`;
  const query = `SELECT ${how}(${first.metric}) FROM ${schema} WHERE ${where.join(' OR ')}`;
  return searches.length === 1 ? query : `${query} GROUP BY ${Object.keys(first.resource)[0]}`;
}

type Uses = Record<string, cloudwatch.IMetric>;

/** A name in an expression. */
function use(uses: Uses, id: string, metric: cloudwatch.IMetric): string {
  uses[id] = metric;
  return id;
}

const firstIn = (expression: MetricExpression): MetricExpression =>
  expression.kind === 'sum' && expression.of[0] !== undefined ? firstIn(expression.of[0]) : expression;

/** An expression of metric math; a sum is in brackets wherever it is a part. */
function textOf(expression: MetricExpression, uses: Uses): string {
  const part = (of: MetricExpression): string => {
    const text = textOf(of, uses);
    return of.kind === 'sum' ? `(${text})` : text;
  };
  switch (expression.kind) {
    case 'metric': {
      const { id } = expression;
      if (id === undefined) throw new Error(`'id' of ${expression.metric} must be given in an expression, got nothing`);
      return use(uses, id, toMetric(expression));
    }
    case 'constant':
      return expression.text ?? `${expression.value}`;
    case 'named':
      return use(uses, expression.id, lineMetric(expression.of));
    case 'sum':
      return expression.of.map(part).join(' + ');
    case 'rate':
      return `${part(expression.of)} / PERIOD(${textOf(firstIn(expression.of), uses)})`;
    case 'product':
      return `${part(expression.left)} * ${part(expression.right)}`;
    case 'ratio': {
      const [dividend, divisor] = [part(expression.left), part(expression.right)];
      return `${dividend} / ${expression.right.kind === 'product' ? `(${divisor})` : divisor}`;
    }
    case 'extreme':
      return `${expression.how}([${expression.of.map((of) => textOf(of, uses)).join(', ')}])`;
    case 'reduced':
      return `${expression.how}(${searchText(expression.search)})`;
    case 'count':
      return `METRIC_COUNT(${searchText(expression.search)})`;
  }
}

/** Metric math for graphs; also for alarms, if it contains no SEARCH. */
export function toExpression(
  of: MetricExpression | Query,
  options: cloudwatch.MathExpressionOptions = {},
): cloudwatch.MathExpression {
  const usingMetrics: Uses = {};
  const expression = of.kind === 'query' ? queryText(of) : textOf(of, usingMetrics);
  const label = of.kind === 'rate' ? of.label : undefined;
  return new cloudwatch.MathExpression({ label, expression, usingMetrics, period: MINUTE, ...options });
}

function lineMetric(expression: Line['of'], options: { label?: string; color?: string } = {}): cloudwatch.IMetric {
  if (expression.kind === 'metric') return toMetric(expression, options);
  if (expression.kind !== 'parts') return toExpression(expression, options);
  return new cloudwatch.SearchExpression({ expression: searchText(expression.search), period: MINUTE, ...options });
}

const lineOf = ({ label, colour, by, of }: Line): cloudwatch.IMetric =>
  lineMetric(of, {
    // CloudWatch puts each server's or target's own name into the legend (dynamic labels).
    label: by === undefined ? label : `${label} \${PROP('Dim.${by}')}`,
    color: colour,
  });

/** States of alarms by their ARNs; CDK's own widget takes constructs alone. */
class AlarmStates extends cloudwatch.ConcreteWidget {
  constructor(
    private readonly alarms: readonly string[],
    width: number,
    height: number,
  ) {
    super(width, height);
  }

  toJson(): object[] {
    const { width, height, x, y, alarms } = this;
    return [{ type: 'alarm', width, height, x, y, properties: { title: 'Alarms', alarms } }];
  }
}

function widgetOf(panel: Panel): cloudwatch.IWidget {
  const { width, height } = panel;
  if (panel.kind === 'text') return new cloudwatch.TextWidget({ markdown: panel.markdown, width, height });
  if (panel.kind === 'alarms') return new AlarmStates(panel.alarms, width, height);
  const { title, left, right, unit, rightUnit, max, ceilings } = panel;
  return new cloudwatch.GraphWidget({
    title,
    width,
    height,
    left: left.map(lineOf),
    right: right.map(lineOf),
    period: MINUTE,
    leftAnnotations: ceilings.map(({ label, value }) => ({ label, value, color: '#d62728' })),
    leftYAxis: { label: unit, min: 0, max, showUnits: false },
    rightYAxis: right.length > 0 ? { label: rightUnit, min: 0, showUnits: false } : undefined,
  });
}

/** Properties of a CloudWatch dashboard that has the rows of a described one. */
export const toDashboard = ({ rows }: Dashboard) => ({
  defaultInterval: Duration.hours(3),
  // Sums over a minute are divided by 60: a coarser period on a longer view would make the rates wrong.
  periodOverride: cloudwatch.PeriodOverride.INHERIT,
  widgets: rows.map((row) => row.map(widgetOf)),
});

/** A storage whose every metric is one series, of the whole of it. */
export abstract class PublishingStorage<Name extends string = string> extends Construct {
  abstract readonly resourceId: string;
  protected abstract readonly published: Published;

  metric(name: Name, options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return toMetric(metricOf(this.published, this.resourceId, name), options);
  }

  metricOf(role: MetricRole, options?: cloudwatch.MetricOptions): cloudwatch.Metric | null {
    const found = this.published.table.find((metric) => metric.role === role);
    return found === undefined ? null : this.metric(found.name as Name, options);
  }
}
