import { type Breach, type Phrase, refusing } from '../../kit/breach';
import { isWhole, warnings } from '../kit/rules';
import type { StorageCheck, Warning } from '../slices/configuration';
import type { EfsStorage } from './configuration';
import { BURSTING, PROVISIONED_MIBPS } from './documented';

/** Errors for which AWS would refuse it, by property. Source: EFS API reference, CreateFileSystem. */
function errorsOf(configuration: EfsStorage): Breach[] {
  const { throughputMode, provisionedThroughputMiBps: provisioned, performanceMode, availability } = configuration;
  const { errors, refuse } = refusing(configuration, 'fsxbench:efs');
  const { min, max } = PROVISIONED_MIBPS;
  if (throughputMode !== 'provisioned' && provisioned !== undefined) {
    const next: Phrase = ({ name }) => `Leave it out, or set '${name('throughputMode')}' to provisioned.`;
    const must = `absent with ${throughputMode} throughput`;
    refuse('throughput-not-provisioned', 'provisionedThroughputMiBps', must, next);
  }
  if (throughputMode === 'provisioned' && (provisioned === undefined || !isWhole(provisioned, PROVISIONED_MIBPS))) {
    const must = `a whole number of MiB/s from ${min} to ${max} with provisioned throughput`;
    const next = 'The Region may allow less: aws service-quotas list-service-quotas --service-code elasticfilesystem';
    refuse('provisioned-throughput', 'provisionedThroughputMiBps', must, next);
  }
  if (performanceMode === 'max-io' && (throughputMode === 'elastic' || availability === 'one-zone')) {
    const other = throughputMode === 'elastic' ? 'elastic throughput' : 'One Zone';
    refuse('max-io', 'performanceMode', `general-purpose with ${other}`, 'Leave it out.');
  }
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
const warningsOf = ({ throughputMode, performanceMode, encrypted = true }: EfsStorage): Warning[] =>
  warnings('fsxbench:efs', {
    'burst-credits':
      throughputMode === 'bursting' &&
      `bursting throughput depends on credits: a new file system bursts until its ${BURSTING.firstCreditsTiB} TiB are spent and then falls to what its stored data earn, so a long run measures two file systems; watch BurstCreditBalance, or use elastic or provisioned throughput`,
    'max-io-latency':
      performanceMode === 'max-io' &&
      'Max I/O has a higher latency for each operation; AWS recommends general-purpose for all new file systems',
    'not-encrypted':
      !encrypted && 'the file system is not encrypted at rest, which cannot be changed later; it costs nothing',
  });

export function checkEfs(configuration: EfsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
