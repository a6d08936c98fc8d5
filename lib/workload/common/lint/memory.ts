import type { LintedTool } from './rule';
import { humanBytes } from './size';

/** Memory that may answer in the place of the storage, as far as it is known. */
interface CacheMemory {
  readonly bytes: number;
  /** `the 126 GiB of server memory`. */
  readonly words: string;
}

/**
 * The memory of clients and servers; `null` where none is known.
 *
 * @param direct O_DIRECT passes the clients' memory by, but not the servers'
 */
export function cacheMemory(
  { clients = 1, clientMemoryBytes, serverMemoryBytes }: LintedTool['context'],
  direct: boolean,
): CacheMemory | null {
  const known = [
    ...(direct || clientMemoryBytes === undefined ? [] : [{ whose: 'client', bytes: clients * clientMemoryBytes }]),
    ...(serverMemoryBytes === undefined ? [] : [{ whose: 'server', bytes: serverMemoryBytes }]),
  ];
  if (known.length === 0) return null;
  const bytes = known.reduce((sum, one) => sum + one.bytes, 0);
  return { bytes, words: `the ${humanBytes(bytes)} of ${known.map(({ whose }) => whose).join(' and ')} memory` };
}
