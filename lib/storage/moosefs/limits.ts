import { instanceType } from '../../fleet/instanceTypes';
import { GP3_PAGE, gp3Of } from '../kit/gp3';
import type { Limit, LimitOptions } from '../storage';
import { type MooseFsStorage, resolved, volumeOf, volumesOf } from './configuration';

const MBPS_PER_MIBPS = 2 ** 20 / 1e6;
const NETWORK_PAGE = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-network-bandwidth.html';
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
  const limits: Limit[] = [];
  if (clients !== undefined) {
    const { count, networkBaselineMbps, networkBurstMbps = networkBaselineMbps } = clients;
    limits.push({
      name: 'client_nic',
      baselineMBps: (count * networkBaselineMbps) / 8,
      burstMBps: (count * networkBurstMbps) / 8,
      source: `EC2: ${networkBaselineMbps} Mbit/s × ${count}`,
    });
  }
  const { networkBaselineMbps, networkBurstMbps = networkBaselineMbps } = info;
  const { ebsBaselineMBps, ebsBurstMBps = ebsBaselineMBps } = info;
  const disk = (gp3Of(volumeOf(configuration)).throughputMiBps * MBPS_PER_MIBPS * volumesOf(configuration)) / written;
  return [
    ...limits,
    {
      name: 'server_network',
      baselineMBps: (chunkservers * networkBaselineMbps) / 8 / written,
      burstMBps: (chunkservers * networkBurstMbps) / 8 / written,
      source: `${networkBaselineMbps} Mbit/s × ${chunkservers} ${type}${each} (${NETWORK_PAGE})`,
    },
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
