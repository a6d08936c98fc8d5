import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { graph, linePerArm, MINUTE } from '../../../constructs/dashboard/graph';
import { type LustreMetricName, searchExpression } from '../metricTable';
import { eachGraph, metadataGraphs } from './graphs';
import { iopsPerTarget, type LustreView } from './view';

/** Partial matches are of words that CloudWatch finds inside a value: MDT0000 has the words MDT and 0000 (CloudWatch docs, tokenization). */
const METADATA_TARGETS = 'StorageTargetId=MDT';

/** Advice on reading the metadata graphs, as lines of Markdown. */
export const METADATA_GOOD: readonly string[] = [
  '**What good looks like.** All metadata targets are equally busy: one that stands out holds the directories that everybody uses, and more',
  'metadata IOPS will not help it (`lfs mkdir -i` spreads new directories; old ones stay where they are). Each provisioned metadata IOPS is',
  'documented to give 2 file creates, opens or closes a second, 1 file delete, 0.1 directory creates or renames, 0.2 directory deletes; for stat',
  'nothing is published. *Used* near 100 % or *CPU* near 100 % means that the servers are the limit: provision more. Both low while',
  'operations stay flat means that the clients are: more of them, or more RPCs in flight. Without a metadata configuration there is one target,',
  'and no number to compare with. Counts of a minute are divided by 60 where a graph says operations/s.',
];

function expressionOf(expression: string, options: { readonly label: string; readonly color: string }) {
  return new cloudwatch.MathExpression({ expression, usingMetrics: {}, period: MINUTE, ...options });
}

/** Every metadata target of a file system, whatever their number: for use inside SUM, MAX and METRIC_COUNT. */
function targetsOf({ storage }: LustreView, name: LustreMetricName): string {
  return searchExpression(storage.fileSystemId, name, 'Sum', MINUTE.toSeconds(), METADATA_TARGETS);
}

/** Operations a second of all metadata targets together, a line an arm. */
function rateGraph(arms: readonly LustreView[], name: LustreMetricName, title: string): cloudwatch.IWidget {
  return graph({
    title,
    width: 6,
    unit: 'operations/s',
    left: linePerArm(arms, (arm, options) => expressionOf(`SUM(${targetsOf(arm, name)}) / 60`, options)),
  });
}

/**
 * Disk operations of the metadata targets against their provisioned metadata IOPS, in percent.
 * CloudWatch multiplies no list of series with another one: reads and writes are added after the function over the targets, so that
 * the busiest target is at most what the graph shows, and exactly that where one target is busiest in both.
 */
function usedGraph(arms: readonly LustreView[], options: UsedOptions): cloudwatch.IWidget[] {
  const known = arms.flatMap((arm) => {
    const limit = arm.metadata ? `${iopsPerTarget(arm.metadata.provisionedIops, arm.model)}` : options.limitOfUnknown;
    return limit === undefined ? [] : [{ arm, limit, options: { label: arm.name, color: arm.colour } }];
  });
  if (known.length === 0) return [];
  const both = (arm: LustreView, aggregate: 'SUM' | 'MAX') =>
    `(${aggregate}(${targetsOf(arm, 'DiskReadOperations')}) + ${aggregate}(${targetsOf(arm, 'DiskWriteOperations')}))`;
  const percent = { width: 12, unit: '% of provisioned' };
  return [
    graph({
      ...percent,
      title: 'Metadata IOPS used: all targets together',
      left: known.map(({ arm, limit, options: line }) => {
        const targets = `METRIC_COUNT(${targetsOf(arm, 'DiskWriteOperations')})`;
        return expressionOf(`100 * ${both(arm, 'SUM')} / 60 / (${targets} * ${limit})`, line);
      }),
      ceilings: [{ label: 'provisioned', value: 100 }],
    }),
    graph({
      ...percent,
      title: 'Metadata IOPS used: the busiest target, at most',
      left: known.map(({ arm, limit, options: line }) =>
        expressionOf(`100 * ${both(arm, 'MAX')} / 60 / ${limit}`, line),
      ),
      ceilings: [{ label: 'provisioned', value: 100 }],
    }),
  ];
}

interface UsedOptions {
  /** Metadata IOPS of each target where nothing is known of an arm, as text of the expression. @default - such an arm has no line */
  readonly limitOfUnknown?: string;
}

/** Graphs of metadata: rate of each operation, load of servers and targets, and its balance. */
export function metadataFirstGraphs(arms: readonly LustreView[], options: UsedOptions = {}): cloudwatch.IWidget[][] {
  const ofTargets = { width: 8, unit: 'a minute', filter: METADATA_TARGETS } as const;
  return [
    [
      rateGraph(arms, 'FileCreateOperations', 'Files created'),
      rateGraph(arms, 'StatOperations', 'Stat operations'),
      rateGraph(arms, 'FileOpenOperations', 'Files opened'),
      rateGraph(arms, 'FileDeleteOperations', 'Files deleted'),
    ],
    usedGraph(arms, options),
    [
      eachGraph(arms, 'CPUUtilization', { title: 'Metadata servers: CPU', width: 8, unit: '%', max: 100 }),
      eachGraph(arms, 'DiskReadOperations', { title: 'Metadata targets: disk reads', ...ofTargets }),
      eachGraph(arms, 'DiskWriteOperations', { title: 'Metadata targets: disk writes', ...ofTargets }),
    ],
    metadataGraphs(arms),
  ];
}
