import { instanceTypeField, oneOfWords, whole } from '../../kit/field';
import { IN_GIB } from '../../kit/quantity';
import { DEVICE_NAMES, GP3 } from '../kit/gp3';
import { ENGINES } from './configuration';

/** A volume takes a device name of its server. */
export const MOST_VOLUMES = DEVICE_NAMES;

/** Smaller ones cost next to nothing, and MooseFS keeps some of each free. */
export const VOLUME_GIB = { min: 10, max: GP3.sizeGiB.max } as const;

/** Fewer than 62 keep a dashboard's graphs readable; MooseFS itself has no such limit. */
export const MOST_CHUNKSERVERS = 40;

/** Most copies that mfssetgoal accepts. */
const MOST_COPIES = 9;

/** The context keys of a MooseFS. */
export const MOOSEFS_SETTINGS = {
  moosefsEngine: oneOfWords(ENGINES, 'Servers and clients build the release from its pinned sources.'),
  moosefsChunkservers: whole(1, MOST_CHUNKSERVERS, '', 'Each is an instance with volumes of its own.'),
  moosefsInstanceType: instanceTypeField('c5.2xlarge', 'It bounds what a chunkserver moves to clients and to EBS.'),
  moosefsMasterInstanceType: instanceTypeField('c5.2xlarge', 'Metadata are in its memory, and one thread serves them.'),
  moosefsVolumesPerServer: whole(1, MOST_VOLUMES, '', 'A chunkserver spreads chunks over its volumes.'),
  moosefsVolumeGiB: whole(VOLUME_GIB.min, VOLUME_GIB.max, ' of GiB', 'It is the size of each gp3 volume.', IN_GIB),
  moosefsVolumeIops: whole(GP3.iops.min, GP3.iops.max, '', 'The price of gp3 includes 3,000.'),
  moosefsVolumeThroughput: whole(
    GP3.throughputMiBps.min,
    GP3.throughputMiBps.max,
    ' of MiB/s',
    'The price of gp3 includes 125.',
  ),
  moosefsCopies: whole(1, MOST_COPIES, '', 'Each copy is on another chunkserver.'),
} as const;

export const MOOSEFS_PROPERTIES = {
  moosefsEngine: 'engine',
  moosefsChunkservers: 'chunkservers',
  moosefsInstanceType: 'instanceType',
  moosefsMasterInstanceType: 'masterInstanceType',
  moosefsVolumesPerServer: 'volumesPerServer',
  moosefsVolumeGiB: 'volumeGiB',
  moosefsVolumeIops: 'volumeIops',
  moosefsVolumeThroughput: 'volumeThroughputMiBps',
  moosefsCopies: 'copies',
} as const;
