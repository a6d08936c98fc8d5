import { clientNetwork } from '../kit/network';
import type { Limit, LimitOptions } from '../storage';
import { type MountpointStorage, partMiBOf } from './configuration';
import { READ_PART_BYTES, REQUESTS_PAGE, REQUESTS_PER_SECOND } from './documented';

/**
 * What the requests carry that S3 takes from the start below one prefix, each a part of a large file; and the network of the clients, where
 * they are given. Small files are a request each, however small.
 */
export function limitsOf(
  configuration: MountpointStorage,
  { mode = 'write', clients }: LimitOptions = {},
): readonly Limit[] {
  const bytes = mode === 'write' ? partMiBOf(configuration) * 2 ** 20 : READ_PART_BYTES;
  const rate = (REQUESTS_PER_SECOND[mode] * bytes) / 1e6;
  return [
    ...clientNetwork(clients),
    {
      name: 'requests',
      baselineMBps: rate,
      burstMBps: rate,
      source: `${REQUESTS_PER_SECOND[mode]} requests/s below one prefix, each a part of ${bytes / 2 ** 20} MiB (${REQUESTS_PAGE})`,
    },
  ];
}
