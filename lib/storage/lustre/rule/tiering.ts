import type { Phrase } from '../../../common/breach';
import { perUnitsOf, TIERING, typeOf } from '../types';
import { LEAVE_OUT, must, type Rules } from './rule';
import { isMultiple } from './size';

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
    return must('throughputCapacity', `absent with ${label}`, next);
  },

  'read-cache': (configuration) => {
    const type = typeOf(configuration);
    const { dataReadCache: value } = configuration;
    if (type === null) return undefined;
    if (type.elastic === undefined)
      return (
        value !== undefined &&
        must('dataReadCache', `absent with ${type.label}: it belongs to INTELLIGENT_TIERING`, LEAVE_OUT)
      );
    const next = `A proportional one has ${TIERING.cacheGiB.proportional} GiB for each 1000 MB/s.`;
    return !MODES.includes(value?.sizingMode ?? '') && must('dataReadCache', READ_CACHES, next);
  },

  'read-cache-size': (configuration) => {
    const { dataReadCache, throughputCapacity } = configuration;
    if (typeOf(configuration)?.elastic === undefined || dataReadCache === undefined) return undefined;
    const size: unknown = 'sizeGiB' in dataReadCache ? dataReadCache.sizeGiB : undefined;
    if (dataReadCache.sizingMode !== 'USER_PROVISIONED') {
      const absent = `absent with ${dataReadCache.sizingMode}`;
      return size !== undefined && must('dataReadCache.sizeGiB', absent, 'It belongs to USER_PROVISIONED.');
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
        `${proportional * thousands} is what AWS holds to be proportional.`,
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
