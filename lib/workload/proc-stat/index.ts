import type { Tool } from '../tool';
import { isProcStat, parseProcStat } from './text';

/** The kernel's account of processor time. Only its output is supported. */
export const procStat: Tool = {
  id: 'proc-stat',
  output: { formats: [{ recognizes: isProcStat, parse: parseProcStat }], program: '/proc/stat' },
};
