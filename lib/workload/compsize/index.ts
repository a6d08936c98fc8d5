import type { Tool } from '../tool';
import { isCompsize, parseCompsize } from './text';

/** compsize, the compression report of Btrfs. It measures space and is not a workload. */
export const compsize: Tool = {
  id: 'compsize',
  output: { formats: [{ recognizes: isCompsize, parse: parseCompsize }] },
};
