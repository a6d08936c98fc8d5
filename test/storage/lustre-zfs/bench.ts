import type { LustreZfsStorage } from '../../../lib/storage/lustre-zfs/configuration';

/** The server of the LANL offload slides, as near as EC2 comes to it. */
export const STUDY: LustreZfsStorage = { kind: 'lustre-zfs', instanceType: 'i7ie.48xlarge', compression: 'off' };
