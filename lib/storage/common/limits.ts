import type { Limit, LimitOptions } from '../slices/documented';

/** A MiB/s in the MB/s (10^6) of all limits: EBS and EFS count in the former. */
export const MBPS_PER_MIBPS = 2 ** 20 / 1e6;

/** A limit; where no burst is promised, it is the same in one. */
export const limit = (name: string, source: string, baselineMBps: number, burstMBps = baselineMBps): Limit => ({
  name,
  baselineMBps,
  burstMBps,
  source,
});

/** The disks behind compression: each byte of theirs is `ratio` bytes of the clients. */
export const compressedDisk = ({ baselineMBps, burstMBps }: Limit, ratio: number, source: string): Limit =>
  limit('disk_compressed', source, baselineMBps * ratio, burstMBps * ratio);

/** Source of what instances have. */
const NETWORK_PAGE = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-network-bandwidth.html';

/** Network of so many machines, in Mbit/s each; `burst` lasts as long as its credits. */
interface Network {
  readonly count: number;
  readonly networkBaselineMbps: number;
  readonly networkBurstMbps?: number | undefined;
}

/**
 * The network of machines as a limit.
 *
 * @param of the machines, in words for people
 * @param share of its traffic that is useful: a half where each byte passes twice
 */
export function networkLimit(name: string, network: Network, of: string, share = 1): Limit {
  const { count, networkBaselineMbps, networkBurstMbps = networkBaselineMbps } = network;
  const MBps = (mbps: number) => (count * mbps * share) / 8;
  const source = `${networkBaselineMbps} Mbit/s × ${count} ${of} (${NETWORK_PAGE})`;
  return limit(name, source, MBps(networkBaselineMbps), MBps(networkBurstMbps));
}

/** The network of the clients; nothing where they are not known. */
export const clientNetwork = (clients: LimitOptions['clients']): Limit[] =>
  clients === undefined ? [] : [networkLimit('client_nic', clients, 'clients')];
