import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { LIMITS } from '../../kit/aws/serviceLimits';
import { type ArmView, colourOf } from './arm';
import { chunks } from './chunks';
import { clientGraphs, graph, metadataGraphs, serverGraphs, spaceGraphs } from './graphs';
import { METADATA_GOOD, metadataFirstGraphs } from './metadataGraphs';
import { dashboardNameOf } from './name';
import { RUN_ACTIVE, runMetric, STEPS_DONE } from './runMetrics';

export interface BenchmarkDashboardProps {
  /** The question that the benchmark answers. */
  readonly question: string;
  /** What the benchmark measures: its graphs come first. @default data */
  readonly subject?: 'data' | 'metadata';
  readonly stackName: string;
  readonly arms: readonly ArmView[];
  readonly autoScalingGroupName: string;
  readonly fleetDescription: string;
  /** List price of the whole stack an hour in USD; `null` when a price in it is unknown. */
  readonly hourlyUsd: number | null;
  /** Shown as a row of states. */
  readonly alarms: readonly cloudwatch.IAlarm[];
}

/** Dollars for people: `27.13`, or that it isn't known. */
export function dollars(amount: number | null): string {
  return amount === null ? 'unknown' : `${amount.toFixed(2)} USD`;
}

const GOOD: Readonly<Record<'data' | 'metadata', readonly string[]>> = {
  data: [
    '**What good looks like.** In a paired run both arms work at the same time: their curves start and stop together, are flat within a step,',
    'and the servers of one arm are equally busy. What first reaches 100 % limits the arm: its *network* means that data came from memory or was',
    'compressed, its *disks* that data really reached them; if neither does, the clients are the limit. Bytes that clients wrote divided by',
    'bytes that disks wrote is the ratio achieved. A curve that falls in the middle of a step is a burst credit that ran out.',
  ],
  metadata: METADATA_GOOD,
};

function header({ question, arms, subject = 'data' }: BenchmarkDashboardProps): cloudwatch.IWidget {
  const markdown = [
    `# ${question}`,
    `Arms: ${arms.map(({ name, description }) => `**${name}** (${description})`).join(' · ')}`,
    '',
    ...GOOD[subject],
  ].join('\n');
  return new cloudwatch.TextWidget({ markdown, width: 18, height: subject === 'metadata' ? 7 : 5 });
}

function cost({ arms, fleetDescription, hourlyUsd, stackName, subject }: BenchmarkDashboardProps): cloudwatch.IWidget {
  const markdown = [
    '## It costs by the hour',
    `**${dollars(hourlyUsd)} an hour** at list prices, whether it runs or not:`,
    ...arms.map(({ name, hourlyUsd: hourly }) => `- arm ${name}: ${dollars(hourly)}`),
    `- clients: ${fleetDescription}`,
    '',
    `Stop paying: \`npx cdk destroy ${stackName}\``,
  ].join('\n');
  return new cloudwatch.TextWidget({ markdown, width: 6, height: subject === 'metadata' ? 7 : 5 });
}

/** When a run was active: CloudWatch's own annotations are fixed when the dashboard is made, so the driver publishes it. */
function run(stackName: string): cloudwatch.IWidget {
  return graph({
    title: 'Run: 1 while it is active, and steps done',
    width: 24,
    height: 3,
    unit: 'active',
    max: 1,
    left: [runMetric(RUN_ACTIVE, stackName).with({ label: 'run active', color: '#2ca02c' })],
    right: [runMetric(STEPS_DONE, stackName).with({ label: 'steps done', color: colourOf(0) })],
    rightUnit: 'steps',
  });
}

/** The clients' own load: benchmarks are often limited by them, unnoticed. */
function fleetGraphs(autoScalingGroupName: string): cloudwatch.IWidget[] {
  const metric = (metricName: string, label: string, statistic: string) =>
    new cloudwatch.Metric({
      namespace: 'AWS/EC2',
      metricName,
      dimensionsMap: { AutoScalingGroupName: autoScalingGroupName },
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

/**
 * What ops look at while a benchmark runs: every arm on each graph, at the one minute that FSx publishes.
 */
export class BenchmarkDashboard extends Construct {
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: BenchmarkDashboardProps) {
    super(scope, id);
    const { arms, stackName, autoScalingGroupName, alarms, subject = 'data' } = props;
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName: dashboardNameOf(this),
      defaultInterval: Duration.hours(3),
      // Sums over a minute are shown as such, or divided by 60: a coarser period on a longer view would make them wrong.
      periodOverride: cloudwatch.PeriodOverride.INHERIT,
    });
    dashboard.addWidgets(header(props), cost(props));
    for (const part of chunks(alarms, LIMITS.widgetAlarms.most)) {
      dashboard.addWidgets(new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: part, width: 24, height: 3 }));
    }
    dashboard.addWidgets(run(stackName));
    if (subject === 'metadata') for (const row of metadataFirstGraphs(arms)) dashboard.addWidgets(...row);
    dashboard.addWidgets(...clientGraphs(arms));
    dashboard.addWidgets(...serverGraphs(arms, { metadata: subject === 'data' }));
    dashboard.addWidgets(...spaceGraphs(arms));
    dashboard.addWidgets(...fleetGraphs(autoScalingGroupName));
    if (subject === 'data') dashboard.addWidgets(...metadataGraphs(arms));
    this.dashboardName = (dashboard.node.defaultChild as cloudwatch.CfnDashboard).ref;
  }
}
