import { instanceType } from '../../fleet/instanceTypes';
import { GP3_PAGE, gp3Of } from '../common/gp3';
import { clientNetwork, limit, MBPS_PER_MIBPS, networkLimit } from '../common/limits';
import type { Limit, LimitOptions } from '../slices/documented';
import { type MooseFsStorage, resolved, volumeOf, volumesOf } from './configuration';

const EBS_PAGE = 'https://docs.aws.amazon.com/ebs/latest/userguide/ebs-optimized.html';

/**
 * The limits of the servers together and, with given clients, of the way to them. Data that a client writes are received and
 * stored `copies` times: once from the client, then from chunkserver to chunkserver (MooseFS manual, chapter on writing). One server
 * serves a read.
 *
 * Nobody documents what MooseFS itself can do; its master has no limit here.
 */
export function limitsOf(
  configuration: MooseFsStorage,
  { mode = 'write', clients }: LimitOptions = {},
): readonly Limit[] {
  const { chunkservers, copies, instanceType: type } = resolved(configuration);
  const info = instanceType(type);
  if (info === null) return [];
  const written = mode === 'write' ? copies : 1;
  const each = written === 1 ? '' : ` ÷ ${written} copies`;
  const { ebsBaselineMBps, ebsBurstMBps = ebsBaselineMBps } = info;
  const volumes = volumesOf(configuration);
  const { throughputMiBps } = gp3Of(volumeOf(configuration));
  return [
    ...clientNetwork(clients),
    networkLimit('server_network', { ...info, count: chunkservers }, `${type}${each}`, 1 / written),
    limit(
      'server_ebs',
      `${ebsBaselineMBps} MB/s × ${chunkservers} ${type}${each} (${EBS_PAGE})`,
      (chunkservers * ebsBaselineMBps) / written,
      (chunkservers * ebsBurstMBps) / written,
    ),
    limit(
      'disk',
      `${throughputMiBps} MiB/s × ${volumes} gp3${each} (${GP3_PAGE})`,
      (throughputMiBps * MBPS_PER_MIBPS * volumes) / written,
    ),
  ];
}
