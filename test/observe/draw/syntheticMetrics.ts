import { metadataBench } from '../../../lib/benchmark/metadata';
import { resolveBenchmark } from '../../../lib/config/benchmark';
import type { MetricSeries } from '../../../lib/schema/metrics';
import type { LustreConfiguration, LustreStorage } from '../../../lib/storage/lustre/configuration';
import { LUSTRE_METRICS, LUSTRE_NAMESPACE, type LustreMetricInfo } from '../../../lib/storage/lustre/metricTable';
import { serversOf } from '../../../lib/storage/lustre/servers';
import { resourcesOf, stacksWith } from '../../support/cdk';
import { dashboardInTemplate } from '../../support/templateDashboard';

export const ARMS = ['p250-12000', 'p1000-192000'] as const;

export const FILE_SYSTEMS: Readonly<Record<string, string>> = {
  'p250-12000': 'fs-0aaaaaaaaaaaaaaa1',
  'p1000-192000': 'fs-0bbbbbbbbbbbbbbb2',
};

const SETTINGS = { arms: [...ARMS] };

/** MetadataBench of two arms: its dashboard, as a deployment with these file systems has it. */
export function dashboardOfTwoArms() {
  const { bench } = stacksWith(SETTINGS, undefined, undefined, metadataBench);
  return dashboardInTemplate(resourcesOf(bench), {
    arms: Object.entries(FILE_SYSTEMS).map(([name, fileSystemId]) => ({ name, fileSystemId })),
    fleet: {},
  });
}

const START = Date.parse('2026-11-21T10:00:00Z');
const MINUTES = 60;

export const WINDOW = { from: new Date(START).toISOString(), to: new Date(START + MINUTES * 60_000).toISOString() };

/** All clients work on one arm at a time: each operation takes six minutes on the one, and then on the other. */
const OPERATIONS = ['create', 'stat', 'open', 'remove'] as const;
type Operation = (typeof OPERATIONS)[number];

function operationAt(arm: number, minute: number): Operation | null {
  const slot = Math.floor(minute / 7);
  return minute % 7 === 6 || slot % 2 !== arm ? null : (OPERATIONS[Math.floor(slot / 2)] ?? null);
}

/** Operations a second of each metadata target, made up from the documented 2 creates and opens and 1 delete for each of its 12,000 IOPS. */
const RATE: Readonly<Record<Operation, number>> = { create: 21_000, stat: 34_000, open: 20_000, remove: 10_500 };

const METRIC: Readonly<Record<string, Operation>> = {
  FileCreateOperations: 'create',
  StatOperations: 'stat',
  FileOpenOperations: 'open',
  FileDeleteOperations: 'remove',
};

/** Up and down a little, the same each time. */
const wave = (minute: number, part: number): number => 1 + 0.04 * Math.sin(minute * 1.7 + part * 2.3);

function valueOfMetric(
  name: string,
  part: string,
  index: number,
  targets: number,
  operation: Operation | null,
  minute: number,
) {
  const busy = operation !== null;
  const own = METRIC[name];
  const shake = wave(minute, index);
  if (own !== undefined) return own === operation ? Math.round(RATE[own] * 60 * shake) : 0;
  if (part.startsWith('MDT') && name === 'DiskWriteOperations')
    return Math.round(60 * 12_000 * (operation === 'create' ? 0.82 : operation === 'remove' ? 0.74 : 0.01) * shake);
  if (part.startsWith('MDT') && name === 'DiskReadOperations') return Math.round(60 * (busy ? 500 : 5) * shake);
  if (name === 'MetadataOperations') return operation === null ? 0 : Math.round(RATE[operation] * 60 * targets * shake);
  if (name === 'CPUUtilization') return (busy ? 71 : 3) * shake;
  if (name === 'NetworkThroughputUtilization') return (busy ? 14 : 1) * shake;
  if (name === 'FileServerDiskThroughputUtilization') return (busy ? 4 : 1) * shake;
  if (name === 'FreeDataStorageCapacity') return 1.1e12 - index * 1e9;
  if (name === 'StorageCapacityUtilization') return 1 + index * 0.05;
  return 0;
}

/** A partial set: what FSx publishes for a file system without compression, without links and with whole counts. */
function partsOf({ scope, name }: LustreMetricInfo, lustre: LustreConfiguration, targets: number): string[] {
  const servers = serversOf(lustre);
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index.toString(16).padStart(4, '0')}`);
  if (name === 'RenameOperations' || name.startsWith('Directory')) return many(targets, 'MDT');
  if (scope === 'oss') return many(servers?.oss ?? 1, 'OSS');
  if (scope === 'mds') return many(targets, 'MDS');
  if (scope === 'mdt') return many(targets, 'MDT');
  if (scope === 'ost') return many(servers?.ost ?? 1, 'OST');
  if (scope === 'target') return [...many(targets, 'MDT'), ...many(servers?.ost ?? 1, 'OST')];
  return scope === 'file-system' ? [''] : [];
}

const DIMENSION: Readonly<Record<string, string>> = {
  OSS: 'FileServer',
  MDS: 'FileServer',
  OST: 'StorageTargetId',
  MDT: 'StorageTargetId',
};

/** Metrics that `collect` asks for: those of the table, and those that a graph shows next to them. */
const statisticsOf = ({ name, statistic }: LustreMetricInfo): string[] =>
  name === 'DiskIopsUtilization' || name === 'StorageCapacityUtilizationWithCachedWrites'
    ? [statistic, 'Maximum']
    : [statistic];

/** Metrics that nobody measured: an hour of two arms, the same each time. */
export function syntheticMetrics(): MetricSeries[] {
  const { arms } = resolveBenchmark(metadataBench, SETTINGS);
  return arms.flatMap(({ name: arm, storage }, armIndex) => {
    const targets = arm === 'p250-12000' ? 1 : 16;
    return LUSTRE_METRICS.filter(
      ({ availability }) => availability !== 'compressed' && availability !== 'linked',
    ).flatMap((info) =>
      partsOf(info, storage as LustreStorage, targets).flatMap((part, index): MetricSeries[] => {
        const own = part === '' ? {} : { [DIMENSION[part.slice(0, 3)] ?? 'Publisher']: part };
        const points = Array.from({ length: MINUTES }, (_, minute): [string, number] => [
          new Date(START + minute * 60_000).toISOString(),
          valueOfMetric(info.name, part, index, targets, operationAt(armIndex, minute), minute),
        ]);
        const series = {
          arm,
          namespace: LUSTRE_NAMESPACE,
          metric: info.name,
          dimensions: { FileSystemId: FILE_SYSTEMS[arm] ?? '', ...own },
          unit: info.unit,
          periodSeconds: 60,
          points,
        };
        return statisticsOf(info).map((statistic) => ({ ...series, statistic }));
      }),
    );
  });
}
