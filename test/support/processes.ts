import { statOf } from '../../lib/common/processIdentity';

/** Still there, and not merely waiting to be reaped. */
export const alive = (pid: number): boolean => statOf(pid) !== null;
