import {
  countOf,
  type MetricExpression,
  product,
  quotient,
  type Reduction,
  reduced,
  type Search,
  sum,
} from '../../../dashboard/expression';
import { type Graph, graph, linePerArm } from '../../../dashboard/graph';
import type { LustreMetricName } from '../metricTable';
import { everyPart } from './expressions';
import { eachGraph, metadataGraphs } from './graphs';
import { iopsPerTarget, type LustreView } from './view';

/** Metadata targets, among those of both kinds. */
const METADATA_TARGETS = 'MDT';

/** Advice on reading the metadata graphs, as lines of Markdown. */
export const METADATA_GOOD: readonly string[] = [
  '**What good looks like.** All metadata targets are equally busy: one that stands out holds the directories that everybody uses, and more',
  'metadata IOPS will not help it (`lfs mkdir -i` spreads new directories; old ones stay where they are). Each provisioned metadata IOPS is',
  'documented to give 2 file creates, opens or closes a second, 1 file delete, 0.1 directory creates or renames, 0.2 directory deletes; for stat',
  'nothing is published. *Used* near 100 % or *CPU* near 100 % means that the servers are the limit: provision more. Both low while',
  'operations stay flat means that the clients are: more of them, or more RPCs in flight. Without a metadata configuration there is one target,',
  'and no number to compare with. Counts of a minute are divided by 60 where a graph says operations/s.',
];

/** Every metadata target of a file system, whatever their number. */
const targetsOf = ({ fileSystemId }: LustreView, name: LustreMetricName): Search =>
  everyPart(fileSystemId, name, 'Sum', METADATA_TARGETS);

/** Operations a second of all metadata targets together, a line an arm. */
const rateGraph = (arms: readonly LustreView[], name: LustreMetricName, title: string): Graph =>
  graph({
    title,
    width: 6,
    unit: 'operations/s',
    left: linePerArm(arms, (arm) => quotient(reduced('SUM', targetsOf(arm, name)), 60)),
  });

/**
 * Disk operations of the metadata targets against their provisioned metadata IOPS, in percent.
 * CloudWatch multiplies no list of series with another one: reads and writes are added after the function over the targets, so that
 * the busiest target is at most what the graph shows, and exactly that where one target is busiest in both.
 */
function usedGraph(arms: readonly LustreView[], { limitOfUnknown }: UsedOptions): Graph[] {
  const limitOf = ({ metadata, model }: LustreView): MetricExpression | undefined =>
    metadata ? { kind: 'constant', value: iopsPerTarget(metadata.provisionedIops, model) } : limitOfUnknown;
  const known = arms.filter((arm) => limitOf(arm) !== undefined);
  if (known.length === 0) return [];
  const used = (
    how: Reduction,
    title: string,
    available: (arm: LustreView, limit: MetricExpression) => MetricExpression,
  ): Graph =>
    graph({
      title: `Metadata IOPS used: ${title}`,
      width: 12,
      unit: '% of provisioned',
      left: linePerArm(known, (arm) => {
        const [reads, writes] = [targetsOf(arm, 'DiskReadOperations'), targetsOf(arm, 'DiskWriteOperations')];
        const both = sum([reduced(how, reads), reduced(how, writes)]);
        return quotient(quotient(product(100, both), 60), available(arm, limitOf(arm) as MetricExpression));
      }),
      ceilings: [{ label: 'provisioned', value: 100 }],
    });
  return [
    used('SUM', 'all targets together', (arm, limit) => product(countOf(targetsOf(arm, 'DiskWriteOperations')), limit)),
    used('MAX', 'the busiest target, at most', (_, limit) => limit),
  ];
}

interface UsedOptions {
  /** Metadata IOPS of each target where nothing is known of an arm. @default - such an arm has no line */
  readonly limitOfUnknown?: MetricExpression;
}

/** Graphs of metadata: rate of each operation, load of servers and targets, and its balance. */
export function metadataFirstGraphs(arms: readonly LustreView[], options: UsedOptions = {}): Graph[][] {
  const ofTargets = { width: 8, unit: 'a minute', prefix: METADATA_TARGETS } as const;
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
