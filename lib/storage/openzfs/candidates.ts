import { type CandidatesCapability, dataGiB } from '../candidates';
import { settingsBy } from '../kit/settings';
import { DEPLOYMENT_TYPES, type OpenZfsStorage } from './configuration';
import { LEVELS, STORAGE_GIB } from './documented';
import { OPENZFS_PROPERTIES } from './settings';

const SERIES: Readonly<Record<OpenZfsStorage['deploymentType'], string>> = {
  SINGLE_AZ_2: 'OpenZFS Single-AZ 2',
  SINGLE_AZ_HA_2: 'OpenZFS Single-AZ 2 (HA)',
};

const CAPACITIES = [...LEVELS.keys()];

/** By throughput capacity. Compression is left out: what LZ4 saves in the records of FSx for Lustre says little about those of OpenZFS. */
export const candidates: CandidatesCapability<OpenZfsStorage> = {
  families: (need) =>
    DEPLOYMENT_TYPES.map((deploymentType) => ({
      sizes: CAPACITIES.length,
      at: (size) => ({
        kind: 'openzfs',
        deploymentType,
        storageCapacityGiB: Math.min(STORAGE_GIB.max, Math.max(STORAGE_GIB.min, Math.ceil(dataGiB(need)))),
        throughputMBps: CAPACITIES[size] as number,
      }),
    })),
  settings: settingsBy(OPENZFS_PROPERTIES),
  series: Object.values(SERIES),
  seriesOf: ({ deploymentType }) => SERIES[deploymentType],
};
