import { isMetadataIops, METADATA_IOPS_ALLOWED, minMetadataIops, nextMetadataIops } from '../documented';
import { METADATA_IOPS, typeOf } from '../types';
import { must, type Rules } from './rule';

/** Capacities of SSD for which FSx accepts fewer metadata IOPS than 12,000, in GiB: the largest for each. */
const LARGEST_GIB: Readonly<Record<number, number>> = { 1500: 1200, 3000: 2400, 6000: 9600 };

export const METADATA_RULES: Rules = {
  'metadata-type': (configuration) => {
    const type = typeOf(configuration);
    const { deploymentType, metadata } = configuration;
    return (
      metadata !== undefined &&
      type?.metadata === 'none' &&
      must('metadata', `absent with ${deploymentType}`, 'A metadata configuration needs PERSISTENT_2.')
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
      const next = 'Take USER_PROVISIONED to choose the IOPS.';
      return iops !== undefined && must('metadata.iops', 'absent with AUTOMATIC', next);
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
        'false but for PERSISTENT_2 file systems with metadata configuration',
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
