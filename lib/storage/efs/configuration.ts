import * as z from 'zod';
import { omitUndefined } from '../../common/collections';
import { oneOfWords, type SettingsOf, whole } from '../../common/field';
import { type Findings, type Phrase, refusing } from '../../common/violation';
import type { Of } from '../../schema/document';
import { isWhole, sets, warnings, withProperties } from '../common/settings';
import { BURSTING, PROVISIONED_MIBPS } from './documented';

/** Location of the data: several zones, or the clients' alone. */
export const AVAILABILITIES = ['regional', 'one-zone'] as const;

/** Basis of the throughput: the bytes stored, the load, or a provisioned rate. */
const THROUGHPUT_MODES = ['bursting', 'elastic', 'provisioned'] as const;

const PERFORMANCE_MODES = ['general-purpose', 'max-io'] as const;

/** The configuration of an EFS file system. Valid combinations are checked separately. */
export const efsSchema = z.object({
  kind: z.literal('efs'),
  throughputMode: z.enum(THROUGHPUT_MODES),
  /** MiB/s; with `provisioned` only, and required there. */
  provisionedThroughputMiBps: z.number().optional(),
  /** @default regional */
  availability: z.enum(AVAILABILITIES).optional(),
  /** The performance mode of an existing file system: stacks use general-purpose. */
  performanceMode: z.enum(PERFORMANCE_MODES).optional(),
});
export type EfsStorage = Of<typeof efsSchema>;

/** In a line, for people: `EFS Regional, provisioned throughput 256 MiB/s`. */
export function describeEfs(configuration: EfsStorage): string {
  const { throughputMode, provisionedThroughputMiBps, availability = 'regional', performanceMode } = configuration;
  return [
    `EFS ${availability === 'regional' ? 'Regional' : 'One Zone'}`,
    `${throughputMode} throughput${provisionedThroughputMiBps === undefined ? '' : ` ${provisionedThroughputMiBps} MiB/s`}`,
    ...(performanceMode === 'max-io' ? ['Max I/O'] : []),
  ].join(', ');
}

export const EFS_SETTINGS = {
  efsThroughputMode: sets(
    'throughputMode',
    oneOfWords(THROUGHPUT_MODES, 'Elastic and provisioned throughput depend on neither stored data nor burst credits.'),
  ),
  efsProvisionedThroughput: sets(
    'provisionedThroughputMiBps',
    whole(PROVISIONED_MIBPS.min, PROVISIONED_MIBPS.max, ' of MiB/s', "It goes with 'efsThroughputMode' provisioned."),
  ),
  efsAvailability: sets(
    'availability',
    oneOfWords(AVAILABILITIES, 'One Zone keeps the data in the zone of the clients.'),
  ),
} as const;

/** With the user's settings on it: another mode drops a throughput that was provisioned for the first. */
export function withSettings(
  { provisionedThroughputMiBps, ...configuration }: EfsStorage,
  settings: SettingsOf<typeof EFS_SETTINGS>,
): EfsStorage {
  const mode = settings.efsThroughputMode ?? configuration.throughputMode;
  const kept = mode === configuration.throughputMode ? omitUndefined({ provisionedThroughputMiBps }) : {};
  return withProperties<EfsStorage>(EFS_SETTINGS)({ ...configuration, ...kept }, settings);
}

/** Errors for which AWS would refuse it, by property, and warnings about comparisons. Source: EFS API reference, CreateFileSystem. */
export function checkEfs(configuration: EfsStorage): Findings {
  const { throughputMode, provisionedThroughputMiBps: provisioned } = configuration;
  const { errors, refuse } = refusing(configuration, 'fsxbench:efs');
  const { min, max } = PROVISIONED_MIBPS;
  if (throughputMode !== 'provisioned' && provisioned !== undefined) {
    const next: Phrase = ({ name }) => `Leave it out, or set '${name('throughputMode')}' to provisioned.`;
    const conflict = `${throughputMode} throughput: it cannot be set`;
    refuse('throughput-not-provisioned', 'provisionedThroughputMiBps', { conflict }, next);
  }
  if (throughputMode === 'provisioned' && (provisioned === undefined || !isWhole(provisioned, PROVISIONED_MIBPS))) {
    const must = `a whole number of MiB/s from ${min} to ${max} with provisioned throughput`;
    const next = 'The Region may allow less: aws service-quotas list-service-quotas --service-code elasticfilesystem';
    refuse('provisioned-throughput', 'provisionedThroughputMiBps', must, next);
  }
  return {
    errors,
    warnings: warnings({
      'fsxbench:efs-burst-credits':
        throughputMode === 'bursting' &&
        `bursting throughput depends on credits: a new file system bursts until its ${BURSTING.firstCreditsTiB} TiB are spent and then falls to what its stored data earn, so a long run mixes two rates; watch BurstCreditBalance, or use elastic or provisioned throughput`,
    }),
  };
}
