import type { CandidatesCapability, Family } from '../candidates';
import { settingsBy } from '../kit/settings';
import { AVAILABILITIES, type EfsStorage } from './configuration';
import { PROVISIONED_MIBPS } from './documented';
import { EFS_PROPERTIES } from './settings';

const SERIES: Readonly<Record<(typeof AVAILABILITIES)[number], string>> = {
  regional: 'EFS Regional',
  'one-zone': 'EFS One Zone',
};

/**
 * The file systems of EFS that could be bought: with provisioned throughput in each size, and with elastic throughput. Bursting is none of
 * them, since its throughput follows from what happens to be stored.
 */
export const candidates: CandidatesCapability<EfsStorage> = {
  families: () =>
    AVAILABILITIES.flatMap((availability): Family<EfsStorage>[] => [
      {
        sizes: PROVISIONED_MIBPS.max - PROVISIONED_MIBPS.min + 1,
        at: (size) => ({
          kind: 'efs',
          throughputMode: 'provisioned',
          provisionedThroughputMiBps: PROVISIONED_MIBPS.min + size,
          availability,
        }),
      },
      { sizes: 1, at: () => ({ kind: 'efs', throughputMode: 'elastic', availability }) },
    ]),
  settings: settingsBy(EFS_PROPERTIES),
  series: Object.values(SERIES),
  seriesOf: ({ availability = 'regional' }) => SERIES[availability],
};
