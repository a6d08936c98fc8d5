import type { StandIn } from '../standIn';

/** Mountpoint itself, where this machine has it, on a bucket of the emulator: what it can and cannot do is real, no rate is. */
export const MOUNTPOINT_ON_EMULATOR: StandIn = {
  name: 'mountpoint-s3',
  label: 'Mountpoint for Amazon S3 on an emulated bucket',
  filesystem: 'fuse',
  actually: 'Mountpoint for Amazon S3 on a bucket of moto, an emulator in Python',
  program: { path: 'storage/mountpoint-s3/lab/stand-in', variables: {} },
};
