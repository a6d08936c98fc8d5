import { ratio as ratioWords } from '../../kit/format/units';
import { clientNetwork } from '../kit/network';
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
  const of = (name: string, { baseline, burst }: { readonly baseline: number; readonly burst: number }, times = 1) => ({
    ...{ name, baselineMBps: baseline * times, burstMBps: burst * times },
    source: times === 1 ? source : `disk × ${ratioWords(times)}, the ratio of the data`,
  });
  limits.push(of('server_network', level.networkMBps), of('disk', level.diskMBps));
  if (compression !== 'none' && ratio !== 1) limits.push(of('disk_compressed', level.diskMBps, ratio));
  return limits;
}
