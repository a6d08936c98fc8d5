import { flag, oneOfWords, type SettingsOf, whole } from '../../kit/field';
import { omitUndefined } from '../../kit/omitUndefined';
import { withProperties } from '../kit/settings';
import { AVAILABILITIES, type EfsStorage, PERFORMANCE_MODES, THROUGHPUT_MODES } from './configuration';
import { PROVISIONED_MIBPS } from './documented';

/** The context keys of a file system of EFS. */
export const EFS_SETTINGS = {
  efsThroughputMode: oneOfWords(
    THROUGHPUT_MODES,
    'Elastic and provisioned throughput depend on neither stored data nor burst credits.',
  ),
  efsProvisionedThroughput: whole(
    PROVISIONED_MIBPS.min,
    PROVISIONED_MIBPS.max,
    ' of MiB/s',
    "It goes with 'efsThroughputMode' provisioned.",
  ),
  efsAvailability: oneOfWords(AVAILABILITIES, 'One Zone keeps the data in the zone of the clients.'),
  efsPerformanceMode: oneOfWords(PERFORMANCE_MODES, 'AWS recommends general-purpose for all new file systems.'),
  efsEncrypted: flag('It cannot be changed later, and costs nothing.'),
} as const;

export const EFS_PROPERTIES = {
  efsThroughputMode: 'throughputMode',
  efsProvisionedThroughput: 'provisionedThroughputMiBps',
  efsAvailability: 'availability',
  efsPerformanceMode: 'performanceMode',
  efsEncrypted: 'encrypted',
} as const;

/** With the user's settings on it: another mode drops a throughput that was provisioned for the first. */
export function withSettings(
  { provisionedThroughputMiBps, ...configuration }: EfsStorage,
  settings: SettingsOf<typeof EFS_SETTINGS>,
): EfsStorage {
  const mode = settings.efsThroughputMode ?? configuration.throughputMode;
  const kept = mode === configuration.throughputMode ? omitUndefined({ provisionedThroughputMiBps }) : {};
  return withProperties<EfsStorage>(EFS_PROPERTIES)({ ...configuration, ...kept }, settings);
}
