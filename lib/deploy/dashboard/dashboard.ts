import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { chunks } from '../../constructs/dashboard/chunks';
import { colourOf, graph } from '../../constructs/dashboard/graph';
import { dashboardNameOf } from '../../constructs/dashboard/name';
import { LIMITS } from '../../kit/aws/serviceLimits';
import type { ArmView, DashboardPart } from '../../storage/construct';
import { deploymentNamed } from '../../storage/constructs';
import { storageNamed } from '../../storage/lookup';
import type { MetricRole } from '../../storage/role';
import { runMetric } from './runMetrics';

export interface BenchmarkDashboardProps {
  /** The question that the benchmark answers. */
  readonly question: string;
  /** Roles of the metrics that tell of what the benchmark does: their graphs come first. */
  readonly about: readonly MetricRole[];
  readonly stackName: string;
  readonly arms: readonly ArmView[];
  /** Dimensions of EC2's metrics of all clients together. */
  readonly metricDimensions: Readonly<Record<string, string>>;
  readonly fleetDescription: string;
  /** List price of the whole stack an hour in USD; `null` when a price in it is unknown. */
  readonly hourlyUsd: number | null;
  /** Shown as a row of states. */
  readonly alarms: readonly cloudwatch.IAlarm[];
}

/** Dollars as text: `27.13`, or that it is unknown. */
export function dollars(amount: number | null): string {
  return amount === null ? 'an unknown amount' : `${amount.toFixed(2)} USD`;
}

function header({ question, arms }: BenchmarkDashboardProps, reading: readonly string[]): cloudwatch.IWidget {
  const markdown = [
    `# ${question}`,
    // Where a graph has one query for all arms, CloudWatch names its lines by the ids.
    `Arms: ${arms.map(({ name, description, storage }) => `**${name}** (${description}; ${storage.resourceId})`).join(' · ')}`,
    '',
    ...reading,
  ].join('\n');
  return new cloudwatch.TextWidget({ markdown, width: 18, height: heightOf(reading) });
}

function cost(
  { arms, fleetDescription, hourlyUsd, stackName }: BenchmarkDashboardProps,
  reading: readonly string[],
): cloudwatch.IWidget {
  const markdown = [
    '## It costs by the hour',
    `**${dollars(hourlyUsd)} an hour** at list prices, whether it runs or not:`,
    ...arms.map(({ name, hourlyUsd: hourly }) => `- arm ${name}: ${dollars(hourly)}`),
    `- clients: ${fleetDescription}`,
    '',
    `Stop paying: \`npx cdk destroy ${stackName}\``,
  ].join('\n');
  return new cloudwatch.TextWidget({ markdown, width: 6, height: heightOf(reading) });
}

/** Room for the text at the top, beside which the costs stand. */
const heightOf = (reading: readonly string[]): number => reading.length + 1;

/** When a run was active: CloudWatch's own annotations are fixed when the dashboard is made, so the driver publishes it. */
function run(stackName: string): cloudwatch.IWidget {
  return graph({
    title: 'Run: 1 while it is active, and steps done',
    width: 24,
    height: 3,
    unit: 'active',
    max: 1,
    left: [runMetric('runActive', stackName).with({ label: 'run active', color: '#2ca02c' })],
    right: [runMetric('stepsDone', stackName).with({ label: 'steps done', color: colourOf(0) })],
    rightUnit: 'steps',
  });
}

/** The clients' own load, which often limits a benchmark unnoticed. */
function fleetGraphs(dimensionsMap: Record<string, string>): cloudwatch.IWidget[] {
  const metric = (metricName: string, label: string, statistic: string) =>
    new cloudwatch.Metric({
      namespace: 'AWS/EC2',
      metricName,
      dimensionsMap,
      statistic,
      period: Duration.minutes(1),
      label,
    });
  return [
    graph({
      title: 'Clients: CPU',
      width: 12,
      unit: '%',
      max: 100,
      left: [metric('CPUUtilization', 'mean', 'Average'), metric('CPUUtilization', 'busiest', 'Maximum')],
    }),
    graph({
      title: 'Clients: network, all together',
      width: 12,
      unit: 'bytes a minute',
      left: [metric('NetworkOut', 'out', 'Sum'), metric('NetworkIn', 'in', 'Sum')],
    }),
  ];
}

/** Arms by their kind of storage, in the order of the arms: each kind has graphs of its own. */
function byKind(arms: readonly ArmView[]): Map<string, ArmView[]> {
  const kinds = new Map<string, ArmView[]>();
  for (const arm of arms) {
    kinds.set(arm.kind, [...(kinds.get(arm.kind) ?? []), arm]);
  }
  return kinds;
}

/** Rows of each kind of storage for its arms, with a heading if there are several kinds. */
function partsOf(arms: readonly ArmView[], about: readonly MetricRole[]): DashboardPart[] {
  const kinds = [...byKind(arms)];
  return kinds.map(([kind, own]) => {
    const part = deploymentNamed(kind).dashboard(own, about);
    if (kinds.length === 1) return part;
    const names = own.map(({ name }) => name).join(', ');
    const heading = new cloudwatch.TextWidget({
      markdown: `## ${storageNamed(kind).label}: ${names}`,
      width: 24,
      height: 1,
    });
    return { ...part, rows: [[heading], ...part.rows] };
  });
}

/**
 * The dashboard for ops during a run: every arm on each graph of its kind of storage, at the services' one-minute period.
 */
export class BenchmarkDashboard extends Construct {
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: BenchmarkDashboardProps) {
    super(scope, id);
    const { arms, stackName, metricDimensions, alarms, about } = props;
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName: dashboardNameOf(this),
      defaultInterval: Duration.hours(3),
      // Sums are shown per minute or divided by 60, so a coarser period on a longer view would make them wrong.
      periodOverride: cloudwatch.PeriodOverride.INHERIT,
    });
    const parts = partsOf(arms, about);
    const reading = parts.flatMap((part) => part.reading);
    dashboard.addWidgets(header(props, reading), cost(props, reading));
    for (const part of chunks(alarms, LIMITS.widgetAlarms.most)) {
      dashboard.addWidgets(new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: part, width: 24, height: 3 }));
    }
    dashboard.addWidgets(run(stackName));
    for (const row of parts.flatMap(({ rows }) => rows)) dashboard.addWidgets(...row);
    dashboard.addWidgets(...fleetGraphs(metricDimensions));
    for (const row of parts.flatMap(({ more = [] }) => more)) dashboard.addWidgets(...row);
    this.dashboardName = (dashboard.node.defaultChild as cloudwatch.CfnDashboard).ref;
  }
}
