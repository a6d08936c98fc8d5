import type { ArmChoice, ArmDefinition, BenchmarkDefinition, Scale } from '../benchmark/definition';
import type { LustreConfiguration, LustreStorage } from '../storage/lustre/configuration';
import { checkLustre } from '../storage/lustre/rules';
import { serversOf } from '../storage/lustre/servers';
import type { Settings } from './fields';
import { nearest } from './nearest';
import { ConfigurationError } from './problem';

/**
 * Arms of one stack at most: with fourteen, and as many metadata servers as there may be, alarms and rules stay below CloudFormation's 500
 * resources, and what describes them below the 8,192 bytes of a parameter.
 */
export const MOST_ARMS = 14;

/** Metadata targets of one stack at most: its dashboard draws 19 lines for each, and CloudWatch 2,500 metrics on a dashboard. */
export const MOST_METADATA_TARGETS = 62;

/** Drops the keys whose value is `undefined`, so that spreading doesn't overwrite. */
function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}

function readCache(setting: Settings['dataReadCache']): LustreConfiguration['dataReadCache'] {
  if (setting === undefined) return undefined;
  if (setting === 'none') return { sizingMode: 'NO_CACHE' };
  if (setting === 'proportional') return { sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' };
  return { sizingMode: 'USER_PROVISIONED', sizeGiB: setting };
}

function metadata(setting: Settings['metadataIops']): LustreConfiguration['metadata'] {
  if (setting === undefined) return undefined;
  return setting === 'automatic' ? { mode: 'AUTOMATIC' } : { mode: 'USER_PROVISIONED', iops: setting };
}

/**
 * The benchmark's own file system with the user's settings on it. A size or a rate that comes from the definition, not from
 * the user, is dropped where the type that the user chose cannot have it: there is one right answer.
 */
function withSettings(lustre: LustreStorage, settings: Settings): LustreStorage {
  const merged = {
    ...lustre,
    ...defined({
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
      customerManagedKey: settings.customerManagedKey,
      backups: settings.backupRetentionDays === undefined ? undefined : { retentionDays: settings.backupRetentionDays },
      weeklyMaintenanceStartTime: settings.weeklyMaintenanceStartTime,
      logLevel: settings.logLevel,
      dataRepositories: repositories(settings.dataRepository),
    }),
  };
  const elastic = merged.storageType === 'INTELLIGENT_TIERING';
  const unrated = elastic || merged.deploymentType === 'SCRATCH_2';
  return {
    ...merged,
    storageCapacityGiB: elastic ? settings.storageCapacityGiB : merged.storageCapacityGiB,
    perUnitStorageThroughput: unrated ? settings.perUnitStorageThroughput : merged.perUnitStorageThroughput,
  };
}

/** One link an arm, whose directory nothing else uses. Nothing is written back: the bucket may be somebody else's. */
function repositories(dataRepositoryPath: string | undefined): LustreConfiguration['dataRepositories'] {
  if (dataRepositoryPath === undefined) return undefined;
  return [{ fileSystemPath: '/data', dataRepositoryPath, importMetadataOnCreate: true }];
}

/** Arms that differ in metadata are chosen by these settings, not changed by them: an arm is what its name says. */
function chosen(settings: Settings): ArmChoice {
  const { metadataIops, metadataIopsSweep, perUnitStorageThroughput, storageType } = settings;
  if (metadataIops !== undefined && metadataIopsSweep !== undefined) {
    throw new ConfigurationError([
      `'metadataIops' must be absent with 'metadataIopsSweep', got ${metadataIops}. Put it into the sweep.`,
    ]);
  }
  return {
    ...(storageType === 'INTELLIGENT_TIERING' && { elastic: true }),
    ...(perUnitStorageThroughput !== undefined && { throughputs: [perUnitStorageThroughput] }),
    ...(metadataIops !== undefined && { metadataIops: [metadataIops] }),
    ...(metadataIopsSweep !== undefined && { metadataIops: [...new Set(metadataIopsSweep)] }),
  };
}

function candidates(definition: BenchmarkDefinition, scale: Scale, settings: Settings): readonly ArmDefinition[] {
  if (definition.choosesMetadata) {
    const { metadataIops: _, perUnitStorageThroughput: __, ...common } = settings;
    return definition
      .arms(scale, chosen(settings))
      .map((arm) => ({ ...arm, storage: withSettings(arm.storage as LustreStorage, common) }));
  }
  if (settings.metadataIopsSweep !== undefined) {
    throw new ConfigurationError([
      `'metadataIopsSweep' must be absent with ${definition.name}, got ${JSON.stringify(settings.metadataIopsSweep)}. ` +
        'It makes arms of a benchmark that compares metadata IOPS, such as MetadataBench.',
    ]);
  }
  return definition
    .arms(scale)
    .map((arm) => ({ ...arm, storage: withSettings(arm.storage as LustreStorage, settings) }));
}

function subset(arms: readonly ArmDefinition[], wanted: Settings['arms']): readonly ArmDefinition[] {
  if (wanted === undefined) return arms;
  const names = arms.map(({ name }) => name);
  const problems = wanted
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearest(name, names);
      const step =
        meant === undefined ? "Other metadata IOPS come with 'metadataIopsSweep'." : `Did you mean '${meant}'?`;
      return `'arms' must be of ${names.join(', ')}, got "${name}". ${step}`;
    });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return arms.filter(({ name }) => wanted.includes(name));
}

/** The settings behind the properties of a file system, where their names differ. */
const SETTING_OF: Readonly<Record<string, string>> = {
  version: 'lustreVersion',
  metadata: 'metadataIops',
  'metadata.mode': 'metadataIops',
  'metadata.iops': 'metadataIops',
  efaEnabled: 'efa',
  'dataReadCache.sizingMode': 'dataReadCache',
  'dataReadCache.sizeGiB': 'dataReadCache',
  backups: 'backupRetentionDays',
  'backups.retentionDays': 'backupRetentionDays',
  dataRepositories: 'dataRepository',
};

/** A metadata configuration as a user writes it: `12000`, not the object that becomes of it. */
function asSet(message: string): string {
  return message
    .replace(/\{"mode":"USER_PROVISIONED","iops":(\d+)\}/, '$1')
    .replace(/\{"mode":"AUTOMATIC"\}/, 'automatic');
}

/** The arms as the settings make them; none that AWS would refuse. @throws ConfigurationError */
export function armsOf(definition: BenchmarkDefinition, scale: Scale, settings: Settings): readonly ArmDefinition[] {
  const arms = subset(candidates(definition, scale, settings), settings.arms);
  const problems = arms.flatMap(({ storage }) =>
    checkLustre(storage as LustreStorage).errors.map(({ id, message }) => {
      const inSettings = message.replaceAll(/'([A-Za-z.]+)'/g, (quoted, name) =>
        SETTING_OF[name] === undefined ? quoted : `'${SETTING_OF[name]}'`,
      );
      return `${asSet(inSettings)} [${id}]`;
    }),
  );
  if (arms.length > MOST_ARMS) {
    problems.push(
      `'metadataIopsSweep' must make at most ${MOST_ARMS} arms, got ${arms.length}. ` +
        "Set 'perUnitStorageThroughput' for one tier of throughput, or choose with 'arms'.",
    );
  }
  const targets = arms.reduce((sum, { storage }) => sum + (serversOf(storage as LustreStorage)?.mds ?? 0), 0);
  if (targets > MOST_METADATA_TARGETS) {
    problems.push(
      `'metadataIopsSweep' must need at most ${MOST_METADATA_TARGETS} metadata servers in all (one for each 12000 IOPS of an arm), got ${targets}. ` +
        "Choose fewer of the large ones with 'arms'.",
    );
  }
  // What is wrong with several arms is said once.
  if (problems.length > 0) throw new ConfigurationError([...new Set(problems)]);
  return arms;
}
