import { nearest } from '../config/nearest';
import { instanceType, instanceTypeNames } from '../fleet/instanceTypes';
import { compressedFrom, type PredictRequest, predict } from '../predict';
import { problemsOf } from '../predict/request';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import { METADATA_IOPS_ALLOWED } from '../storage/lustre/documented';
import { checkLustre } from '../storage/lustre/rules';
import { type CliContext, printJson, UsageError } from './context';
import { CAPACITY, CLIENTS, DATA_SIZE, quantity, RATIO, regionOf, SHARE, word } from './quantity';
import { renderPrediction } from './renderPredict';

/** Flags of `fsxbench predict`, as text. */
export interface PredictFlags {
  readonly deployment: string;
  readonly storageType?: string;
  readonly perUnit?: string;
  readonly capacity?: string;
  readonly throughputCapacity?: string;
  readonly driveCache?: string;
  readonly readCache?: string;
  readonly metadataIops?: string;
  readonly compression?: string;
  readonly ratio?: string;
  readonly efa?: boolean;
  readonly clients?: string;
  readonly instance?: string;
  readonly mode?: string;
  readonly readShare?: string;
  readonly workingSet?: string;
  readonly cached?: string;
  readonly measuredNone?: string;
  readonly region?: string;
  readonly json?: boolean;
}

const RATE = {
  units: { '': 1, 'MB/s': 1, 'GB/s': 1000 },
  min: 1e-3,
  max: 1e9,
  what: 'a rate above 0 in MB/s, or with its unit such as 3.5GB/s',
};
const MBPS = {
  units: { '': 1, 'MB/s': 1 },
  min: 1,
  max: 1e9,
  whole: true,
  what: 'a whole number of MB/s, such as 4000',
};
const IOPS = { units: { '': 1 }, min: 1, max: 1e9, whole: true, what: `'automatic', ${METADATA_IOPS_ALLOWED}` };

/** `fsxbench predict`: the documented ceilings of a configuration and its limit. */
export function predictCommand(context: CliContext, flags: PredictFlags): void {
  const request = requestOf(flags);
  const [problem] = problemsOf(request);
  if (problem !== undefined) throw new UsageError(inFlags(problem));
  const prediction = predict(request);
  const none = quantity('--measured-none', flags.measuredNone, RATE);
  if (none !== undefined && request.ratio === undefined)
    throw new UsageError("'--measured-none' needs --ratio, to predict the rate with LZ4");
  const network =
    prediction.limits.find(({ name }) => name === 'server_network')?.burstMBps ?? Number.POSITIVE_INFINITY;
  const measured =
    none === undefined || request.ratio === undefined
      ? undefined
      : { noneMBps: none, ratio: request.ratio, lz4MBps: compressedFrom(none, request.ratio, network) };
  const document = { ...prediction, ...(measured === undefined ? {} : { fromMeasured: measured }) };
  if (flags.json) printJson(context, document);
  else context.out(renderPrediction(prediction, measured));
}

function requestOf(flags: PredictFlags): PredictRequest {
  const ratio = quantity('--ratio', flags.ratio, RATIO);
  const compression =
    flags.compression === undefined ? undefined : word('--compression', flags.compression, ['NONE', 'LZ4']);
  if (compression === 'NONE' && ratio !== undefined && ratio !== 1)
    throw new UsageError(`'--ratio' cannot be combined with --compression NONE, got '${flags.ratio}': use LZ4`);
  const configuration = configurationOf(flags, compression ?? (ratio === undefined ? 'NONE' : 'LZ4'));
  refuse(configuration, flags);
  if (flags.workingSet !== undefined && flags.cached !== undefined)
    throw new UsageError("'--cached' cannot be combined with --working-set, from which it follows: give one of them");
  const efa = flags.efa === true;
  return {
    configuration,
    ratio,
    readShare: readShareOf(flags),
    clients: clientsOf(flags.clients, flags.instance, efa),
    workingSetGiB: quantity('--working-set', flags.workingSet, DATA_SIZE),
    hitShare: quantity('--cached', flags.cached, SHARE),
    region: regionOf(flags.region),
  };
}

function configurationOf(flags: PredictFlags, compression: 'NONE' | 'LZ4'): LustreConfiguration {
  const { metadataIops } = flags;
  const storageType =
    flags.storageType === undefined
      ? 'SSD'
      : word('--storage-type', flags.storageType, ['SSD', 'HDD', 'INTELLIGENT_TIERING']);
  const optional = {
    storageCapacityGiB: quantity('--capacity', flags.capacity, CAPACITY),
    perUnitStorageThroughput: quantity('--per-unit', flags.perUnit, {
      ...MBPS,
      what: 'a whole number of MB/s per TiB, such as 200',
    }),
    throughputCapacity: quantity('--throughput-capacity', flags.throughputCapacity, MBPS),
    driveCacheType:
      flags.driveCache === undefined ? undefined : word('--drive-cache', flags.driveCache, ['NONE', 'READ']),
    dataReadCache: readCacheOf(flags.readCache),
    efaEnabled: flags.efa === true ? true : undefined,
    metadata: metadataIops === undefined ? undefined : metadataOf(metadataIops),
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    deploymentType: word('--deployment', flags.deployment, ['SCRATCH_2', 'PERSISTENT_1', 'PERSISTENT_2']),
    storageType,
    dataCompressionType: compression,
    ...given,
  };
}

function metadataOf(text: string): LustreConfiguration['metadata'] {
  if (text.toLowerCase() === 'automatic') return { mode: 'AUTOMATIC' };
  return { mode: 'USER_PROVISIONED', iops: quantity('--metadata-iops', text, IOPS) as number };
}

function readCacheOf(text: string | undefined): LustreConfiguration['dataReadCache'] {
  if (text === undefined) return undefined;
  if (text === 'none') return { sizingMode: 'NO_CACHE' };
  if (text === 'proportional') return { sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' };
  const what = "'none', 'proportional' or a whole number of GiB";
  return {
    sizingMode: 'USER_PROVISIONED',
    sizeGiB: quantity('--read-cache', text, { ...CAPACITY, max: 1e9, what }) as number,
  };
}

function readShareOf({ mode, readShare }: PredictFlags): number {
  const share = quantity('--read-share', readShare, SHARE);
  if (mode === undefined) return share ?? 0;
  const named = word('--mode', mode, ['write', 'read']);
  if (share !== undefined)
    throw new UsageError(
      `'--read-share' cannot be combined with --mode ${named}, got '${readShare}': give one of them`,
    );
  return named === 'read' ? 1 : 0;
}

/** The clients: both flags or neither. @throws UsageError */
export function clientsOf(
  count: string | undefined,
  instance: string | undefined,
  efa: boolean,
): PredictRequest['clients'] {
  const clients = quantity('--clients', count, CLIENTS);
  if (instance !== undefined && instanceType(instance) === null) {
    const meant = nearest(instance, instanceTypeNames());
    const next = meant === undefined ? 'use one such as c5n.9xlarge' : `did you mean ${meant}?`;
    throw new UsageError(`'--instance' must be an instance type with known network data, got '${instance}': ${next}`);
  }
  if (clients === undefined && instance === undefined) return undefined;
  if (instance === undefined) throw new UsageError("'--clients' needs --instance, which gives the speed of each");
  return { count: clients ?? 1, instanceType: instance, efa };
}

/** The flag that sets each property of a configuration. */
const FLAGS: Readonly<Record<string, string>> = {
  deploymentType: '--deployment',
  storageType: '--storage-type',
  perUnitStorageThroughput: '--per-unit',
  storageCapacityGiB: '--capacity',
  throughputCapacity: '--throughput-capacity',
  driveCacheType: '--drive-cache',
  dataReadCache: '--read-cache',
  'dataReadCache.sizeGiB': '--read-cache',
  'dataReadCache.sizingMode': '--read-cache',
  metadata: '--metadata-iops',
  'metadata.iops': '--metadata-iops',
  'metadata.mode': '--metadata-iops',
  efaEnabled: '--efa',
  efa: '--efa',
  clients: '--clients',
  instance: '--instance',
};

/** API terms and the flag values that replace them, in order. */
const VALUES: readonly (readonly [string, string])[] = [
  [
    'must be given with INTELLIGENT_TIERING, its sizingMode one of NO_CACHE, PROPORTIONAL_TO_THROUGHPUT_CAPACITY, USER_PROVISIONED',
    'must be none, proportional or a number of GiB with INTELLIGENT_TIERING',
  ],
  ["set '--metadata-iops' to USER_PROVISIONED with 6000 or 12000 IOPS", 'use 6000 or 12000'],
  ['must be USER_PROVISIONED with', 'must be a number with'],
  ['PROPORTIONAL_TO_THROUGHPUT_CAPACITY', 'proportional'],
  ['got AUTOMATIC', 'got automatic'],
];

/** An error of a request, in terms of the flags. */
export function inFlags(message: string): string {
  const named = message.replaceAll(/'([A-Za-z.]+)'/g, (quoted, name) =>
    FLAGS[name] === undefined ? quoted : `'${FLAGS[name]}'`,
  );
  return VALUES.reduce((text, [word, value]) => text.replaceAll(word, value), named);
}

/** The first problem that AWS would reject, in one line. */
function refuse(configuration: LustreConfiguration, { metadataIops = '', readCache = '' }: PredictFlags): void {
  const [first] = checkLustre(configuration).errors;
  if (first === undefined) return;
  throw new UsageError(
    // The value as given, not as parsed.
    inFlags(first.message).replace(
      /got \{[^}]*\}/,
      () => `got ${first.message.startsWith("'metadata") ? metadataIops : readCache}`,
    ),
  );
}
