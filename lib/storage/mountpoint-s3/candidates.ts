import type { CandidatesCapability } from '../candidates';
import { settingsBy } from '../kit/settings';
import { describeMountpoint, type MountpointStorage } from './configuration';
import { checkMountpoint } from './rules';
import { S3_PROPERTIES } from './settings';

/** One bucket: it has no size, and what its requests cost depends on the files. */
export const candidates: CandidatesCapability<MountpointStorage> = {
  families: () => [{ sizes: 1, at: () => ({ kind: 'mountpoint-s3' }) }],
  // What programs lack there decides more than any rate.
  caveats: (configuration) => checkMountpoint(configuration).warnings,
  settings: settingsBy(S3_PROPERTIES),
  words: (configuration) => `${describeMountpoint(configuration)}, not POSIX`,
  series: ['S3'],
  seriesOf: () => 'S3',
};
