import { LIMITS } from '../../../common/aws/services';
import { chunks } from '../../../common/collections';
import {
  countOf,
  type MetricExpression,
  parts,
  product,
  type Reduction,
  ratio,
  reduced,
  type Search,
  sum,
} from '../../../dashboard/expression';
import {
  alarmRows,
  type Dashboard,
  type DashboardPart,
  type Graph,
  graph,
  linePerArm,
  type Panel,
  type ShownArm,
  text,
  throughputGraphs,
} from '../../../dashboard/graph';
import type { MetricRole } from '../../storage';
import type { LustreStorage } from '../configuration';
import { describeLustre } from '../documented';
import { dimensionsOf, LUSTRE_METRICS, type LustreMetricName, metricInfo } from '../metricTable';
import {
  acrossParts,
  compressionRatio,
  everyPart,
  freeCapacity,
  iops,
  lustreMetricOf,
  readThroughput,
  writeThroughput,
} from './expressions';
import { iopsPerTarget, type KnownFileSystem, type LustreView, viewOf, viewOfFileSystem } from './view';

function clientGraphs(arms: readonly LustreView[]): Graph[] {
  return [
    ...throughputGraphs(arms, {
      width: 8,
      rate: (arm, mode) => (mode === 'write' ? writeThroughput(arm) : readThroughput(arm)),
      ceilings: (arm, mode) => arm.ceilings[mode],
    }),
    graph({
      title: 'Clients: operations (read + write + metadata)',
      width: 8,
      unit: 'operations/s',
      left: linePerArm(arms, iops),
    }),
  ];
}

/** A line for each server or target of each arm. */
function eachGraph(
  arms: readonly LustreView[],
  name: LustreMetricName,
  options: {
    readonly title: string;
    readonly width: number;
    readonly unit: string;
    readonly max?: number;
    /** Beginning of the names of the servers or targets that are shown. @default - every server or target */
    readonly prefix?: string;
  },
): Graph {
  const { prefix, ...rest } = options;
  const by = dimensionsOf(metricInfo(name).scope).at(-1) ?? '';
  return graph({
    ...rest,
    left: arms.map((arm) => ({ label: arm.name, by, of: parts(everyPart(arm.fileSystemId, name, undefined, prefix)) })),
  });
}

/** Load of the servers: the first to reach 100 % limits the arm. Graphs of metadata may be elsewhere already. */
function serverGraphs(arms: readonly LustreView[], { metadata }: { readonly metadata: boolean }): Graph[] {
  const percent = { width: metadata ? 8 : 12, unit: '%', max: 100 };
  return [
    eachGraph(arms, 'NetworkThroughputUtilization', { title: 'File servers: network', ...percent }),
    eachGraph(arms, 'FileServerDiskThroughputUtilization', { title: 'File servers: disk throughput', ...percent }),
    ...(metadata ? [eachGraph(arms, 'CPUUtilization', { title: 'Metadata servers: CPU', ...percent })] : []),
  ];
}

/** Every metadata operation that FSx counts, by metadata target. */
const METADATA: readonly (readonly [LustreMetricName, string])[] = [
  ['FileCreateOperations', 'files created'],
  ['StatOperations', 'stat operations'],
  ['FileOpenOperations', 'files opened'],
  ['FileDeleteOperations', 'files deleted'],
  ['DirectoryCreateOperations', 'directories created'],
  ['DirectoryDeleteOperations', 'directories deleted'],
  ['RenameOperations', 'directories renamed'],
];

const metadataGraphs = (arms: readonly LustreView[]): Graph[] =>
  METADATA.map(([name, meaning], index) =>
    // Creating and looking up are what benchmarks ask for: they are larger.
    eachGraph(arms, name, {
      title: `Metadata: ${meaning}`,
      width: index < 2 ? 12 : index < 4 ? 6 : 4,
      unit: 'per minute',
    }),
  );

/** A graph of what FSx may not publish for every configuration. */
interface Conditional {
  readonly title: string;
  readonly needs: LustreMetricName;
  draw(arms: readonly LustreView[], place: { readonly title: string; readonly width: number }): Graph;
}

const each = (title: string, needs: LustreMetricName, unit: string): Conditional => ({
  title,
  needs,
  draw: (arms, place) => eachGraph(arms, needs, { ...place, unit, max: unit === '%' ? 100 : undefined }),
});

const perArm = (
  title: string,
  needs: LustreMetricName,
  unit: string,
  of: (arm: LustreView) => MetricExpression,
): Conditional => ({ title, needs, draw: (arms, place) => graph({ ...place, unit, left: linePerArm(arms, of) }) });

/** Effect of compression on space, and how full targets are. */
const SPACE: readonly Conditional[] = [
  {
    title: 'Space: logical and physical',
    needs: 'LogicalDiskUsage',
    draw: (arms, place) =>
      graph({
        ...place,
        unit: 'bytes',
        left: arms.flatMap((arm) => [
          { label: `${arm.name} logical`, of: lustreMetricOf(arm, 'LogicalDiskUsage') },
          { label: `${arm.name} physical`, of: lustreMetricOf(arm, 'PhysicalDiskUsage') },
        ]),
      }),
  },
  perArm('Space: ratio logical ÷ physical', 'PhysicalDiskUsage', 'x : 1', compressionRatio),
  perArm('Space: free capacity', 'FreeDataStorageCapacity', 'bytes', freeCapacity),
  each('Disks: bytes written, after compression', 'DiskWriteBytes', 'bytes per minute'),
  each('Disks: bytes read, before decompression', 'DiskReadBytes', 'bytes per minute'),
  each('Targets: capacity used', 'StorageCapacityUtilization', '%'),
];

/**
 * One query for each graph, by the ids of the file systems, summed over servers or targets: a line for each would exceed the limits of a dashboard.
 * CloudWatch does not support a second query, and names its lines by the ids.
 */
const across = (needs: LustreMetricName, aggregate: 'SUM' | 'MAX', title: string, unit: string): Conditional => ({
  title,
  needs,
  draw: (arms, place) => {
    const [first, ...others] = arms;
    const alone = others.length === 0 ? first : undefined;
    const ids = arms.map(({ fileSystemId }) => fileSystemId);
    const line = { label: alone?.name ?? needs, colour: alone?.colour };
    return graph({
      ...place,
      unit,
      max: unit === '%' ? 100 : undefined,
      left: [{ ...line, of: acrossParts(ids, needs, aggregate) }],
    });
  },
});

/** Metrics that no other graph shows. */
const REST: readonly Conditional[] = [
  perArm('Clients: connections', 'ClientConnections', 'connections', (arm) => lustreMetricOf(arm, 'ClientConnections')),
  across('NetworkSentBytes', 'SUM', 'File servers: bytes sent', 'bytes per minute'),
  across('NetworkReceivedBytes', 'SUM', 'File servers: bytes received', 'bytes per minute'),
  across('DiskReadOperations', 'SUM', 'Disks: read operations', 'per minute'),
  across('DiskWriteOperations', 'SUM', 'Disks: write operations', 'per minute'),
  across('DiskIopsUtilization', 'MAX', 'Disks: IOPS of the busiest target', '%'),
  across('StorageCapacityUtilizationWithCachedWrites', 'MAX', 'Fullest target: used, or granted to client caches', '%'),
  across('AgeOfOldestQueuedMessage', 'MAX', 'S3 links: age of the oldest waiting message', 'seconds'),
  across('RepositoryRenameOperations', 'SUM', 'S3 links: renames', 'per minute'),
];

/** Most graphs side by side that can still be read. */
const ABREAST = 4;

/** Graphs that have a line, in filled rows. */
function drawn(arms: readonly LustreView[], graphs: readonly Conditional[]): Graph[] {
  const all = graphs.flatMap((one) => {
    const own = arms.filter(({ publishes }) => publishes(one.needs));
    return own.length === 0 ? [] : [{ one, own }];
  });
  const rows = chunks(all, Math.ceil(all.length / Math.ceil(all.length / ABREAST)));
  return rows.flatMap((row) =>
    row.map(({ one, own }) => one.draw(own, { title: one.title, width: Math.floor(24 / row.length) })),
  );
}

/** One line that names graphs which FSx has no data for, by the reason; nothing where each has some. */
function undrawn(arms: readonly LustreView[]): Panel[] {
  const without = [...SPACE, ...REST].flatMap(({ title, needs }) => {
    const { only } = metricInfo(needs);
    return only === undefined || arms.some(({ publishes }) => publishes(needs)) ? [] : [{ title, only }];
  });
  if (without.length === 0) return [];
  const words = [...Map.groupBy(without, ({ only }) => only)].map(
    ([only, same]) => `${same.map(({ title }) => `*${title}*`).join(', ')}, ${only}`,
  );
  return [text(`Not shown, since FSx publishes nothing for it: ${words.join('; ')}.`, 24, 2)];
}

/** Metadata targets, among those of both kinds. */
const METADATA_TARGETS = 'MDT';

/** Advice on reading the metadata graphs, as lines of Markdown. */
const METADATA_GOOD: readonly string[] = [
  '**What good looks like.** All metadata targets are equally busy: one that stands out holds the directories that everybody uses, and more',
  'metadata IOPS will not help it (`lfs mkdir -i` spreads new directories; old ones stay where they are). Each provisioned metadata IOPS is',
  'documented to give 2 file creates, opens or closes per second, 1 file delete, 0.1 directory creates or renames, 0.2 directory deletes; for stat',
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
    left: linePerArm(arms, (arm) => ratio(reduced('SUM', targetsOf(arm, name)), 60)),
  });

/**
 * Disk operations of the metadata targets against their provisioned metadata IOPS, in percent.
 * CloudWatch cannot multiply two lists of series, so reads and writes are added after the function over the targets. The graph shows
 * at least the value of the busiest target, and exactly that if one target is busiest in both.
 */
function usedGraph(arms: readonly LustreView[], limitOfUnknown: MetricExpression | undefined): Graph[] {
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
        return ratio(ratio(product(100, both), 60), available(arm, limitOf(arm) as MetricExpression));
      }),
      ceilings: [{ label: 'provisioned', value: 100 }],
    });
  return [
    used('SUM', 'all targets together', (arm, limit) => product(countOf(targetsOf(arm, 'DiskWriteOperations')), limit)),
    used('MAX', 'the busiest target, at most', (_, limit) => limit),
  ];
}

/**
 * Graphs of metadata: rates, load of servers and targets, and its balance.
 * @param limitOfUnknown metadata IOPS of each target of an arm without known IOPS. @default - such an arm has no line
 */
function metadataFirstGraphs(arms: readonly LustreView[], limitOfUnknown?: MetricExpression): Graph[][] {
  const ofTargets = { width: 8, unit: 'per minute', prefix: METADATA_TARGETS } as const;
  return [
    [
      rateGraph(arms, 'FileCreateOperations', 'Files created'),
      rateGraph(arms, 'StatOperations', 'Stat operations'),
      rateGraph(arms, 'FileOpenOperations', 'Files opened'),
      rateGraph(arms, 'FileDeleteOperations', 'Files deleted'),
    ],
    usedGraph(arms, limitOfUnknown),
    [
      eachGraph(arms, 'CPUUtilization', { title: 'Metadata servers: CPU', width: 8, unit: '%', max: 100 }),
      eachGraph(arms, 'DiskReadOperations', { title: 'Metadata targets: disk reads', ...ofTargets }),
      eachGraph(arms, 'DiskWriteOperations', { title: 'Metadata targets: disk writes', ...ofTargets }),
    ],
    metadataGraphs(arms),
  ];
}

const DATA_GOOD = [
  '**What good looks like.** In a paired run both arms work at the same time: their curves start and stop together, are flat within a step,',
  'and the servers of one arm are equally busy. What first reaches 100 % limits the arm: its *network* means that data came from memory or was',
  'compressed, its *disks* that data really reached them; if neither does, the clients are the limit. Bytes that clients wrote divided by',
  'bytes that disks wrote is the ratio achieved. A curve that falls in the middle of a step is a burst credit that ran out.',
];

/** Roles of the metrics about metadata: those that the service counts at metadata targets. */
const METADATA_ROLES: readonly MetricRole[] = [
  'metadata_operations',
  ...LUSTRE_METRICS.flatMap(({ scope, role }) => (scope === 'mdt' && role !== null ? [role] : [])),
];

export const isAboutMetadata = (about: readonly MetricRole[]): boolean =>
  about.some((role) => METADATA_ROLES.includes(role));

/** FSx for Lustre on the dashboard of a benchmark. */
export function lustreDashboard(arms: readonly ShownArm<LustreStorage>[], about: readonly MetricRole[]): DashboardPart {
  const views = arms.map(viewOf);
  const first = isAboutMetadata(about);
  const data = [clientGraphs(views), serverGraphs(views, { metadata: !first }), drawn(views, SPACE)];
  const rest = [drawn(views, REST), undrawn(views)];
  return first
    ? { reading: METADATA_GOOD, rows: [...metadataFirstGraphs(views), ...data], more: rest }
    : { reading: DATA_GOOD, rows: data, more: [metadataGraphs(views), ...rest] };
}

/** One file system and what is said of it. */
interface ShownFileSystem extends KnownFileSystem {
  readonly region: string;
  /** For people. @default - its configuration, or its id */
  readonly description?: string | undefined;
  /** ARNs of alarms. @default - none, and no word of alarms or of choosing another file system */
  readonly alarms?: readonly string[] | undefined;
}

/** The number in a form that no other number in the dashboard has, so the variable replaces it alone. It is a number with and without the variable. */
export const limitText = (iops: number): string => `${iops}.0`;

/** Variables of the dashboard: patterns, not properties. They replace text, so they also apply within SEARCH. */
export const VARIABLES = { fileSystem: 'fileSystem', targetIops: 'targetIops' } as const;

const CHOICE = [
  'Choose another file system above. Its metadata targets appear by themselves; choose the metadata IOPS that each of them has: what is',
  'provisioned, at most 12000 (above that, there is one target for every 12000). Alarms watch the file system that this stack was deployed for.',
];

function heading({ configuration, fileSystemId, alarms, description }: ShownFileSystem): string {
  const what = description ?? (configuration === undefined ? fileSystemId : describeLustre(configuration));
  return [
    `# FSx for Lustre: ${fileSystemId}`,
    ...(alarms === undefined ? [what] : CHOICE),
    '',
    ...METADATA_GOOD,
    '',
    '**Throughput.** What first reaches 100 % is the limit: the *network* of the file servers for what is in their memory, their *disks* for the',
    'rest. Targets should fill evenly; from 90 % on writes slow down. With LZ4, *logical ÷ physical* says what compression saves.',
  ].join('\n');
}

/** The dashboard of one file system for ops teams: metadata by target, throughput against the documented ceilings, servers, and space. */
export function dashboardOfFileSystem(shown: ShownFileSystem): Dashboard {
  const { fileSystemId, metadataIops, region, alarms = [] } = shown;
  const value = iopsPerTarget(metadataIops);
  const limitOfUnknown: MetricExpression = { kind: 'constant', value, text: limitText(value) };
  // Metadata targets of another file system that somebody chooses have other names: they are searched for.
  const views = [{ ...viewOfFileSystem(shown, fileSystemId, region), metadata: null }];
  return {
    rows: [
      [text(heading(shown), 24, 8)],
      ...alarmRows(alarms, LIMITS.widgetAlarms.max),
      ...metadataFirstGraphs(views, limitOfUnknown),
      clientGraphs(views),
      serverGraphs(views, { metadata: false }),
      drawn(views, SPACE),
      drawn(views, REST),
      undrawn(views),
    ],
  };
}
