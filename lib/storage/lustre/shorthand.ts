import { breachMessage } from '../../kit/breach';
import type { Shorthand } from '../slices/configuration';
import type { LustreConfiguration, LustreStorage } from './configuration';
import { GIB } from './documented';
import { checkLustre } from './rules';
import { SETTING_WORDS } from './settings';

/** MB/s per TiB that only HDD has (FSx API reference, PerUnitStorageThroughput). */
const OF_HDD: readonly number[] = [12, 40];

const FORM =
  "a type with its MB/s per TiB and a capacity, such as 'PERSISTENT_2:500,12TiB' or 'SCRATCH_2,4800GiB', and perhaps metadata IOPS, such as 'PERSISTENT_2:500,12TiB,12000IOPS'";
const PATTERN =
  /^(SCRATCH_2|PERSISTENT_1|PERSISTENT_2)(?::(\d{1,4}))?,(\d{1,8}(?:\.\d{1,3})?)(TiB|GiB)(?:,(\d{1,6}|automatic)IOPS)?$/;

type Match = readonly [
  ...[string, LustreConfiguration['deploymentType'], string | undefined, string, keyof typeof GIB],
  string | undefined,
];

/** `PERSISTENT_2:500,12TiB,12000IOPS`. What else a configuration has, such as its compression, stays as it is. */
export const lustreShorthand: Shorthand<LustreStorage> = {
  form: FORM,
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
    const configuration: LustreStorage = { ...rest, ...settings, ...metadataOf(iops) };
    const [problem] = checkLustre(configuration).errors;
    if (problem !== undefined)
      throw new Error(
        `must be a configuration that AWS accepts, got '${text}': ${breachMessage(problem, SETTING_WORDS)}`,
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

function metadataOf(iops: string | undefined): Pick<LustreConfiguration, 'metadata'> {
  if (iops === undefined) return {};
  return { metadata: iops === 'automatic' ? { mode: 'AUTOMATIC' } : { mode: 'USER_PROVISIONED', iops: Number(iops) } };
}
