import { LIMITS } from '../../../common/aws/serviceLimits';
import type { MetricExpression } from '../../../dashboard/expression';
import { alarmRows, type Dashboard, text } from '../../../dashboard/graph';
import type { DashboardPart, ShownArm } from '../../dashboard';
import type { MetricRole } from '../../role';
import type { LustreStorage } from '../configuration';
import { describeLustre } from '../documented';
import { LUSTRE_METRICS } from '../metricTable';
import { clientGraphs, metadataGraphs, restGraphs, serverGraphs, spaceGraphs, undrawn } from './graphs';
import { METADATA_GOOD, metadataFirstGraphs } from './metadata';
import { iopsPerTarget, type KnownFileSystem, viewOf, viewOfFileSystem } from './view';

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
  const data = [clientGraphs(views), serverGraphs(views, { metadata: !first }), spaceGraphs(views)];
  const rest = [restGraphs(views), undrawn(views)];
  return first
    ? { reading: METADATA_GOOD, rows: [...metadataFirstGraphs(views), ...data], more: rest }
    : { reading: DATA_GOOD, rows: data, more: [metadataGraphs(views), ...rest] };
}

/** One file system and what is said of it. */
export interface ShownFileSystem extends KnownFileSystem {
  readonly region: string;
  /** For people. @default - its configuration, or its id */
  readonly description?: string | undefined;
  /** ARNs of alarms. @default - none, and no word of alarms or of choosing another file system */
  readonly alarms?: readonly string[] | undefined;
}

/**
 * The number as no other one in the dashboard is written, so that the variable replaces it alone: it is a number with and without
 * the variable.
 */
export const limitText = (iops: number): string => `${iops}.0`;

/** Variables of the dashboard: patterns, not properties. They replace text, so that they reach into SEARCH as well. */
export const VARIABLES = { fileSystem: 'fileSystem', targetIops: 'targetIops' } as const;

/** The file system that a deployed dashboard was made for, from the default values of its variables; `null` for another dashboard. */
export function watchedIn(variables: Readonly<Record<string, string>>): KnownFileSystem | null {
  const { [VARIABLES.fileSystem]: fileSystemId, [VARIABLES.targetIops]: targetIops } = variables;
  return fileSystemId === undefined ? null : { fileSystemId, key: fileSystemId, metadataIops: Number(targetIops) };
}

const CHOICE = [
  'Choose another file system above. Its metadata targets appear by themselves; choose the metadata IOPS that each of them has: what is',
  'provisioned, at most 12000 (above, every 12000 have a target of their own). Alarms watch the file system that this stack was deployed for.',
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

/**
 * The dashboard of one file system as ops teams look at it: metadata first, by target, then throughput against the documented ceilings,
 * servers, and space.
 */
export function dashboardOfFileSystem(shown: ShownFileSystem): Dashboard {
  const { fileSystemId, metadataIops, region, alarms = [] } = shown;
  const value = iopsPerTarget(metadataIops);
  const limitOfUnknown: MetricExpression = { kind: 'constant', value, text: limitText(value) };
  // Metadata targets of another file system that somebody chooses have other names: they are searched for.
  const views = [{ ...viewOfFileSystem(shown, fileSystemId, region), metadata: null }];
  return {
    rows: [
      [text(heading(shown), 24, 8)],
      ...alarmRows(alarms, LIMITS.widgetAlarms.most),
      ...metadataFirstGraphs(views, { limitOfUnknown }),
      clientGraphs(views),
      serverGraphs(views, { metadata: false }),
      spaceGraphs(views),
      restGraphs(views),
      undrawn(views),
    ],
  };
}
