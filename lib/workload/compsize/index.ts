import type { Tool } from '../tool';
import { isCompsize, parseCompsize } from './text';

/** compsize: what Btrfs compressed. It measures space and is no workload. */
export const compsize: Tool = {
  id: 'compsize',
  output: { formats: [{ recognizes: isCompsize, parse: parseCompsize }] },
};
