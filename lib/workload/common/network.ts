import type { Operation } from '../operation';
import { DATA } from './operations';

/** assets/client/bin/network-baseline, on a client. */
export const NETWORK = '{bin}/network-baseline';

/** A transfer through the network that reaches no file system. */
export const networkOperation = (id: string, verb: 'write' | 'read', past: string): Operation => ({
  ...DATA,
  id,
  verb,
  past,
  makesData: false,
  cached: false,
});
