import * as z from 'zod';
import { unless } from '../../kit/breach';
import { requireNone } from '../../kit/configurationError';
import { field, list, numeric, orWords } from '../../kit/field';
import { isMetadataIops, METADATA_IOPS_ALLOWED, metadataIopsAbove } from '../../storage/lustre/documented';

/** Metadata IOPS of an arm; `none` is a file system without a metadata configuration. */
export type MetadataLevel = 'none' | 'automatic' | number;

export const SETTINGS = {
  metadataIopsSweep: field(
    list(orWords(['none', 'automatic'], numeric(z.number().refine(isMetadataIops)))),
    `a list of metadata IOPS, each ${METADATA_IOPS_ALLOWED} ('none' and 'automatic' are allowed, too)`,
    'Such as metadataIopsSweep=1500,12000,192000.',
  ),
};

/** Arms differ in these, so that they choose arms instead of changing all alike. */
export const chosenBy = ['metadataIops', 'perUnitStorageThroughput'];

type Settings = Readonly<Record<string, unknown>>;

const ELASTIC = 'INTELLIGENT_TIERING';
const isElastic = ({ storageType }: Settings): boolean => storageType === ELASTIC;

/** The metadata IOPS that the settings choose; `null` where they leave those of the study. @throws ConfigurationError */
export function levelsOf(settings: Settings): readonly MetadataLevel[] | null {
  const { metadataIops, metadataIopsSweep } = settings;
  const one = metadataIops === undefined || metadataIopsSweep === undefined;
  requireNone(unless(one, 'metadataIops', "absent with 'metadataIopsSweep'", metadataIops, 'Put it into the sweep.'));
  if (metadataIopsSweep !== undefined) return [...new Set(metadataIopsSweep as MetadataLevel[])];
  if (metadataIops !== undefined) return [metadataIops as MetadataLevel];
  return isElastic(settings) ? metadataIopsAbove(0, ELASTIC) : null;
}

/** The throughputs (MB/s per TiB) that they choose; that of elastic storage does not depend on its capacity. */
export function throughputsOf(settings: Settings): readonly (number | null)[] | null {
  if (isElastic(settings)) return [null];
  const { perUnitStorageThroughput: one } = settings;
  return one === undefined ? null : [one as number];
}
