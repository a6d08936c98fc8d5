import { omitUndefined } from '../../common/collections';
import { oneOfWords } from '../../common/field';
import { renamed } from '../../common/violation';
import type { LustreStorage } from '../../storage/lustre/configuration';
import { LUSTRE_SETTINGS, SETTING_WORDS, withSettings } from '../../storage/lustre/settings';
import { DEPLOYMENT_TYPES } from '../../storage/lustre/types';
import { UsageError } from '../context';
import type { ConfigurationOptions } from '../input/configurationOptions';
import { quantity } from '../input/quantity';

const FLAGS = {
  deployment: 'deploymentType',
  storageType: 'storageType',
  perUnit: 'perUnitStorageThroughput',
  capacity: 'storageCapacityGiB',
  throughputCapacity: 'throughputCapacity',
  driveCache: 'driveCacheType',
  readCache: 'dataReadCache',
  metadataIops: 'metadataIops',
  efa: 'efa',
} as const;

/** Arms compare compression, so it has no setting. */
const COMPRESSION = oneOfWords(['NONE', 'LZ4']);

const typed = (flag: string): string => `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Options of `fsxbench predict` that describe an FSx for Lustre file system: its settings and its compression. */
export const lustreOptions: ConfigurationOptions = {
  configurationOf(flags) {
    if (flags.deployment === undefined)
      throw new UsageError(
        `--deployment is missing: choose one of ${DEPLOYMENT_TYPES.join(', ')}, such as --deployment PERSISTENT_2`,
      );
    const settings = Object.entries(FLAGS).map(
      ([flag, key]) => [key, quantity<unknown>(typed(flag), flags[flag], LUSTRE_SETTINGS[key])] as const,
    );
    const dataCompressionType = quantity('--compression', flags.compression, COMPRESSION);
    return omitUndefined({ ...withSettings(NOTHING, Object.fromEntries(settings)), dataCompressionType });
  },
  words: renamed(SETTING_WORDS, Object.fromEntries(Object.entries(FLAGS).map(([flag, key]) => [key, typed(flag)]))),
};

/** Before any flag. */
const NOTHING = { kind: 'lustre', storageType: 'SSD' } as LustreStorage;
