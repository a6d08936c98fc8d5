import type { Phrase } from '../../../common/violation';
import { isMetadataIops, METADATA_IOPS_ALLOWED, minMetadataIops, nextMetadataIops } from '../documented';
import { METADATA_IOPS, perUnitsOf, TIERING, typeOf } from '../types';
import { LEAVE_OUT, must, type Rules } from './rule';
import { isMultiple } from './type';

/** Capacities of SSD for which FSx accepts fewer metadata IOPS than 12,000, in GiB: the largest for each. */
const LARGEST_GIB: Readonly<Record<number, number>> = { 1500: 1200, 3000: 2400, 6000: 9600 };

export const METADATA_RULES: Rules = {
  'metadata-type': (configuration) => {
    const type = typeOf(configuration);
    const { deploymentType, metadata } = configuration;
    const conflict = `${deploymentType}: only PERSISTENT_2 has a metadata configuration`;
    return (
      metadata !== undefined &&
      type?.metadata === 'none' &&
      must('metadata', { conflict }, 'Leave it out, or use PERSISTENT_2.')
    );
  },

  'metadata-mode': (configuration) => {
    const type = typeOf(configuration);
    const { metadata } = configuration;
    if (metadata === undefined)
      return (
        type?.metadata === 'required' &&
        must(
          'metadata',
          `present with ${type.label}`,
          ({ value }) => `Take ${value({ mode: 'USER_PROVISIONED', iops: 6000 })}.`,
        )
      );
    if (type === null || type.metadata === 'none') return undefined;
    const known = ['AUTOMATIC', 'USER_PROVISIONED'].includes(metadata.mode);
    return !known && must('metadata.mode', 'AUTOMATIC or USER_PROVISIONED', 'Name one of them.');
  },

  'metadata-iops': (configuration) => {
    const type = typeOf(configuration);
    const { metadata } = configuration;
    if (type === null || type.metadata === 'none' || metadata === undefined) return undefined;
    const iops: unknown = 'iops' in metadata ? metadata.iops : undefined;
    if (metadata.mode === 'AUTOMATIC') {
      const conflict = 'AUTOMATIC: FSx chooses the IOPS';
      return iops !== undefined && must('metadata.iops', { conflict }, 'Leave it out, or use USER_PROVISIONED.');
    }
    return !isMetadataIops(iops) && must('metadata.iops', METADATA_IOPS_ALLOWED, `Take ${nextMetadataIops(iops)}.`);
  },

  /** Create and update; of Intelligent-Tiering it is not documented what AUTOMATIC gives. Source: botocore 1.44.8, as documented.ts cites it. */
  'metadata-min': (configuration) => {
    const { metadata, storageCapacityGiB } = configuration;
    if (typeOf(configuration)?.metadata !== 'optional' || storageCapacityGiB === undefined) return undefined;
    if (metadata?.mode !== 'USER_PROVISIONED' || !isMetadataIops(metadata.iops)) return undefined;
    const min = minMetadataIops(storageCapacityGiB);
    const smaller = LARGEST_GIB[metadata.iops];
    const capacity = metadata.iops >= METADATA_IOPS.step ? (metadata.iops / METADATA_IOPS.step) * 24_000 : smaller;
    const next = `Take ${min}, or at most ${capacity} GiB: FSx refuses fewer than AUTOMATIC gives to the capacity.`;
    return metadata.iops < min && must('metadata.iops', `at least ${min} with ${storageCapacityGiB} GiB`, next);
  },

  efa: (configuration) => {
    const { deploymentType, metadata, efaEnabled = false } = configuration;
    const supported = typeOf(configuration)?.efa ?? deploymentType === 'PERSISTENT_2';
    return (
      efaEnabled &&
      !(supported && metadata !== undefined) &&
      must(
        'efaEnabled',
        'false except for PERSISTENT_2 file systems with metadata configuration',
        ({ name }) => `${supported ? 'Set' : 'Take PERSISTENT_2 and set'} '${name('metadata')}'.`,
      )
    );
  },

  /** Source: botocore 1.44.8, EfaEnabled. */
  'efa-throughput': (configuration) => {
    const elastic = typeOf(configuration)?.elastic;
    const { efaEnabled = false, throughputCapacity = 0 } = configuration;
    if (!efaEnabled || elastic === undefined) return undefined;
    const { step } = elastic.throughput;
    return (
      throughputCapacity < step &&
      must(
        'efaEnabled',
        `false below ${step} MB/s with INTELLIGENT_TIERING`,
        ({ name }) => `Set '${name('throughputCapacity')}' to ${step} or more.`,
      )
    );
  },
};

const { small, step, max } = TIERING.throughput;
const MODES = ['NO_CACHE', 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY', 'USER_PROVISIONED'];
const READ_CACHES: Phrase = ({ value }) =>
  `${value({ sizingMode: 'NO_CACHE' })}, ${value({ sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' })} or a size such as ${value({ sizingMode: 'USER_PROVISIONED', sizeGiB: TIERING.cacheGiB.proportional })} with INTELLIGENT_TIERING`;

export const TIERING_RULES: Rules = {
  'throughput-capacity': (configuration) => {
    const type = typeOf(configuration);
    const { throughputCapacity: value } = configuration;
    if (type?.elastic !== undefined) {
      const allowed = `${small.join(', ')} or a multiple of ${step} up to ${max} MB/s with INTELLIGENT_TIERING`;
      return !isThroughput(value) && must('throughputCapacity', allowed, `Take ${nearest(value)}.`);
    }
    if (type === null || value === undefined) return undefined;
    const { label } = type;
    const next: Phrase =
      perUnitsOf(type).length > 0 ? ({ name }) => `Set '${name('perUnitStorageThroughput')}' instead.` : LEAVE_OUT;
    return must('throughputCapacity', { conflict: `${label}: only INTELLIGENT_TIERING has it` }, next);
  },

  'read-cache': (configuration) => {
    const type = typeOf(configuration);
    const { dataReadCache: value } = configuration;
    if (type === null) return undefined;
    if (type.elastic === undefined)
      return (
        value !== undefined &&
        must('dataReadCache', { conflict: `${type.label}: only INTELLIGENT_TIERING has it` }, LEAVE_OUT)
      );
    const next = `A proportional one has ${TIERING.cacheGiB.proportional} GiB for each 1000 MB/s.`;
    return !MODES.includes(value?.sizingMode ?? '') && must('dataReadCache', READ_CACHES, next);
  },

  'read-cache-size': (configuration) => {
    const { dataReadCache, throughputCapacity } = configuration;
    if (typeOf(configuration)?.elastic === undefined || dataReadCache === undefined) return undefined;
    const size: unknown = 'sizeGiB' in dataReadCache ? dataReadCache.sizeGiB : undefined;
    if (dataReadCache.sizingMode !== 'USER_PROVISIONED') {
      const conflict = `${dataReadCache.sizingMode}: only USER_PROVISIONED has a size`;
      return size !== undefined && must('dataReadCache.sizeGiB', { conflict }, LEAVE_OUT);
    }
    if (!isThroughput(throughputCapacity)) return undefined;
    const { min, max: most, proportional } = TIERING.cacheGiB;
    const thousands = throughputCapacity / 1000;
    const [low, high] = [min * thousands, most * thousands];
    return (
      !(isMultiple(size, 1) && size >= low && size <= high) &&
      must(
        'dataReadCache.sizeGiB',
        `a whole number from ${low} to ${high} GiB at ${throughputCapacity} MB/s`,
        `${proportional * thousands} is the size that AWS calls proportional.`,
      )
    );
  },
};

function isThroughput(value: unknown): value is number {
  return (small as readonly unknown[]).includes(value) || (isMultiple(value, step) && value <= max);
}

function nearest(value: unknown): number {
  if (typeof value !== 'number') return step;
  return small.find((size) => size >= value) ?? Math.min(max, Math.ceil(value / step) * step);
}
