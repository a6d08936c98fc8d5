import { clientNetwork, limit, MBPS_PER_MIBPS } from '../kit/limits';
import type { Limit, LimitOptions } from '../slices/documented';
import type { EfsStorage } from './configuration';
import { BURSTING, ceilingsOf, PERFORMANCE_PAGE, READS_PER_METERED } from './documented';

/** Metered throughput that the mode gives, in MiB/s; `null` where nothing is metered but the bill. */
function meteredOf({ throughputMode, provisionedThroughputMiBps = 0 }: EfsStorage) {
  switch (throughputMode) {
    case 'elastic':
      return null;
    case 'provisioned':
      return { baseline: provisionedThroughputMiBps, burst: provisionedThroughputMiBps, why: 'provisioned' };
    case 'bursting': {
      const { leastMiBps: baseline, burstMiBps: burst, firstCreditsTiB } = BURSTING;
      return { baseline, burst, why: `an empty file system; burst while its ${firstCreditsTiB} TiB of credits last` };
    }
  }
}

/**
 * The ceilings of a file system and, where its clients are given, of the way to it.
 *
 * That of bursting is for an empty file system: each GiB that is stored adds 50 KiB/s, and how many there are only a run knows.
 */
export function limitsOf(configuration: EfsStorage, { mode = 'write', clients }: LimitOptions = {}): readonly Limit[] {
  const { [mode]: most, clientMiBps } = ceilingsOf(configuration);
  const limits = clientNetwork(clients);
  if (clients !== undefined) {
    const source = `${clientMiBps} MiB/s × ${clients.count} clients (${PERFORMANCE_PAGE})`;
    limits.push(limit('client_efs_path', source, clients.count * clientMiBps * MBPS_PER_MIBPS));
  }
  const regions = `${most.everywhere} MiB/s in every Region, ${most.most} MiB/s in some (${PERFORMANCE_PAGE})`;
  limits.push(limit('file_system', regions, most.everywhere * MBPS_PER_MIBPS, most.most * MBPS_PER_MIBPS));
  const metered = meteredOf(configuration);
  if (metered !== null) {
    const factor = (mode === 'read' ? READS_PER_METERED : 1) * MBPS_PER_MIBPS;
    const source = `${metered.why}${mode === 'read' ? `; reads count a ${READS_PER_METERED}rd` : ''} (${PERFORMANCE_PAGE})`;
    limits.push(limit('metered_throughput', source, metered.baseline * factor, metered.burst * factor));
  }
  return limits;
}
