import type { Phrase } from '../../../common/breach';
import { KINDS, kindOf, TIERING_CACHE_GIB, TIERING_THROUGHPUT } from '../documented';
import { LEAVE_OUT, must, type Rules } from './rule';
import { isMultiple } from './size';

const TIERING = 'PERSISTENT_2_INTELLIGENT_TIERING';
const { step, max } = TIERING_THROUGHPUT;
const MODES = ['NO_CACHE', 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY', 'USER_PROVISIONED'];
const READ_CACHES: Phrase = ({ value }) =>
  `${value({ sizingMode: 'NO_CACHE' })}, ${value({ sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' })} or a size such as ${value({ sizingMode: 'USER_PROVISIONED', sizeGiB: TIERING_CACHE_GIB.proportional })} with INTELLIGENT_TIERING`;

export const TIERING_RULES: Rules = {
  'throughput-capacity': (configuration) => {
    const kind = kindOf(configuration);
    const { throughputCapacity: value } = configuration;
    if (kind === TIERING) {
      const multiple = `a multiple of ${step} up to ${max} MB/s with INTELLIGENT_TIERING`;
      return (
        !(isMultiple(value, step) && value <= max) && must('throughputCapacity', multiple, `Take ${nearest(value)}.`)
      );
    }
    if (kind === null || value === undefined) return undefined;
    const { perUnit, label } = KINDS[kind];
    const next: Phrase =
      perUnit.length > 0 ? ({ name }) => `Set '${name('perUnitStorageThroughput')}' instead.` : LEAVE_OUT;
    return must('throughputCapacity', `absent with ${label}`, next);
  },

  'read-cache': (configuration) => {
    const kind = kindOf(configuration);
    const { dataReadCache: value } = configuration;
    if (kind === null) return undefined;
    if (kind !== TIERING)
      return (
        value !== undefined &&
        must('dataReadCache', `absent with ${KINDS[kind].label}: it belongs to INTELLIGENT_TIERING`, LEAVE_OUT)
      );
    const next = `A proportional one has ${TIERING_CACHE_GIB.proportional} GiB for each ${step} MB/s.`;
    return !MODES.includes(value?.sizingMode ?? '') && must('dataReadCache', READ_CACHES, next);
  },

  'read-cache-size': (configuration) => {
    const { dataReadCache, throughputCapacity } = configuration;
    if (kindOf(configuration) !== TIERING || dataReadCache === undefined) return undefined;
    const size: unknown = 'sizeGiB' in dataReadCache ? dataReadCache.sizeGiB : undefined;
    if (dataReadCache.sizingMode !== 'USER_PROVISIONED') {
      const absent = `absent with ${dataReadCache.sizingMode}`;
      return size !== undefined && must('dataReadCache.sizeGiB', absent, 'It belongs to USER_PROVISIONED.');
    }
    if (!isMultiple(throughputCapacity, step)) return undefined;
    // The cache is spread over the file servers, and there is one for each 4,000 MB/s.
    const servers = throughputCapacity / step;
    const [low, high] = [TIERING_CACHE_GIB.min * servers, TIERING_CACHE_GIB.max * servers];
    return (
      !(isMultiple(size, 1) && size >= low && size <= high) &&
      must(
        'dataReadCache.sizeGiB',
        `a whole number from ${low} to ${high} GiB at ${throughputCapacity} MB/s`,
        `${TIERING_CACHE_GIB.proportional * servers} is what AWS holds to be proportional.`,
      )
    );
  },
};

function nearest(value: unknown): number {
  const steps = typeof value === 'number' && value > step ? Math.ceil(value / step) : 1;
  return Math.min(max, steps * step);
}
