import { compressedDisk, limit, MBPS_PER_MIBPS } from '../common/limits';
import type { Limit, LimitOptions } from '../slices/documented';
import { describeEbs, type EbsStorage } from './configuration';
import { DOCUMENTED, throughputOf } from './documented';

/** The volumes, and the instance's own way to EBS, which they share. The client compresses, so both carry compressed data. */
export function limitsOf(configuration: EbsStorage, { clients, ratio = 1 }: LimitOptions = {}): readonly Limit[] {
  const { compression = 'none', volumeType, volumes = 1 } = configuration;
  const { baseline, burst } = throughputOf(configuration);
  const times = compression === 'none' ? 1 : ratio;
  const { ebsBaselineMBps, ebsBurstMBps = ebsBaselineMBps } = clients ?? {};
  const path = `EC2: ${ebsBaselineMBps} MB/s to EBS, ${ebsBurstMBps} in a burst${by(times)} (https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-type-specifications.html)`;
  const source = `${describeEbs(configuration)}: ${baseline} MiB/s${burst > baseline ? `, ${burst} in a burst,` : ''} a volume (${DOCUMENTED[volumeType].page})`;
  const disk = limit('disk', source, volumes * baseline * MBPS_PER_MIBPS, volumes * burst * MBPS_PER_MIBPS);
  return [
    ...(ebsBaselineMBps !== undefined && ebsBurstMBps !== undefined
      ? [limit('client_ebs_path', path, ebsBaselineMBps * times, ebsBurstMBps * times)]
      : []),
    disk,
    ...(times === 1 ? [] : [compressedDisk(disk, times, `disk${by(times)}`)]),
  ];
}

const by = (times: number): string => (times === 1 ? '' : ` × ${times}, the ratio of the data`);
