import * as z from 'zod';

import { requireThat } from '../../common/configurationError';
import { field, list, numeric, orWords } from '../../common/field';
import { storageOf } from '../../storage/lookup';
import { isMetadataIops, METADATA_IOPS_ALLOWED } from '../../storage/lustre/documented';
import type { ArmDefinition, Benchmark, Scale } from '../benchmark';
import { evenClients } from '../common/clients';
import { paired, published } from './plan/paired';

/** Metadata IOPS of an arm; `none` is a file system without a metadata configuration. */
type MetadataLevel = 'none' | 'automatic' | number;

const SETTINGS = {
  metadataIopsSweep: field(
    list(orWords(['none', 'automatic'], numeric(z.number().refine(isMetadataIops)))),
    `a list of metadata IOPS, each ${METADATA_IOPS_ALLOWED} ('none' and 'automatic' are also allowed)`,
    'Such as metadataIopsSweep=12000,24000,192000.',
  ),
};

type Settings = Readonly<Record<string, unknown>>;

const isElastic = ({ storageType }: Settings): boolean => storageType === 'INTELLIGENT_TIERING';

/** Levels of Intelligent-Tiering that CloudFormation has accepted since the storage type exists. */
const ELASTIC_LEVELS = [6000, 12_000];

/** The metadata IOPS that the settings choose; `null` where they leave those of the study. @throws ConfigurationError */
function levelsOf(settings: Settings): readonly MetadataLevel[] | null {
  const { metadataIops, metadataIopsSweep } = settings;
  const one = metadataIops === undefined || metadataIopsSweep === undefined;
  const conflict = "'metadataIopsSweep': both choose the metadata IOPS of the arms";
  requireThat(one, 'metadataIops', { conflict }, metadataIops, 'Put it into the sweep.');
  if (metadataIopsSweep !== undefined) return [...new Set(metadataIopsSweep as MetadataLevel[])];
  if (metadataIops !== undefined) return [metadataIops as MetadataLevel];
  return isElastic(settings) ? ELASTIC_LEVELS : null;
}

/** The throughputs (MB/s per TiB) that they choose; that of elastic storage does not depend on its capacity. */
function throughputsOf(settings: Settings): readonly (number | null)[] | null {
  if (isElastic(settings)) return [null];
  const { perUnitStorageThroughput: one } = settings;
  return one === undefined ? null : [one as number];
}

/** Sizes of the arms: their capacity in GiB, and every throughput (MB/s per TiB) with every level of metadata IOPS. */
const SIZES = {
  // AWS metadata blog; `none` is what it calls "no scaled metadata".
  published: { capacityGiB: 12_000, throughputs: [250, 1000], metadataIops: ['none', 12_000, 192_000] },
  // 24,000 is the least that has two metadata targets: directories must be spread over them here as well.
  smoke: { capacityGiB: 1200, throughputs: [125], metadataIops: ['none', 1500, 24_000] },
} as const satisfies Readonly<Record<Scale, object>>;

function arm(capacityGiB: number, throughput: number | null, level: MetadataLevel): ArmDefinition {
  const storage = {
    kind: 'lustre',
    deploymentType: 'PERSISTENT_2',
    storageType: 'SSD',
    storageCapacityGiB: capacityGiB,
    perUnitStorageThroughput: throughput ?? undefined,
    dataCompressionType: 'NONE',
    version: '2.15',
    // A file on many targets costs an object on each: one target is what a metadata benchmark wants
    // (https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html).
    stripeCount: 1,
    metadata:
      level === 'none'
        ? undefined
        : level === 'automatic'
          ? { mode: 'AUTOMATIC' }
          : { mode: 'USER_PROVISIONED', iops: level },
  };
  return { name: `${throughput === null ? 'it' : `p${throughput}`}-${level}`, storage };
}

/**
 * Metadata IOPS from none to the most, at two tiers of throughput, as the AWS metadata blog compared them: file systems of 12,000 GiB
 * PERSISTENT_2 SSD, 200 c5.9xlarge clients with 4 ranks each.
 */
export const metadataBench: Benchmark = {
  name: 'MetadataBench',
  question:
    'How many file operations per second do metadata IOPS provide on FSx for Lustre, and what do a thousand of them cost?',
  study: 'AWS metadata blog',
  about: ['metadata_operations'],
  plans: [paired, published],
  settings: SETTINGS,
  // The arms differ in these.
  chosenBy: ['metadataIops', 'perUnitStorageThroughput'],
  acknowledged: ['fsxbench:lustre-no-metadata-configuration', 'fsxbench:lustre-automatic-metadata'].map((id) => ({
    id,
    reason: 'the arms compare metadata IOPS, from none to the most',
  })),
  arms: (scale, settings = {}) => {
    const { capacityGiB, throughputs, metadataIops } = SIZES[scale];
    const levels = levelsOf(settings) ?? metadataIops;
    return (throughputsOf(settings) ?? throughputs).flatMap((throughput) =>
      levels.map((level) => arm(capacityGiB, throughput, level)),
    );
  },
  fleet: (scale) => ({
    ...(scale === 'published'
      ? { instanceType: 'c5.9xlarge', clients: 200, ranksPerClient: 4 }
      : { instanceType: 'c5.large', clients: 4, ranksPerClient: 2 }),
    tuning: 'published-metadata',
    // Clients talk to the metadata servers, not to one another; and 200 free places close together are seldom there.
    placement: 'none',
  }),
  // The user's own clients, as many more as the study would take.
  proof: ({ createsPerSecond, clients }) =>
    createsPerSecond === undefined
      ? null
      : {
          ...(clients?.instanceType !== undefined && { instanceType: clients.instanceType }),
          clients: Math.max(clientsFor(createsPerSecond), evenClients(clients?.count ?? 0)),
        },
  lab: {
    // Each with one metadata server, as the scale model has, and each with twice the IOPS of the one before.
    settings: { storageCapacityGiB: 2400, perUnitStorageThroughput: 250, metadataIopsSweep: [3000, 6000, 12_000] },
    arms: ['p250-3000', 'p250-6000', 'p250-12000'],
  },
};

/** Clients per creation as in the study, at the documented rate of its largest arm; an even number of them. */
function clientsFor(createsPerSecond: number): number {
  const { clients } = metadataBench.fleet('published');
  const iops = metadataBench
    .arms('published')
    .map(({ storage }) => storageOf(storage).documented.metadata?.iops(storage) ?? 0);
  const needed = Math.ceil((createsPerSecond / (2 * Math.max(...iops))) * clients);
  return Math.max(4, evenClients(needed));
}
