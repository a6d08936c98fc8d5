import type { Tool } from '../tool';
import { isZfsGet, isZpoolIostat, parseZfsGet, parseZpoolIostat } from './text';

/** ZFS's commands about datasets and pools. Only their output is supported. */
export const zfsTools: Tool = {
  id: 'zfs-tools',
  output: {
    formats: [
      { recognizes: isZpoolIostat, parse: parseZpoolIostat },
      { recognizes: isZfsGet, parse: parseZfsGet },
    ],
    program: '(?:zfs|zpool)',
  },
};
