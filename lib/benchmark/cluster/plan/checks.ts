import { bytes } from '../../../kit/format/units';
import type { Check } from '../../plan';

/** The study's 64 MiB of a process are 18 GiB on 8 nodes with 1.5 TiB of memory: what is read was never away. */
export const studyFitsInMemory: Check = ({ fleet, parameters, surroundings }) => {
  const { clientMemoryBytes } = surroundings;
  const { ranksPerClient } = parameters;
  if (clientMemoryBytes === undefined || typeof ranksPerClient !== 'number') return null;
  const moved = ranksPerClient * 64 * 2 ** 20;
  if (moved > clientMemoryBytes) return null;
  return {
    id: 'study-fits-in-memory',
    severity: 'note',
    message:
      'The study’s command moves so little that it fits into the memory of the clients and of the servers: it measures caches, and ends within seconds.',
    expected: `more than ${bytes(clientMemoryBytes)} on each of ${fleet.clients} nodes`,
    actual: `${bytes(moved)} on each`,
    suggestion: 'the plan scaling, which moves what is valid',
  };
};
