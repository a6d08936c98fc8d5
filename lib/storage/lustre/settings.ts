import * as z from 'zod';
import { omitUndefined } from '../../common/collections';
import { field, flag, numeric, oneOfWords as oneOf, orWords, type SettingsOf, whole } from '../../common/field';
import { IN_MBPS, type Measure } from '../../common/quantity';
import { type Labels, labelsOf, shown, violationMessage } from '../../common/violation';
import { STRIPE_COUNT } from '../common/lustre';
import { MAINTENANCE_FIELD } from '../common/maintenance';
import type { Shorthand } from '../slices/configuration';
import type { LustreConfiguration, LustreStorage } from './configuration';
import { METADATA_IOPS_ALLOWED } from './documented';
import { checkLustre } from './rules';
import { DEPLOYMENT_TYPES, GIB, isElastic, LUSTRE_TYPES, perUnitsOf, STORAGE_TYPES, TIERING, typeOf } from './types';

/** botocore: StorageCapacity of the FSx API. */
const LARGEST_CAPACITY_GIB = 2_147_483_647;

/** FSx counts in GiB, of which its TiB has 1,000. */
const CAPACITY: Measure = { units: { '': 1, ...GIB }, form: ', or a size such as 12TiB (of 1000 GiB)' };

/** Bucket names with an optional prefix: no two consecutive dots, no dot next to a dash, nothing like an IP address (S3 user guide). */
const REPOSITORY =
  /^s3:\/\/(?!\d+\.\d+\.\d+\.\d+(\/|$))(?![^/]*(\.\.|\.-|-\.))[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/\S*)?$/;

/** The context keys of a file system; the rules know which values go together. */
export const LUSTRE_SETTINGS = {
  deploymentType: oneOf(DEPLOYMENT_TYPES, 'The compression study used PERSISTENT_1.'),
  storageType: oneOf(STORAGE_TYPES, 'The compression study used SSD.'),
  storageCapacityGiB: whole(1200, LARGEST_CAPACITY_GIB, ' of GiB', 'It is the size of each file system.', CAPACITY),
  perUnitStorageThroughput: field(
    numeric(z.number().int().positive(), IN_MBPS),
    'a whole number of MB/s per TiB',
    `PERSISTENT_1 SSD has ${perUnitsOf(LUSTRE_TYPES.PERSISTENT_1_SSD).join(', ')}; PERSISTENT_2 SSD ${perUnitsOf(LUSTRE_TYPES.PERSISTENT_2_SSD).join(', ')}.`,
  ),
  throughputCapacity: field(
    numeric(z.number().int().min(TIERING.throughput.small[0]), IN_MBPS),
    `a whole number of MB/s from ${TIERING.throughput.small[0]}`,
    'It belongs to INTELLIGENT_TIERING only.',
  ),
  metadataIops: field(
    orWords(['automatic'], numeric(z.number().int().min(1500))),
    `'automatic', ${METADATA_IOPS_ALLOWED}`,
    'It belongs to PERSISTENT_2 only.',
  ),
  efa: flag('EFA belongs to PERSISTENT_2 with metadata IOPS.'),
  driveCacheType: oneOf(['NONE', 'READ'], 'It belongs to HDD only.'),
  dataReadCache: field(
    orWords(['none', 'proportional'], numeric(z.number().int().min(TIERING.cacheGiB.min), CAPACITY)),
    `'none', 'proportional' or a whole number of GiB from ${TIERING.cacheGiB.min}${CAPACITY.form}`,
    'It belongs to INTELLIGENT_TIERING only.',
  ),
  lustreVersion: oneOf(['2.12', '2.15'], 'Clients on Amazon Linux 2023 cannot mount 2.10.'),
  weeklyMaintenanceStartTime: MAINTENANCE_FIELD,
  stripeCount: {
    ...STRIPE_COUNT,
    next: '-1 stripes over all OSTs, as the study did; 0 uses the default layout of the file system.',
  },
  logLevel: oneOf(
    ['DISABLED', 'WARN_ONLY', 'ERROR_ONLY', 'WARN_ERROR'],
    'It selects the data repository events to log in CloudWatch Logs.',
  ),
  import: field(
    z.string().regex(REPOSITORY),
    'a bucket or a prefix in it such as s3://my-data/reference',
    'Each arm links its directory /data to it and imports the metadata of its objects.',
  ),
} as const;

type Settings = SettingsOf<typeof LUSTRE_SETTINGS>;

function readCache(setting: Settings['dataReadCache']): LustreConfiguration['dataReadCache'] {
  if (setting === undefined) return undefined;
  if (setting === 'none') return { sizingMode: 'NO_CACHE' };
  if (setting === 'proportional') return { sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' };
  return { sizingMode: 'USER_PROVISIONED', sizeGiB: setting };
}

function metadata(setting: string | number | undefined): LustreConfiguration['metadata'] {
  if (setting === undefined) return undefined;
  return setting === 'automatic' ? { mode: 'AUTOMATIC' } : { mode: 'USER_PROVISIONED', iops: Number(setting) };
}

/** The benchmark's file system with the user's settings. Its own sizes and rates are dropped if the user's type does not support them. */
export function withSettings(lustre: LustreStorage, settings: Settings): LustreStorage {
  const merged = {
    ...lustre,
    ...omitUndefined({
      deploymentType: settings.deploymentType,
      storageType: settings.storageType,
      storageCapacityGiB: settings.storageCapacityGiB,
      perUnitStorageThroughput: settings.perUnitStorageThroughput,
      throughputCapacity: settings.throughputCapacity,
      metadata: metadata(settings.metadataIops),
      efaEnabled: settings.efa,
      driveCacheType: settings.driveCacheType,
      dataReadCache: readCache(settings.dataReadCache),
      version: settings.lustreVersion,
      weeklyMaintenanceStartTime: settings.weeklyMaintenanceStartTime,
      stripeCount: settings.stripeCount,
      logLevel: settings.logLevel,
      dataRepositories: repositories(settings.import),
    }),
  };
  const elastic = isElastic(merged);
  const type = typeOf(merged);
  const unrated = type !== null && perUnitsOf(type).length === 0;
  return {
    ...merged,
    storageCapacityGiB: elastic ? settings.storageCapacityGiB : merged.storageCapacityGiB,
    perUnitStorageThroughput: unrated ? settings.perUnitStorageThroughput : merged.perUnitStorageThroughput,
  };
}

/** One link per arm, in a directory used by nothing else. Nothing is exported, since the bucket may belong to others. */
function repositories(dataRepositoryPath: string | undefined): LustreConfiguration['dataRepositories'] {
  if (dataRepositoryPath === undefined) return undefined;
  return [{ fileSystemPath: '/data', dataRepositoryPath, importMetadataOnCreate: true }];
}

/** A value as it is set: `12000`, not the object that it becomes. */
function asSet(value: unknown): string {
  const { mode, iops, sizingMode, sizeGiB }: Readonly<Record<string, unknown>> = Object(value);
  if (mode === 'AUTOMATIC') return 'automatic';
  if (sizingMode === 'NO_CACHE') return 'none';
  if (sizingMode === 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY') return 'proportional';
  return shown(iops ?? sizeGiB ?? value);
}

/** A surface on which values are written as in settings. */
export const describeLustre = (names: Readonly<Record<string, string>>): Labels => labelsOf(names, asSet);

/** The settings for the properties of a file system, if their names differ. */
export const SETTING_WORDS = describeLustre({
  version: 'lustreVersion',
  metadata: 'metadataIops',
  efaEnabled: 'efa',
  dataRepositories: 'import',
  dataReadCache: 'dataReadCache',
});

/** MB/s per TiB that only HDD has. */
const OF_HDD = perUnitsOf(LUSTRE_TYPES.PERSISTENT_1_HDD);

const FORM =
  "a type with its MB/s per TiB and a capacity, such as 'PERSISTENT_2:500,12TiB' or 'SCRATCH_2,4800GiB', and perhaps metadata IOPS, such as 'PERSISTENT_2:500,12TiB,12000IOPS'";
const PATTERN = new RegExp(
  `^(${DEPLOYMENT_TYPES.join('|')})(?::(\\d{1,4}))?,(\\d{1,8}(?:\\.\\d{1,3})?)(TiB|GiB)(?:,(\\d{1,6}|automatic)IOPS)?$`,
);

type Match = readonly [
  ...[string, LustreConfiguration['deploymentType'], string | undefined, string, keyof typeof GIB],
  string | undefined,
];

/** `PERSISTENT_2:500,12TiB,12000IOPS`. What else a configuration has, such as its compression, stays as it is. */
export const lustreShorthand: Shorthand<LustreStorage> = {
  read(text, { perUnitStorageThroughput: _, driveCacheType: __, ...rest }) {
    const match = PATTERN.exec(text.trim()) as Match | null;
    if (match === null) throw new Error(`must be ${FORM}, got '${text}'`);
    const [, deploymentType, throughput, capacity, unit, iops] = match;
    const perUnit = throughput === undefined ? undefined : Number(throughput);
    const hdd = perUnit !== undefined && OF_HDD.includes(perUnit);
    const settings = {
      deploymentType,
      storageType: hdd ? 'HDD' : 'SSD',
      storageCapacityGiB: Math.round(Number(capacity) * GIB[unit]),
      ...(perUnit === undefined ? {} : { perUnitStorageThroughput: perUnit }),
      ...(hdd ? { driveCacheType: 'NONE' as const } : {}),
    } as const;
    const configuration: LustreStorage = {
      ...rest,
      ...settings,
      ...(iops !== undefined && { metadata: metadata(iops) }),
    };
    const [problem] = checkLustre(configuration).errors;
    if (problem !== undefined)
      throw new Error(
        `must be a configuration that AWS accepts, got '${text}': ${violationMessage(problem, SETTING_WORDS)}`,
      );
    return { configuration, settings: { ...settings, ...(iops === undefined ? {} : { metadataIops: iops }) } };
  },
  write({ deploymentType, perUnitStorageThroughput: perUnit, storageCapacityGiB, metadata }, whole = false) {
    if (storageCapacityGiB === undefined) return null;
    const iops = metadata?.mode === 'AUTOMATIC' ? 'automatic' : metadata?.iops;
    const own = whole && iops !== undefined ? `,${iops}IOPS` : '';
    return `${deploymentType}${perUnit === undefined ? '' : `:${perUnit}`},${storageCapacityGiB / GIB.TiB}TiB${own}`;
  },
};
