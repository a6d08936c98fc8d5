import type { Breach, StorageCheck } from '../slices/configuration';
import type { EfsStorage } from './configuration';
import { BURSTING, PROVISIONED_MIBPS } from './documented';

const isProvisionable = (value: number): boolean =>
  Number.isInteger(value) && value >= PROVISIONED_MIBPS.min && value <= PROVISIONED_MIBPS.max;

/** Errors for which AWS would refuse it, naming the settings. Source: EFS API reference, CreateFileSystem. */
function errorsOf({ throughputMode, provisionedThroughputMiBps, performanceMode, availability }: EfsStorage): Breach[] {
  const errors: Breach[] = [];
  const { min, max } = PROVISIONED_MIBPS;
  if (throughputMode !== 'provisioned' && provisionedThroughputMiBps !== undefined) {
    errors.push({
      id: 'fsxbench:efs-throughput-not-provisioned',
      message: `'efsProvisionedThroughput' must be absent with ${throughputMode} throughput, got ${provisionedThroughputMiBps}. Leave it out, or set 'efsThroughputMode' to provisioned.`,
    });
  }
  if (
    throughputMode === 'provisioned' &&
    (provisionedThroughputMiBps === undefined || !isProvisionable(provisionedThroughputMiBps))
  ) {
    errors.push({
      id: 'fsxbench:efs-provisioned-throughput',
      message: `'efsProvisionedThroughput' must be a whole number of MiB/s from ${min} to ${max} with provisioned throughput, got ${provisionedThroughputMiBps ?? 'nothing'}. The Region may allow less: aws service-quotas list-service-quotas --service-code elasticfilesystem`,
    });
  }
  if (performanceMode === 'max-io' && (throughputMode === 'elastic' || availability === 'one-zone')) {
    const other = throughputMode === 'elastic' ? 'elastic throughput' : 'One Zone';
    errors.push({
      id: 'fsxbench:efs-max-io',
      message: `'efsPerformanceMode' must be general-purpose with ${other}, got max-io. Leave it out.`,
    });
  }
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
function warningsOf({ throughputMode, performanceMode, encrypted = true }: EfsStorage): Breach[] {
  const warnings: Breach[] = [];
  if (throughputMode === 'bursting') {
    warnings.push({
      id: 'fsxbench:efs-burst-credits',
      message: `bursting throughput depends on credits: a new file system bursts until its ${BURSTING.firstCreditsTiB} TiB are spent and then falls to what its stored data earn, so a long run measures two file systems; watch BurstCreditBalance, or use elastic or provisioned throughput`,
    });
  }
  if (performanceMode === 'max-io') {
    warnings.push({
      id: 'fsxbench:efs-max-io-latency',
      message:
        'Max I/O has a higher latency for each operation; AWS recommends general-purpose for all new file systems',
    });
  }
  if (!encrypted) {
    warnings.push({
      id: 'fsxbench:efs-not-encrypted',
      message: 'the file system is not encrypted at rest, which cannot be changed later; it costs nothing',
    });
  }
  return warnings;
}

export function checkEfs(configuration: EfsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
