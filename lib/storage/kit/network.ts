import type { Limit, LimitOptions } from '../slices/documented';

/** Source of what instances have. */
export const NETWORK_PAGE = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-network-bandwidth.html';

/** Network of so many machines, in Mbit/s each; `burst` lasts as long as its credits. */
interface Network {
  readonly count: number;
  readonly networkBaselineMbps: number;
  readonly networkBurstMbps?: number | undefined;
}

/**
 * The network of machines as a limit.
 *
 * @param of what the machines are, for people
 * @param share of what it carries that does work: a half where each byte passes twice
 */
export function networkLimit(name: string, network: Network, of: string, share = 1): Limit {
  const { count, networkBaselineMbps, networkBurstMbps = networkBaselineMbps } = network;
  return {
    name,
    baselineMBps: (count * networkBaselineMbps * share) / 8,
    burstMBps: (count * networkBurstMbps * share) / 8,
    source: `${networkBaselineMbps} Mbit/s × ${count} ${of} (${NETWORK_PAGE})`,
  };
}

/** The network of the clients; nothing where they are not known. */
export const clientNetwork = (clients: LimitOptions['clients']): Limit[] =>
  clients === undefined ? [] : [networkLimit('client_nic', clients, 'clients')];
