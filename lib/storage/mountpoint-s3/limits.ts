import { clientNetwork, limit } from '../kit/limits';
import type { Limit, LimitOptions } from '../slices/documented';
import { type MountpointStorage, partMiBOf } from './configuration';
import { READ_PART_BYTES, REQUESTS_PAGE, REQUESTS_PER_SECOND } from './documented';

/**
 * Throughput of the request rate that S3 initially accepts per prefix, each request a part of a large file; and the clients' network, if
 * given. A small file takes a whole request, however small.
 */
export function limitsOf(
  configuration: MountpointStorage,
  { mode = 'write', clients }: LimitOptions = {},
): readonly Limit[] {
  const bytes = mode === 'write' ? partMiBOf(configuration) * 2 ** 20 : READ_PART_BYTES;
  const rate = REQUESTS_PER_SECOND[mode];
  const source = `${rate} requests/s below one prefix, each a part of ${bytes / 2 ** 20} MiB (${REQUESTS_PAGE})`;
  return [...clientNetwork(clients), limit('requests', source, (rate * bytes) / 1e6)];
}
