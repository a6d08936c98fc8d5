import type { Phrase } from '../../../kit/breach';
import { KINDS, kindOf, TIERING_CACHE_GIB, TIERING_THROUGHPUT } from '../documented';
import { LEAVE_OUT, must, type Rule } from './rule';
import { isMultiple } from './size';

const TIERING = 'PERSISTENT_2_INTELLIGENT_TIERING';
const { step, max } = TIERING_THROUGHPUT;
const MODES = ['NO_CACHE', 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY', 'USER_PROVISIONED'];
const READ_CACHES: Phrase = ({ value }) =>
  `${value({ sizingMode: 'NO_CACHE' })}, ${value({ sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' })} or a size such as ${value({ sizingMode: 'USER_PROVISIONED', sizeGiB: TIERING_CACHE_GIB.proportional })} with INTELLIGENT_TIERING`;

const throughputCapacity: Rule = {
  id: 'fsxbench:lustre-throughput-capacity',
  check: (configuration) => {
    const kind = kindOf(configuration);
    if (kind === null) return undefined;
    const { throughputCapacity: value } = configuration;
    if (kind !== TIERING) {
      const next: Phrase =
        KINDS[kind].perUnit.length > 0 ? ({ name }) => `Set '${name('perUnitStorageThroughput')}' instead.` : LEAVE_OUT;
      return value === undefined
        ? undefined
        : must('throughputCapacity', `absent with ${KINDS[kind].label}`, value, next);
    }
    return isMultiple(value, step) && value <= max
      ? undefined
      : must(
          'throughputCapacity',
          `a multiple of ${step} up to ${max} MB/s with INTELLIGENT_TIERING`,
          value,
          `Take ${nearest(value)}.`,
        );
  },
};

const readCache: Rule = {
  id: 'fsxbench:lustre-read-cache',
  check: (configuration) => {
    const kind = kindOf(configuration);
    if (kind === null) return undefined;
    const { dataReadCache: value } = configuration;
    if (kind !== TIERING) {
      return value === undefined
        ? undefined
        : must(
            'dataReadCache',
            `absent with ${KINDS[kind].label}: it belongs to INTELLIGENT_TIERING`,
            value,
            LEAVE_OUT,
          );
    }
    return value !== undefined && MODES.includes(value.sizingMode)
      ? undefined
      : must(
          'dataReadCache',
          READ_CACHES,
          value,
          `A proportional one has ${TIERING_CACHE_GIB.proportional} GiB for each ${step} MB/s.`,
        );
  },
};

const readCacheSize: Rule = {
  id: 'fsxbench:lustre-read-cache-size',
  check: (configuration) => {
    const { dataReadCache, throughputCapacity } = configuration;
    if (kindOf(configuration) !== TIERING || dataReadCache === undefined) return undefined;
    const size: unknown = 'sizeGiB' in dataReadCache ? dataReadCache.sizeGiB : undefined;
    if (dataReadCache.sizingMode !== 'USER_PROVISIONED') {
      return size === undefined
        ? undefined
        : must(
            'dataReadCache.sizeGiB',
            `absent with ${dataReadCache.sizingMode}`,
            size,
            'It belongs to USER_PROVISIONED.',
          );
    }
    if (!isMultiple(throughputCapacity, step)) return undefined;
    // The cache is spread over the file servers, and there is one for each 4,000 MB/s.
    const servers = throughputCapacity / step;
    const [low, high] = [TIERING_CACHE_GIB.min * servers, TIERING_CACHE_GIB.max * servers];
    return isMultiple(size, 1) && size >= low && size <= high
      ? undefined
      : must(
          'dataReadCache.sizeGiB',
          `a whole number from ${low} to ${high} GiB at ${throughputCapacity} MB/s`,
          size,
          `${TIERING_CACHE_GIB.proportional * servers} is what AWS holds to be proportional.`,
        );
  },
};

function nearest(value: unknown): number {
  const steps = typeof value === 'number' && value > step ? Math.ceil(value / step) : 1;
  return Math.min(max, steps * step);
}

export const TIERING_RULES: readonly Rule[] = [throughputCapacity, readCache, readCacheSize];
