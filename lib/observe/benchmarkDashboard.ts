import { benchmarkOrNone } from '../benchmark/lookup';
import { LIMITS } from '../common/aws/services';
import type { Metric } from '../dashboard/expression';
import {
  alarmRows,
  colourOf,
  type Dashboard,
  type DashboardPart,
  type Graph,
  graph,
  idOf,
  type Panel,
  type ShownArm,
  text,
} from '../dashboard/graph';
import type { Deployment } from '../schema/deployment';
import { DRIVER_METRICS } from '../schema/metrics';
import { limitsOfModel, type ModelLimits } from '../schema/model';
import type { Plan } from '../schema/plan';
import type { Manifest } from '../schema/run';
import { storageNamed, storageOf } from '../storage/lookup';
import type { MetricRole } from '../storage/storage';

/** An arm with what its header and its costs say. */
export interface DescribedArm extends ShownArm {
  /** For people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
  readonly description: string;
  /** List price; `null` when it is unknown. */
  readonly hourlyUsd: number | null;
}

/** Facts from which the dashboard of a benchmark follows. */
export interface ShownBenchmark {
  readonly question: string;
  /** Roles of the metrics that the benchmark is about: their graphs come first. */
  readonly about: readonly MetricRole[];
  readonly stackName: string;
  readonly arms: readonly DescribedArm[];
  readonly metricDimensions: Readonly<Record<string, string>>;
  readonly fleetDescription: string;
  /** List price of the whole stack an hour in USD; `null` when a price in it is unknown. */
  readonly hourlyUsd: number | null;
  readonly alarms: readonly string[];
}

export const dollars = (amount: number | null): string =>
  amount === null ? 'an unknown amount' : `${amount.toFixed(2)} USD`;

const header = ({ question, arms }: ShownBenchmark, reading: readonly string[]): string =>
  [
    `# ${question}`,
    // CloudWatch names the lines by the ids if a graph has one query for all arms.
    `Arms: ${arms.map(({ name, description, resourceId }) => `**${name}** (${description}; ${resourceId})`).join(' · ')}`,
    '',
    ...reading,
  ].join('\n');

const cost = ({ arms, fleetDescription, hourlyUsd, stackName }: ShownBenchmark): string =>
  [
    '## It costs by the hour',
    `**${dollars(hourlyUsd)} per hour** at list prices, with or without an active run:`,
    ...arms.map(({ name, hourlyUsd: hourly }) => `- arm ${name}: ${dollars(hourly)}`),
    `- clients: ${fleetDescription}`,
    '',
    `Stop paying: \`npx cdk destroy ${stackName}\``,
  ].join('\n');

/** One of the driver's metrics for one stack: at most one value a minute counts. */
export const runMetric = (name: 'runActive' | 'stepsDone', stackName: string): Metric => ({
  kind: 'metric',
  namespace: DRIVER_METRICS.namespace,
  metric: DRIVER_METRICS[name],
  dimensions: { Stack: stackName },
  stat: 'Maximum',
});

/** When a run was active: CloudWatch's own annotations are fixed when the dashboard is made, so the driver publishes it. */
const run = (stackName: string): Graph =>
  graph({
    title: 'Run: 1 while it is active, and steps done',
    width: 24,
    height: 3,
    unit: 'active',
    max: 1,
    left: [{ label: 'run active', colour: '#2ca02c', of: runMetric('runActive', stackName) }],
    right: [{ label: 'steps done', colour: colourOf(0), of: runMetric('stepsDone', stackName) }],
    rightUnit: 'steps',
  });

/** The clients' own load, which often limits a benchmark unnoticed. */
function fleetGraphs(dimensions: ShownBenchmark['metricDimensions']): Graph[] {
  const line = (metric: string, label: string, stat: string) => ({
    label,
    of: { kind: 'metric', namespace: 'AWS/EC2', metric, dimensions, stat } as const,
  });
  return [
    graph({
      title: 'Clients: CPU',
      width: 12,
      unit: '%',
      max: 100,
      left: [line('CPUUtilization', 'mean', 'Average'), line('CPUUtilization', 'busiest', 'Maximum')],
    }),
    graph({
      title: 'Clients: network, all together',
      width: 12,
      unit: 'bytes per minute',
      left: [line('NetworkOut', 'out', 'Sum'), line('NetworkIn', 'in', 'Sum')],
    }),
  ];
}

/** Rows of each kind of storage for its arms, in the order of the arms, with a heading if there are several kinds. */
function partsOf(arms: readonly ShownArm[], about: readonly MetricRole[]): DashboardPart[] {
  const kinds = [...new Set(arms.map(({ configuration: { kind } }) => kind))];
  return kinds.flatMap((kind) => {
    const own = arms.filter(({ configuration }) => configuration.kind === kind);
    const storage = storageNamed(kind);
    const part = storage.monitoring?.dashboard(own, about);
    if (part === undefined || kinds.length === 1) return part ?? [];
    const heading = text(`## ${storage.label}: ${own.map(({ name }) => name).join(', ')}`, 24, 1);
    return { ...part, rows: [[heading], ...part.rows] };
  });
}

/** The dashboard for ops during a run: every arm on each graph of its kind of storage, at the services' one-minute period. */
export function benchmarkDashboard(shown: ShownBenchmark): Dashboard {
  const parts = partsOf(shown.arms, shown.about);
  const reading = parts.flatMap((part) => part.reading);
  // Room for the text at the top; the costs are to its right.
  const height = reading.length + 1;
  const rows: (readonly Panel[])[] = [
    [text(header(shown, reading), 18, height), text(cost(shown), 6, height)],
    ...alarmRows(shown.alarms, LIMITS.widgetAlarms.max),
    [run(shown.stackName)],
    ...parts.flatMap((part) => part.rows),
    fleetGraphs(shown.metricDimensions),
    ...parts.flatMap(({ more = [] }) => more),
  ];
  return { rows };
}

export interface DeployedBenchmark
  extends Pick<Deployment, 'benchmark' | 'autoScalingGroup' | 'instanceType' | 'clients' | 'hourlyUsd'> {
  readonly stackName: string;
  readonly region: string;
  readonly arms: readonly (Omit<Deployment['arms'][number], 'mountPoint'> & {
    /** @default - the documented limits */
    readonly model?: ModelLimits[string] | undefined;
  })[];
  readonly alarms: readonly string[];
}

/** The dashboard of a benchmark that was deployed. @throws Error for one that this release does not have */
export function deployedDashboard(deployed: DeployedBenchmark): Dashboard {
  const { benchmark, autoScalingGroup, instanceType, clients, region, arms } = deployed;
  const definition = benchmarkOrNone(benchmark);
  if (definition === undefined)
    throw new Error(`'benchmark' must be one of this release, got ${benchmark}: use the release that deployed it`);
  const { question, about } = definition;
  return benchmarkDashboard({
    ...deployed,
    question,
    about,
    metricDimensions:
      autoScalingGroup === null ? { InstanceType: instanceType } : { AutoScalingGroupName: autoScalingGroup },
    fleetDescription: `${clients} × ${instanceType}`,
    arms: arms.map(({ fileSystemId: resourceId, ...arm }, index) => {
      const { monitoring } = storageOf(arm.configuration);
      const parts = monitoring?.metrics?.parts?.(resourceId) ?? [resourceId];
      return { ...arm, region, resourceId, parts, key: idOf(arm), colour: colourOf(index) };
    }),
  });
}

/** The dashboard of the stack that a run was on, with the arms of the run. @throws Error for a run of another release */
export function dashboardOfRun(manifest: Manifest, plan: Plan, alarms: readonly string[]): Dashboard {
  const { benchmark, stack, region, fleet, arms } = manifest;
  return deployedDashboard({
    benchmark,
    alarms,
    stackName: stack?.name ?? benchmark,
    region: region ?? 'us-east-1',
    autoScalingGroup: fleet.autoScalingGroup ?? null,
    instanceType: fleet.instanceType ?? 'an unknown type',
    clients: fleet.clients.length,
    hourlyUsd: stack?.hourlyUsd ?? null,
    arms: arms.map(({ name, description, hourlyUsd, fileSystemId, model }) => {
      const configuration = plan.arms.find((one) => one.name === name)?.configuration;
      if (configuration === undefined) throw new Error(`the plan has no configuration of arm ${name}`);
      const limits = model && limitsOfModel(model);
      return { name, description, hourlyUsd, configuration, fileSystemId: fileSystemId ?? name, model: limits };
    }),
  });
}
