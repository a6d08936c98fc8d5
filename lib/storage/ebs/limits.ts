import type { Limit, LimitOptions } from '../slices/documented';
import { describeEbs, type EbsStorage } from './configuration';
import { DOCUMENTED, MBPS_PER_MIBPS, throughputOf } from './documented';

/**
 * The volumes, and the instance's own way to EBS, which they share. The client compresses, so both carry
 * compressed data.
 */
export function limitsOf(configuration: EbsStorage, { clients, ratio = 1 }: LimitOptions = {}): readonly Limit[] {
  const { compression = 'none', volumeType, volumes = 1 } = configuration;
  const { baseline, burst } = throughputOf(configuration);
  const times = compression === 'none' ? 1 : ratio;
  const limits: Limit[] = [];
  const { ebsBaselineMBps, ebsBurstMBps = ebsBaselineMBps } = clients ?? {};
  if (ebsBaselineMBps !== undefined && ebsBurstMBps !== undefined)
    limits.push({
      name: 'client_ebs_path',
      baselineMBps: ebsBaselineMBps * times,
      burstMBps: ebsBurstMBps * times,
      source: `EC2: ${ebsBaselineMBps} MB/s to EBS, ${ebsBurstMBps} in a burst${by(times)} (https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-type-specifications.html)`,
    });
  const disk: Limit = {
    name: 'disk',
    baselineMBps: volumes * baseline * MBPS_PER_MIBPS,
    burstMBps: volumes * burst * MBPS_PER_MIBPS,
    source: `${describeEbs(configuration)}: ${baseline} MiB/s${burst > baseline ? `, ${burst} in a burst,` : ''} a volume (${DOCUMENTED[volumeType].page})`,
  };
  limits.push(disk);
  if (times !== 1)
    limits.push({
      name: 'disk_compressed',
      baselineMBps: disk.baselineMBps * times,
      burstMBps: disk.burstMBps * times,
      source: `disk${by(times)}`,
    });
  return limits;
}

const by = (times: number): string => (times === 1 ? '' : ` × ${times}, the ratio of the data`);
