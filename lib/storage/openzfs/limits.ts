import { ratio as ratioWords } from '../../kit/format/units';
import { clientNetwork, compressedDisk, limit } from '../kit/limits';
import type { Limit, LimitOptions } from '../slices/documented';
import type { OpenZfsStorage } from './configuration';
import { LEVELS, PERFORMANCE_PAGE } from './documented';

/** The ceilings of the file server and its disks, which hold compressed data, and where the clients are given, of their network. */
export function limitsOf(
  { throughputMBps, compression = 'none' }: OpenZfsStorage,
  { clients, ratio = 1 }: LimitOptions = {},
): readonly Limit[] {
  const level = LEVELS.get(throughputMBps);
  if (level === undefined) return [];
  const limits = clientNetwork(clients);
  const source = `${throughputMBps} MB/s of throughput capacity (${PERFORMANCE_PAGE})`;
  const { networkMBps, diskMBps } = level;
  const disk = limit('disk', source, diskMBps.baseline, diskMBps.burst);
  limits.push(limit('server_network', source, networkMBps.baseline, networkMBps.burst), disk);
  if (compression !== 'none' && ratio !== 1)
    limits.push(compressedDisk(disk, ratio, `disk × ${ratioWords(ratio)}, the ratio of the data`));
  return limits;
}
