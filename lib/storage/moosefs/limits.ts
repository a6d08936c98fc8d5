import { instanceType } from '../../fleet/instanceTypes';
import { GP3_PAGE, gp3Of } from '../kit/gp3';
import { clientNetwork, networkLimit } from '../kit/network';
import type { Limit, LimitOptions } from '../slices/documented';
import { type MooseFsStorage, resolved, volumeOf, volumesOf } from './configuration';

const MBPS_PER_MIBPS = 2 ** 20 / 1e6;
const EBS_PAGE = 'https://docs.aws.amazon.com/ebs/latest/userguide/ebs-optimized.html';

/**
 * The ceilings of the servers together and, where the clients are given, of the way to them. Whatever a client writes, each chunkserver
 * that gets a copy receives and stores: `copies` of it in all, one of which comes from the client and the others from chunkserver to
 * chunkserver (MooseFS manual, chapter on writing). A read is served by one.
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
  const disk = (gp3Of(volumeOf(configuration)).throughputMiBps * MBPS_PER_MIBPS * volumesOf(configuration)) / written;
  return [
    ...clientNetwork(clients),
    networkLimit('server_network', { ...info, count: chunkservers }, `${type}${each}`, 1 / written),
    {
      name: 'server_ebs',
      baselineMBps: (chunkservers * ebsBaselineMBps) / written,
      burstMBps: (chunkservers * ebsBurstMBps) / written,
      source: `${ebsBaselineMBps} MB/s × ${chunkservers} ${type}${each} (${EBS_PAGE})`,
    },
    {
      name: 'disk',
      baselineMBps: disk,
      burstMBps: disk,
      source: `${gp3Of(volumeOf(configuration)).throughputMiBps} MiB/s × ${volumesOf(configuration)} gp3${each} (${GP3_PAGE})`,
    },
  ];
}
