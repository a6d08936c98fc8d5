import type { BenchmarkLab } from '../../benchmark/benchmark';
import { memberBy } from '../../common/collections';
import { instanceType } from '../../fleet/instanceTypes';
import type { StorageConfiguration } from '../../schema/deployment';
import type { ScaleModel, ThrottledFigure, ThrottledMetadata } from '../../schema/model';
import type { Limit } from '../../storage/common/limits';
import { metadataRatesOf, storageOf } from '../../storage/lookup';

/** A hundredth: a laptop carries it, and the tens of MB/s that come of it take phases of seconds. */
const DEFAULT_SCALE = 100;

/** A disk of less than a MB/s measures the scheduler. */
const MOST_SCALE = 10_000;

/** Coefficient of variation of repeats with throttled rates: 1.7 % pooled over the writes of two whole runs (1:100, two cores, loads of 8 to 15). */
export const MODEL_VARIATION = 0.02;

/** The divisor from `1:100`; without it the benchmark's own. @throws Error with what is allowed */
export function modelScale(text: string | undefined, own = DEFAULT_SCALE): number {
  if (text === undefined) return own;
  const scale = Number(/^1:(\d{1,6})$/.exec(text.trim())?.[1] ?? Number.NaN);
  if (scale >= 1 && scale <= MOST_SCALE) return scale;
  throw new Error(`'scale' must be from 1:1 to 1:${MOST_SCALE}, such as 1:${DEFAULT_SCALE}, got '${text}'`);
}

/**
 * Dirty data that servers may hold in memory, in seconds of disk writes. Nothing waits for the data that remain at the end of a phase:
 * more makes short phases look fast, less makes Btrfs write its trees so often that they take a tenth of the disk. At 0.29 s phases of
 * four seconds came to within 1 % of the disk without compression, and 4 % below disk × ratio at 2.5:1 (two cores, load 3).
 */
const DIRTY_SECONDS = 0.29;
/** Btrfs writes extents of 128 KiB: with less than a few of them in flight nothing overlaps. */
const LEAST_DIRTY_BYTES = 2 ** 20;

export const modelOf = (configuration: StorageConfiguration, scale: number): Pick<ScaleModel, 'scale' | 'stands'> => ({
  scale,
  stands: storageOf(configuration).configuration.describe(configuration),
});

const dirtyBytesOf = ({ baselineMBps }: Limit, scale: number): number =>
  Math.max(LEAST_DIRTY_BYTES, Math.round((baselineMBps * 1e6 * DIRTY_SECONDS) / scale));

const held = (name: ThrottledFigure['name'], { baselineMBps, source }: Limit) => ({
  name,
  documentedMBps: baselineMBps,
  source,
});

/** Rates that a stand-in is throttled to, before calibration. */
export interface ModelFigures {
  readonly scale: number;
  readonly held: readonly Omit<ThrottledFigure, 'setMBps' | 'measuredMBps'>[];
  readonly dirtyBytes: number;
  /** Figures of the metadata server; `null` without a documented rate. */
  readonly metadata: Pick<
    ThrottledMetadata,
    'iops' | 'documentedCreatesPerSecond' | 'setCreatesPerSecond' | 'source'
  > | null;
  readonly free: readonly string[];
}

/** Limits at `1 / scale` of the documented ones. @throws Error without any @param model a disk, if none is documented; clients, if their links are throttled */
export function figuresOf(
  configuration: StorageConfiguration,
  scale: number,
  { disk, clients }: Pick<BenchmarkLab, 'disk'> & { readonly clients?: string } = {},
): ModelFigures {
  const networkBaselineMbps = clients === undefined ? undefined : instanceType(clients)?.networkBaselineMbps;
  const client = networkBaselineMbps === undefined ? undefined : { count: 1, networkBaselineMbps };
  const [write, read] = (['write', 'read'] as const).map((mode) => {
    const limits = storageOf(configuration).documented.limits(configuration, { mode, clients: client });
    if (disk === undefined || limits.some(({ name }) => name === 'disk')) return limits;
    return [...limits, { name: 'disk', baselineMBps: disk.MBps, burstMBps: disk.MBps, source: disk.source }];
  });
  const [networkWrite, networkRead] = [limit(write, 'server_network'), limit(read, 'server_network')];
  const [diskWrite, diskRead] = [limit(write, 'disk'), limit(read, 'disk')];
  const metadata = metadataFiguresOf(configuration, scale);
  const all = [networkWrite, networkRead, diskWrite, diskRead];
  return {
    scale,
    held: [
      held('disk_write', diskWrite),
      held('disk_read', diskRead),
      held('network_write', networkWrite),
      held('network_read', networkRead),
      ...(clients === undefined
        ? []
        : [held('client_write', limit(write, 'client_nic')), held('client_read', limit(read, 'client_nic'))]),
    ],
    dirtyBytes: dirtyBytesOf(diskWrite, scale),
    metadata,
    free: [
      ...(all.some(({ baselineMBps, burstMBps }) => burstMBps > baselineMBps)
        ? ['bursts: AWS publishes rates, but no credits, so the model stays at the baselines']
        : []),
      'the servers’ read cache: it is emptied before each read, and otherwise as large as this computer’s memory',
      clients === undefined
        ? 'the clients: one computer drives the model, and no network card or path limits it'
        : `the clients except their links (each at the baseline of ${clients}): they share the CPUs of one computer`,
      ...(metadata === null
        ? ['latency, striping over several servers, and metadata operations']
        : [
            'latency, and striping over several servers',
            'metadata operations other than creates: each costs what it costs on these servers’ disk, not its share of AWS’s IOPS',
          ]),
    ],
  };
}

/** A configuration's documented disk baselines, and limits of `1 / scale` of them, for real substitutes. @returns `null` without documented disks */
export function diskFiguresOf(configuration: StorageConfiguration, scale: number): ModelFigures | null {
  const { documented } = storageOf(configuration);
  const [diskWrite, diskRead] = (['write', 'read'] as const).map((mode) =>
    documented.limits(configuration, { mode }).find(({ name }) => name === 'disk'),
  );
  if (diskWrite === undefined || diskRead === undefined) return null;
  const bursts = [diskWrite, diskRead].some(({ burstMBps, baselineMBps }) => burstMBps > baselineMBps);
  return {
    scale,
    held: [held('disk_write', diskWrite), held('disk_read', diskRead)],
    dirtyBytes: dirtyBytesOf(diskWrite, scale),
    metadata: null,
    free: [
      ...(bursts ? ['bursts: the disks stay at their baselines'] : []),
      'networks, and the path from the clients to their volumes',
      'IOPS and latency of the disks',
      'the page cache: it is emptied before the reads of corrected workloads, and otherwise as large as this computer’s memory',
    ],
  };
}

/** Limits of the metadata server, from the documented rate of file creations; `null` if none is documented. */
function metadataFiguresOf(configuration: StorageConfiguration, scale: number): ModelFigures['metadata'] {
  const { metadata } = storageOf(configuration).documented;
  const iops = metadata?.iops(configuration) ?? null;
  const documentedCreatesPerSecond = metadataRatesOf(configuration)?.file_create;
  if (metadata === undefined || iops === null || documentedCreatesPerSecond === undefined) return null;
  return {
    iops,
    documentedCreatesPerSecond,
    setCreatesPerSecond: documentedCreatesPerSecond / scale,
    source: metadata.source,
  };
}

export const throttledBytesPerSecond = ({ scale, held }: ModelFigures, name: ThrottledFigure['name']): number =>
  Math.round((memberBy(held, 'name', name, "'name'").documentedMBps * 1e6) / scale);

function limit(limits: readonly Limit[] | undefined, name: Limit['name']): Limit {
  const found = limits?.find((each) => each.name === name);
  if (found === undefined) throw new Error('nothing is documented of such a configuration: the lab cannot model it');
  return found;
}

/**
 * Metrics that MooseFS lacks in Lustre's units: what it calls a write is a whole connection that writes to a chunk, and both counts begin
 * anew each minute (https://github.com/moosefs/moosefs/blob/master/mfschunkserver/mainserv.c, stats_hlopr and stats_hlopw; chartsdata.c).
 */
export const UNCOUNTED: Readonly<Record<string, string>> = Object.fromEntries(
  ['DataReadOperations', 'DataWriteOperations'].map((metric) => [
    metric,
    'the model’s servers count connections instead of operations, and only per minute',
  ]),
);
