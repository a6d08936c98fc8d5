import { bytes } from '../../common/format/units';
import { effective, type Limit } from '../common/limits';
import type {
  EfaCapability,
  ExpectedRange,
  ExpectedRate,
  MetadataRun,
  PerformanceCapability,
  S3Run,
  S3Transfers,
  StreamDemand,
  ThroughputRun,
  Transfer,
} from '../performance';
import type { LustreConfiguration, LustreStorage } from './configuration';
import { metadataIopsOf } from './documented';
import { limitsOf, metadataRatesAt, readCacheGiB, serverMemoryGiB } from './limits';
import { serversOf } from './servers';
import { guide, isElastic, READ_CACHE_MBPS } from './types';

/**
 * What FSx for Lustre does besides its documented limits, from what other people measured (claims/field-measurements.csv). Fourteen
 * parameters were fitted on that file: those of {@link FITTED}. Everything else is documented, or stated by a source that is named.
 */

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Fitted on claims/field-measurements.csv, and on nothing else; in brackets the rows that decide. */
export const FITTED = {
  /** Milliseconds of a request without its data [it-1]. */
  requestMs: 0.5,
  /** Milliseconds for each MiB of a request [stg310-1 and -2, b300-4 to -6, b300-9]. */
  requestMsPerMiB: 1.45,
  /** Requests per second that one process issues, however many are in flight [b300-3]. */
  requestsPerProcess: 12_500,
  /** Share of the lowest limit that runs reach: the median of 48 [throughput rows]. */
  shareOfLimit: 0.9,
  /** Bytes of a write that clients and servers take into memory before the disks matter [p1p2-a1, -c1]. */
  absorbedBytes: 4 * GIB,
  /** Creates or deletes per second without a metadata configuration, or in short runs with a small one [p1p2-*-create]. */
  metadataFloor: 7000,
  /** Objects per second of a metadata import [dram-1 to -3]. */
  importPerSecond: 2000,
  /** Seconds before the first byte of a file that is loaded lazily [stg310-5, hpcws22-3]. */
  lazySeconds: 3.6,
  /** MB/s of one stream that loads lazily, after that [stg310-5, hpcws22-3]. */
  lazyMBps: 180,
  /** Files per second of automatic export for each 1,200 GiB [drae-2]. */
  exportPer1200GiB: 213,
  /** Share of the disk baseline that automatic export reaches [drax-x1 to -x3]. */
  exportShare: 0.7,
  /** Entries per second of a listing, by name and with attributes [ls-1 to -4]. */
  listNames: 41_000,
  listAttributes: 6000,
  /** Creates or deletes per second of one vCPU of a client [p1p2-*-create]. */
  metadataPerVcpu: 3600,
} as const;

/**
 * Stated by others, not fitted: milliseconds of a metadata operation per rank, files per second of `lfs hsm_restore`, and what automatic
 * export takes from reads and writes (docs/verification.md).
 */
const STATED = {
  metadataMs: { file_create: 0.68, file_stat: 0.31, file_remove: 0.64 },
  restorePerClient: 120,
  restoreMost: 345,
  exportTakes: { read: 0.13, write: 0.24 },
} as const;

/** A larger request is split into parts of this size, which are in flight at once. */
const PART_BYTES = MIB;
/** Files up to this size have one stripe: the default layout starts with one, and imported files have one for each GiB. */
const ONE_STRIPE_BYTES = GIB;
/** Bursts lasted at least 1,200 s in what was measured; EC2 documents 5 to 60 minutes. */
const BURST_SECONDS = 1800;
/** Runs of fewer operations exceeded the documented rate 2.4 and 4.7 times: they do not show what lasts. */
const ENOUGH_OPERATIONS = 100_000;

/** Ends of the intervals as factors of the expected rate; their ratio is at most 3. */
const ENDS = {
  /** Two single clients reached 1.6 times the 5 Gbit/s rule; all others stopped at it. */
  client_oss_path: [0.64, 1.9],
  other: [0.585, 1.75],
} as const;

const around = ([bottleneck, expected]: readonly [string, number], of: keyof typeof ENDS = 'other'): ExpectedRate => ({
  low: expected * ENDS[of][0],
  expected,
  high: expected * ENDS[of][1],
  bottleneck,
});

const lowest = (rates: Readonly<Record<string, number>>): [name: string, rate: number] =>
  Object.entries(rates).reduce((low, each) => (each[1] < low[1] ? each : low));

/** Milliseconds of one request of so many bytes. */
const requestMs = (bytes: number): number =>
  FITTED.requestMs + (FITTED.requestMsPerMiB * Math.min(bytes, PART_BYTES)) / MIB;

/** Requests in flight × size ÷ latency. */
function streams({ clients, processes, inFlight, transferBytes }: StreamDemand): Limit {
  const ms = requestMs(transferBytes);
  const perSecond = Math.min((inFlight * 1000) / ms, FITTED.requestsPerProcess);
  const rate = (clients * processes * perSecond * transferBytes) / 1e6;
  const source = `${clients * processes} × ${inFlight} in flight of ${bytes(transferBytes)}, ${ms.toFixed(2)} ms each (measured by others: claims/field-measurements.csv)`;
  return { name: 'streams', baselineMBps: rate, burstMBps: rate, source };
}

/** The rate that a run sees: the lowest of its limits, each as it is for such a run. */
function throughput(configuration: LustreConfiguration, limits: readonly Limit[], run: ThroughputRun): ExpectedRate {
  const { readShare, servedFrom, seconds = Number.POSITIVE_INFINITY, fileBytes, files } = run;
  const bursts = seconds <= BURST_SECONDS;
  const absorbed = (files ?? Number.NaN) * (fileBytes ?? Number.NaN) <= FITTED.absorbedBytes;
  const fromDisk = readShare === 1 ? servedFrom !== 'memory' : !absorbed;
  const oneWay = Math.max(readShare, 1 - readShare);
  const rates = effective(limits).flatMap(({ name, baselineMBps, burstMBps }): [string, number][] => {
    const rate = bursts ? burstMBps : baselineMBps;
    if (name === 'streams') return [[name, rate / FITTED.shareOfLimit]];
    // Networks carry both directions at once.
    if (name === 'client_nic') return [[name, rate / oneWay]];
    if (name === 'client_oss_path') return [[name, (rate * reach(configuration, run)) / oneWay]];
    if (!name.startsWith('disk')) return [[name, rate]];
    if (!fromDisk) return [];
    // Writes over EFA came to 1.04 to 1.14 times the baseline, not to the burst [b300-1, b300-7].
    return [[name, configuration.efaEnabled === true ? baselineMBps : rate]];
  });
  const [name, rate] = lowest(Object.fromEntries(rates));
  return around([name, rate * FITTED.shareOfLimit], name === 'client_oss_path' ? name : 'other');
}

/** The share of the file servers that a client talks to: one for each of its streams, all for large files. */
function reach(configuration: LustreConfiguration, { processes, fileBytes = 0, files }: ThroughputRun): number {
  const oss = serversOf(configuration)?.oss ?? 1;
  const few = Math.min(processes ?? oss, files ?? oss);
  return fileBytes > ONE_STRIPE_BYTES ? 1 : Math.min(1, few / oss);
}

/** Operations per second that ranks see; `list_names` and `list_attributes` count entries. */
function metadata(configuration: LustreConfiguration, run: MetadataRun): Readonly<Record<string, ExpectedRate>> {
  const { ranks, vcpus, operations = Number.NaN, fileBytes = 0 } = run;
  const iops = metadataIopsOf(configuration);
  const documented = iops === null ? null : metadataRatesAt(iops);
  const client = vcpus === undefined ? Number.POSITIVE_INFINITY : vcpus * FITTED.metadataPerVcpu;
  // A file with data takes an open of its object, its write, and a close that sends its size.
  const dataMs = fileBytes === 0 ? 0 : 2 * requestMs(fileBytes);
  const servers = (rate: number | undefined): number =>
    rate !== undefined && operations >= ENOUGH_OPERATIONS ? rate : Math.max(rate ?? 0, FITTED.metadataFloor);
  const { file_create, file_stat, file_remove } = STATED.metadataMs;
  const of = (ms: number, server: number, perVcpu = client) =>
    around(lowest({ metadata_servers: server, streams: (ranks * 1000) / ms, client_cpu: perVcpu }));
  return {
    file_create: of(file_create + dataMs, servers(documented?.file_create)),
    file_stat: of(file_stat, Number.POSITIVE_INFINITY),
    file_read: of(file_stat + requestMs(fileBytes), Number.POSITIVE_INFINITY),
    file_remove: of(file_remove, servers(documented?.file_remove)),
    ...(documented === null
      ? {}
      : { dir_create: of(file_create, documented.dir_create), dir_remove: of(file_remove, documented.dir_remove) }),
    list_names: around(['metadata_servers', FITTED.listNames]),
    list_attributes: of(file_stat + requestMs(0), FITTED.listAttributes, Number.POSITIVE_INFINITY),
  };
}

/** Rates and times of what moves between S3 and the file system. */
function s3(configuration: LustreConfiguration, run: S3Run): S3Transfers {
  const { clients, files, fileBytes, streamCount, readShare } = run;
  const { baselineMBps = 0, burstMBps = 0 } =
    limitsOf(configuration, { mode: 'write' }).find(({ name }) => name === 'disk') ?? {};
  const perSecond = (MBps: number): number => (MBps * 1e6) / fileBytes;
  /** Loaded data is written to the disks, which burst if the loading is short enough. */
  const written = (name: string, rate: number): ExpectedRate => {
    const bursts = files / Math.min(rate, perSecond(burstMBps)) <= BURST_SECONDS;
    return around(lowest({ [name]: rate, disk: perSecond(bursts ? burstMBps : baselineMBps) }));
  };
  const megabytes = fileBytes / 1e6;
  const lazyMBps = megabytes / (FITTED.lazySeconds + megabytes / FITTED.lazyMBps);
  const units = (configuration.storageCapacityGiB ?? 1200) / 1200;
  const exported = lowest({
    s3_export: units * FITTED.exportPer1200GiB,
    disk: perSecond(baselineMBps * FITTED.exportShare),
  });
  const { read, write } = STATED.exportTakes;
  return {
    import: transferOf(around(['s3_import', FITTED.importPerSecond]), files, null),
    restore: transferOf(
      written('s3_restore', Math.min(clients * STATED.restorePerClient, STATED.restoreMost)),
      files,
      fileBytes,
    ),
    lazyLoad: transferOf(written('streams', perSecond(lazyMBps * streamCount)), files, fileBytes),
    export: transferOf(around(exported), files, fileBytes),
    leftWhileExporting: 1 - (readShare * read + (1 - readShare) * write),
  };
}

/** @param fileBytes `null` if no data move */
function transferOf({ bottleneck, ...perSecond }: ExpectedRate, files: number, fileBytes: number | null): Transfer {
  const scaled = (factor: number): ExpectedRange => ({
    low: perSecond.low * factor,
    expected: perSecond.expected * factor,
    high: perSecond.high * factor,
  });
  return {
    filesPerSecond: perSecond,
    MBps: fileBytes === null ? null : scaled(fileBytes / 1e6),
    seconds: { low: files / perSecond.high, expected: files / perSecond.expected, high: files / perSecond.low },
    bottleneck,
  };
}

/** Families of the third Nitro generation (EC2 docs), and trn2, which FSx refuses, too (https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html). */
const NO_EFA_TO_FSX = ['c5n', 'g4dn', 'i3en', 'inf1', 'm5dn', 'm5n', 'm5zn', 'p3dn', 'r5dn', 'r5n', 'trn2'];

export const efaViolation: EfaCapability['violation'] = ({ name, efa }) =>
  efa && !NO_EFA_TO_FSX.includes(name.split('.')[0] ?? '')
    ? null
    : {
        property: 'instanceType',
        must: 'a type that supports FSx over EFA',
        got: name,
        next: 'Use one such as c6in.32xlarge.',
      };

export const performance: PerformanceCapability<LustreStorage> = {
  caches: (configuration) => ({
    memoryGiB: serverMemoryGiB(configuration),
    readCacheGiB: readCacheGiB(configuration),
    readCacheMBps: readCacheMBps(configuration),
    source: guide('performance'),
  }),
  servers: (configuration) => serversOf(configuration),
  burstReason: () =>
    'AWS does not publish the size of the burst credit balance; only a run shows how long a burst lasts',
  metadataReason: ({ metadata, storageType }) =>
    metadata === undefined
      ? `AWS publishes metadata rates only for file systems with a metadata configuration (${guide('performance')})`
      : metadata.mode === 'AUTOMATIC' && storageType === 'INTELLIGENT_TIERING'
        ? 'AWS does not publish how many metadata IOPS AUTOMATIC gives to Intelligent-Tiering'
        : `operations per provisioned metadata IOPS; none is published for stat (${guide('performance')})`,
  undocumented: (configuration, { readShare, hitShare }) =>
    isElastic(configuration) && readShare > 0 && hitShare < 1
      ? [
          `reads that miss the caches of Intelligent-Tiering: AWS publishes no throughput, and each read takes tens of milliseconds (${guide('intelligent-tiering-file-systems')})`,
        ]
      : [],
  field: { requestMs, streams, throughput, metadata, s3 },
  efa: { enabled: ({ efaEnabled = false }) => efaEnabled, violation: efaViolation },
  uncompressed: (configuration) => ({ ...configuration, dataCompressionType: 'NONE' }),
  impliedCompression: (ratio) => ({ dataCompressionType: ratio === undefined ? 'NONE' : 'LZ4' }),
};

/** Throughput of the SSD read cache in MB/s; `null` without one. */
function readCacheMBps(configuration: LustreConfiguration): number | null {
  const size = readCacheGiB(configuration);
  if (size === 0) return null;
  // The cache of Intelligent-Tiering delivers its throughput capacity
  // (https://docs.aws.amazon.com/fsx/latest/LustreGuide/intelligent-tiering-file-systems.html).
  return isElastic(configuration) ? (configuration.throughputCapacity ?? 0) : (size / 1000) * READ_CACHE_MBPS;
}
