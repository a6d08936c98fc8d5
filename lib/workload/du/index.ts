import type { Tool } from '../tool';
import { isDu, parseDu } from './text';

/** du: apparent and allocated bytes. It measures space and is not a workload. */
export const du: Tool = {
  id: 'du',
  output: { formats: [{ recognizes: isDu, parse: parseDu }] },
};
