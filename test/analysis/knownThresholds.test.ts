/** Each rule of validity keeps to the figure that reports print as its threshold: a little less is silent, a little more is found. */

import { summarise } from '../../lib/analysis/summary';
import type { RunRecord } from '../../lib/store/record';
import { creations, isMeasured, shortened, timed, withBytes, withEnds, withLoad } from './faultyRuns';
import { soundRun, withMetric, withSamples, withUsedSpace } from './runs';

const idsIn = (record: RunRecord): string[] => summarise(record).issues.map(({ id }) => id);
const counted = (metric: string) => (share: number) => withMetric(soundRun(), metric, () => share);

/** Rates of writes or of reads, in MB/s, on `none`. */
const rateOf = (operation: string) => (MBps: number) =>
  withSamples(soundRun({ compressibilities: [1] }), (sample) =>
    sample.operation === operation && sample.arm === 'none' && sample.metric === 'throughput' && isMeasured(sample)
      ? { ...sample, value: (MBps * 1e6) / 2 ** 20 }
      : sample,
  );

/** The processes of one repeat continue until so many seconds after a time limit of 300 s. */
const endingAt = (seconds: number) => {
  const record = soundRun();
  const late = record.samples.flatMap((sample) =>
    isMeasured(sample) && sample.repeat === 2 && sample.metric === 'bytes'
      ? [sample, { ...sample, metric: 'total_time', value: seconds, unit: 's' }]
      : [sample],
  );
  return { ...record, samples: late };
};

const compressing = (ratio: number) =>
  withSamples(soundRun(), (sample) =>
    sample.metric === 'compression_ratio' && sample.arm === 'lz4' && sample.compressibility === 2.6
      ? { ...sample, value: ratio }
      : sample,
  );

/** A device that moved so many times what the tool did, in the direction of the phase. */
const throughDevice = (written: number, read: number) =>
  withLoad({}, ({ operation, value }) =>
    operation === 'write' ? { read: 0, written: written * (value ?? 0) } : { read: read * (value ?? 0), written: 0 },
  );

test.each<readonly [rule: string, (value: number) => RunRecord, silent: number, found: number]>([
  ['phase-too-short', (seconds) => shortened(soundRun(), seconds), 290, 280],
  ['stonewall-wear-out', endingAt, 355, 365],
  ['stragglers', (first) => withEnds(soundRun(), () => ({ first_done: first, last_done: 300 })), 245, 235],
  ['stragglers', (least) => withEnds(soundRun(), () => ({ least_bytes: least, most_bytes: 3e9 })), 1.6e9, 1.4e9],
  ['coarse-clock', timed, 0.021, 0.019],
  ['busy-client', (others) => withLoad({ others, names: ['sh'] }), 0.09, 0.11],
  ['busy-client', (memoryStall) => withLoad({ memoryStall }), 0.04, 0.06],
  ['busy-client', (steal) => withLoad({ steal }), 0.04, 0.06],
  ['other-writers', (share) => throughDevice(share, 1), 1.2, 1.3],
  ['other-writers', (share) => throughDevice(1, share), 1.2, 1.3],
  ['read-from-cache', (share) => throughDevice(1, share), 0.95, 0.85],
  // Four clients of 50 Gb/s, and disks of 3,456 MB/s in a burst with 15 % to spare.
  ['faster-than-network', rateOf('read'), 24_900, 25_100],
  ['faster-than-documented', rateOf('write'), 3950, 4000],
  ['bytes-not-counted-by-service', counted('DataWriteBytes'), 0.96, 0.94],
  ['bytes-not-counted-by-service', counted('DataReadBytes'), 0.97, 0.94],
  ['foreign-load', counted('DataWriteBytes'), 1.08, 1.12],
  ['foreign-load', counted('DataReadBytes'), 1.08, 1.12],
  ['creates-not-counted-by-service', creations, 0.96, 0.94],
  ['foreign-load', creations, 1.08, 1.12],
  ['removes-not-counted-by-service', (share) => creations(share, 'file_remove', 'FileDeleteOperations'), 0.96, 0.94],
  ['compressibility-off-target', compressing, 2.8, 2.9],
  ['compressibility-off-target', compressing, 2.3, 2.2],
  ['free-space-disagrees', (share) => withUsedSpace(({ allocated }) => ({ grown: allocated * share })), 1.08, 1.12],
  ['free-space-disagrees', (share) => withUsedSpace(({ allocated }) => ({ grown: allocated * share })), 0.92, 0.88],
  ['missing-bytes', withBytes, 0.96, 0.94],
])('%s: %#', (rule, runWith, silent, found) => {
  expect([idsIn(runWith(silent)).includes(rule), idsIn(runWith(found)).includes(rule)]).toEqual([false, true]);
});
