import * as z from 'zod';
import { field, numeric, oneOfWords, type SettingsOf } from '../../kit/field';
import { DEVICE_NAMES, GP3 } from '../kit/gp3';
import { ENGINES, type MooseFsStorage } from './configuration';

const whole = (min: number, max: number, of: string, next: string) =>
  field(numeric(z.number().int().min(min).max(max)), `a whole number${of} from ${min} to ${max}`, next);

const type = (next: string) =>
  field(z.string().regex(/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/), 'an instance type such as c5.2xlarge', next);

/** A volume takes a device name of its server. */
export const MOST_VOLUMES = DEVICE_NAMES;

/** Smaller ones cost next to nothing, and MooseFS keeps some of each free. */
export const VOLUME_GIB = { min: 10, max: GP3.sizeGiB.max } as const;

/** Fewer than 62 keep a dashboard's graphs readable; MooseFS itself has no such limit. */
export const MOST_CHUNKSERVERS = 40;

/** What mfssetgoal takes. */
const MOST_COPIES = 9;

/** The context keys of a MooseFS. */
export const MOOSEFS_SETTINGS = {
  moosefsEngine: oneOfWords(ENGINES, 'Servers and clients build the release from its pinned sources.'),
  moosefsChunkservers: whole(1, MOST_CHUNKSERVERS, '', 'Each is an instance with volumes of its own.'),
  moosefsInstanceType: type('It bounds what a chunkserver moves to clients and to EBS.'),
  moosefsMasterInstanceType: type('Metadata are in its memory, and one thread serves them.'),
  moosefsVolumesPerServer: whole(1, MOST_VOLUMES, '', 'A chunkserver spreads chunks over its volumes.'),
  moosefsVolumeGiB: whole(VOLUME_GIB.min, VOLUME_GIB.max, ' of GiB', 'It is the size of each gp3 volume.'),
  moosefsVolumeIops: whole(GP3.iops.min, GP3.iops.max, '', 'The price of gp3 includes 3,000.'),
  moosefsVolumeThroughput: whole(
    GP3.throughputMiBps.min,
    GP3.throughputMiBps.max,
    ' of MiB/s',
    'The price of gp3 includes 125.',
  ),
  moosefsCopies: whole(1, MOST_COPIES, '', 'Each copy is on another chunkserver.'),
} as const;

/** With the user's settings on it. */
export function withSettings(
  configuration: MooseFsStorage,
  settings: SettingsOf<typeof MOOSEFS_SETTINGS>,
): MooseFsStorage {
  const asked: Partial<MooseFsStorage> = {
    engine: settings.moosefsEngine,
    chunkservers: settings.moosefsChunkservers as number | undefined,
    instanceType: settings.moosefsInstanceType,
    masterInstanceType: settings.moosefsMasterInstanceType,
    volumesPerServer: settings.moosefsVolumesPerServer as number | undefined,
    volumeGiB: settings.moosefsVolumeGiB as number | undefined,
    volumeIops: settings.moosefsVolumeIops as number | undefined,
    volumeThroughputMiBps: settings.moosefsVolumeThroughput as number | undefined,
    copies: settings.moosefsCopies as number | undefined,
  };
  return { ...configuration, ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) };
}
