import type { Tool } from '../tool';
import { isZfsGet, isZpoolIostat, parseZfsGet, parseZpoolIostat } from './text';

/** What ZFS says of its datasets and pools. Only its output is supported. */
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
