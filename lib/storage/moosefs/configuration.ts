import * as z from 'zod';
import type { Of } from '../../schema/document';
import type { Gp3Volume } from '../kit/gp3';

/** Releases that servers and clients build, of which the first is the default (assets/storage/moosefs/engines.tsv has their archives). */
export const ENGINES = ['moosefs-4.57.5', 'moosefs-3.0.117'] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * One master and its chunkservers, with the file system's data on volumes of EBS. What goes together is the rules' affair (rules.ts).
 */
export const mooseFsSchema = z.object({
  kind: z.literal('moosefs'),
  /** @default the first of {@link ENGINES} */
  engine: z.enum(ENGINES).optional(),
  chunkservers: z.number(),
  /** Type of each chunkserver. */
  instanceType: z.string(),
  /** @default c5.xlarge */
  masterInstanceType: z.string().optional(),
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

/** GiB of gp3 for the operating system and the build; on the master also for the metadata and their log. */
export const ROOT_GIB = { master: 30, chunkserver: 10 } as const;

const DEFAULTS = {
  engine: ENGINES[0],
  // One thread of it serves all metadata, and 300 bytes of memory hold an object: 8 GiB are some 25 million.
  masterInstanceType: 'c5.xlarge',
  volumesPerServer: 1,
  copies: 1,
} as const;

/** With the defaults filled in. */
export function resolved(
  configuration: MooseFsStorage,
): MooseFsStorage & Required<Pick<MooseFsStorage, keyof typeof DEFAULTS>> {
  return { ...DEFAULTS, ...configuration };
}

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

const NAMES: Readonly<Record<Engine, string>> = {
  'moosefs-4.57.5': 'MooseFS 4.57.5',
  'moosefs-3.0.117': 'MooseFS 3.0.117',
};

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
    NAMES[engine],
    `${chunkservers} × ${instanceType} with ${volume.join(' ')}`,
    `${copies} ${copies === 1 ? 'copy' : 'copies'}`,
  ].join(', ');
}
