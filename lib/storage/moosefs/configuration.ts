import * as z from 'zod';
import { instanceTypeField, oneOfWords, whole } from '../../common/field';
import { listed } from '../../common/format/text';
import { IN_GIB } from '../../common/quantity';
import { type Findings, type Phrase, refusing, unless, type Violation } from '../../common/violation';
import { bootsAmazonLinux, instanceType } from '../../fleet/instanceTypes';
import type { Of } from '../../schema/document';
import { DEVICE_NAMES, GP3, GP3_PAGE, type Gp3Volume, gp3Of } from '../common/ebs';
import { clientNetwork, type Limit, type LimitOptions, limit, MBPS_PER_MIBPS, networkLimit } from '../common/limits';
import { sets, warnings } from '../common/settings';

/** Releases that servers and clients build, of which the first is the default (assets/storage/moosefs/engines.tsv has their archives). */
export const ENGINES = ['moosefs-4.57.5', 'moosefs-3.0.117'] as const;

/** One master and its chunkservers, with the file system's data on EBS volumes. Valid combinations are checked separately. */
export const mooseFsSchema = z.object({
  kind: z.literal('moosefs'),
  /** @default the first of {@link ENGINES} */
  engine: z.enum(ENGINES).optional(),
  chunkservers: z.number(),
  instanceType: z.string(),
  /** gp3, on each chunkserver. @default 1 */
  volumesPerServer: z.number().optional(),
  volumeGiB: z.number(),
  /** @default 3000 */
  volumeIops: z.number().optional(),
  /** @default 125 */
  volumeThroughputMiBps: z.number().optional(),
  /** Copies of everything, each on another chunkserver: what MooseFS calls the goal. @default 1 */
  copies: z.number().optional(),
});
export type MooseFsStorage = Of<typeof mooseFsSchema>;

/** Type of the master. One thread of it serves all metadata, and 300 bytes of memory hold an object: 8 GiB are about 25 million. */
export const MASTER_TYPE = 'c5.xlarge';

/** GiB of gp3 for the operating system and the build; on the master also for the metadata and their log. */
export const ROOT_GIB = { master: 30, chunkserver: 10 } as const;

const DEFAULTS = { engine: ENGINES[0], volumesPerServer: 1, copies: 1 } as const;

/** With the defaults filled in. */
export const resolved = (
  configuration: MooseFsStorage,
): MooseFsStorage & Required<Pick<MooseFsStorage, keyof typeof DEFAULTS>> => ({ ...DEFAULTS, ...configuration });

export const volumeOf = ({ volumeGiB, volumeIops, volumeThroughputMiBps }: MooseFsStorage): Gp3Volume => ({
  sizeGiB: volumeGiB,
  iops: volumeIops,
  throughputMiBps: volumeThroughputMiBps,
});

/** All of them. */
export function volumesOf(configuration: MooseFsStorage): number {
  const { chunkservers, volumesPerServer } = resolved(configuration);
  return chunkservers * volumesPerServer;
}

/** In a line, for people: `MooseFS 4.57.5, 2 × c5.2xlarge with gp3 500 GiB, 1 copy`. */
export function describeMooseFs(configuration: MooseFsStorage): string {
  const { engine, chunkservers, instanceType, volumesPerServer, copies } = resolved(configuration);
  const { volumeGiB, volumeIops, volumeThroughputMiBps } = configuration;
  const volume = [
    `${volumesPerServer === 1 ? '' : `${volumesPerServer} × `}gp3 ${volumeGiB} GiB`,
    ...(volumeIops === undefined ? [] : [`${volumeIops} IOPS`]),
    ...(volumeThroughputMiBps === undefined ? [] : [`${volumeThroughputMiBps} MiB/s`]),
  ];
  return [
    engine.replace('moosefs-', 'MooseFS '),
    `${chunkservers} × ${instanceType} with ${volume.join(' ')}`,
    `${copies} ${copies === 1 ? 'copy' : 'copies'}`,
  ].join(', ');
}

/** A volume takes a device name of its server. */
export const MOST_VOLUMES = DEVICE_NAMES;

/** Smaller ones cost next to nothing, and MooseFS keeps some of each free. */
export const VOLUME_GIB = { min: 10, max: GP3.sizeGiB.max } as const;

/** Fewer than 62 keep a dashboard's graphs readable; MooseFS itself has no such limit. */
export const MOST_CHUNKSERVERS = 40;

/** Most copies that mfssetgoal accepts. */
const MOST_COPIES = 9;

export const MOOSEFS_SETTINGS = {
  moosefsEngine: sets('engine', oneOfWords(ENGINES, 'Servers and clients build the release from its pinned sources.')),
  moosefsChunkservers: sets(
    'chunkservers',
    whole(1, MOST_CHUNKSERVERS, '', 'Each is an instance with its own volumes.'),
  ),
  moosefsInstanceType: sets(
    'instanceType',
    instanceTypeField('c5.2xlarge', 'It bounds what a chunkserver moves to clients and to EBS.'),
  ),
  moosefsVolumesPerServer: sets(
    'volumesPerServer',
    whole(1, MOST_VOLUMES, '', 'A chunkserver spreads chunks over its volumes.'),
  ),
  moosefsVolumeGiB: sets(
    'volumeGiB',
    whole(VOLUME_GIB.min, VOLUME_GIB.max, ' of GiB', 'It is the size of each gp3 volume.', IN_GIB),
  ),
  moosefsVolumeIops: sets('volumeIops', whole(GP3.iops.min, GP3.iops.max, '', 'The price of gp3 includes 3,000.')),
  moosefsVolumeThroughput: sets(
    'volumeThroughputMiBps',
    whole(GP3.throughputMiBps.min, GP3.throughputMiBps.max, ' of MiB/s', 'The price of gp3 includes 125.'),
  ),
  moosefsCopies: sets('copies', whole(1, MOST_COPIES, '', 'Each copy is on another chunkserver.')),
} as const;

/** Errors that would keep it from being made or from working, by property, and warnings about comparisons. */
export function checkMooseFs(configuration: MooseFsStorage): Findings {
  const { errors, refuse } = refusing(resolved(configuration), 'fsxbench:moosefs');
  const { chunkservers, copies, instanceType: type } = resolved(configuration);
  const known = 'an instance type whose network and EBS bandwidth are known';
  if (instanceType(type) === null)
    refuse('instance-type', 'instanceType', known, 'Take one of lib/fleet/instanceTypes.json, such as c5.2xlarge.');
  else if (!bootsAmazonLinux(type))
    refuse('instance-type', 'instanceType', 'a type that Amazon Linux 2023 boots on', 'Take one such as c5.2xlarge.');
  const { sizeGiB, iops, throughputMiBps } = gp3Of(volumeOf(configuration));
  const maxIops = Math.max(GP3.iops.min, sizeGiB * GP3.iops.maxPerGiB);
  if (iops > maxIops)
    refuse(
      'volume',
      'volumeIops',
      `at most ${maxIops} on a gp3 volume of ${sizeGiB} GiB`,
      'Take less, or a larger one.',
    );
  const { maxPerIops } = GP3.throughputMiBps;
  if (throughputMiBps > iops * maxPerIops)
    refuse('volume', 'volumeThroughputMiBps', `at most ${iops * maxPerIops} MiB/s with ${iops} IOPS`, ({ name }) => {
      return `Take less, or set '${name('volumeIops')}' to ${throughputMiBps / maxPerIops}.`;
    });
  // The master would take it and keep fewer copies, without a word to the client.
  const next: Phrase = ({ name }) => `Take fewer copies, or set '${name('chunkservers')}' to ${copies}.`;
  if (copies > chunkservers) refuse('copies', 'copies', `at most the number of chunkservers, ${chunkservers}`, next);
  const { ebsBurstMBps, networkBurstMbps } = instanceType(type) ?? {};
  return {
    errors,
    warnings: warnings({
      'fsxbench:moosefs-one-chunkserver':
        chunkservers === 1 && 'a single chunkserver acts as a network disk: spreading chunks pays from two on',
      'fsxbench:moosefs-one-copy':
        copies === 1 &&
        'with one copy, a lost chunkserver loses data: EBS replicates its volumes, but only the speed can be compared with a highly available service',
      'fsxbench:moosefs-burst':
        (ebsBurstMBps !== undefined || networkBurstMbps !== undefined) &&
        `the chunkservers' ${type} has more bandwidth in a burst than sustained, so a long run mixes two rates; take a type without bursts, or keep runs short`,
    }),
  };
}

/** A client has one release of the tools. */
export function checkTogether(configurations: readonly MooseFsStorage[]): readonly Violation[] {
  const engines = [...new Set(configurations.map((one) => resolved(one).engine))];
  const next = "Deploy them one after the other with 'arms', or set it.";
  return unless(engines.length < 2, 'engine', 'the same for all arms of one deployment', listed(engines), next);
}

const EBS_PAGE = 'https://docs.aws.amazon.com/ebs/latest/userguide/ebs-optimized.html';

/**
 * The limits of the servers together and, with given clients, of the way to them. Data that a client writes are received and stored `copies` times:
 * once from the client, then from chunkserver to chunkserver (MooseFS manual, chapter on writing). One server serves a read.
 * Nobody documents what MooseFS itself can do; its master has no limit here.
 */
export function limitsOf(
  configuration: MooseFsStorage,
  { mode = 'write', clients }: LimitOptions = {},
): readonly Limit[] {
  const { chunkservers, copies, instanceType: type } = resolved(configuration);
  const info = instanceType(type);
  if (info === null) return [];
  const written = mode === 'write' ? copies : 1;
  const each = written === 1 ? '' : ` ÷ ${written} copies`;
  const { ebsBaselineMBps, ebsBurstMBps = ebsBaselineMBps } = info;
  const volumes = volumesOf(configuration);
  const { throughputMiBps } = gp3Of(volumeOf(configuration));
  return [
    ...clientNetwork(clients),
    networkLimit('server_network', { ...info, count: chunkservers }, `${type}${each}`, 1 / written),
    limit(
      'server_ebs',
      `${ebsBaselineMBps} MB/s × ${chunkservers} ${type}${each} (${EBS_PAGE})`,
      (chunkservers * ebsBaselineMBps) / written,
      (chunkservers * ebsBurstMBps) / written,
    ),
    limit(
      'disk',
      `${throughputMiBps} MiB/s × ${volumes} gp3${each} (${GP3_PAGE})`,
      (throughputMiBps * MBPS_PER_MIBPS * volumes) / written,
    ),
  ];
}
