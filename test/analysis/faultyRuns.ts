/** Sound runs with one fault each, and the issue that names it. */

import { summarise } from '../../lib/analysis/summary';
import type { ClientLoad } from '../../lib/schema/environment';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { clientLoad } from '../support/records';
import { soundRun, withMetric, withSamples, withUsedSpace } from './runs';

export const found = (record: RunRecord): string[] => [
  ...new Set(summarise(record).issues.flatMap(({ id, severity }) => (severity === 'note' ? [] : `${severity} ${id}`))),
];
export const states = (record: RunRecord) =>
  Object.fromEntries(summarise(record).analysis.checks.map(({ id, state }) => [id, state]));

export const isMeasured = ({ phase, source }: Sample): boolean => phase === 'measure' && source === 'client';

/** Samples of any phase, the warm-up among them: the service counts its bytes as well. */
const isOfClients = ({ source }: Sample): boolean => source === 'client';

/** Phases end after so many of their 300 seconds, and so do their bytes. */
export function shortened(record: RunRecord, seconds: number): RunRecord {
  const share = seconds / 300;
  const samples = record.samples.map((sample) =>
    isOfClients(sample)
      ? {
          ...sample,
          value: sample.metric === 'bytes' && sample.value !== null ? sample.value * share : sample.value,
          endedAt: new Date(Date.parse(sample.startedAt) + seconds * 1000).toISOString(),
        }
      : sample,
  );
  return ['DataWriteBytes', 'DataReadBytes'].reduce<RunRecord>((run, metric) => withMetric(run, metric, () => share), {
    ...record,
    samples,
  });
}

/** Files created by fio, which counts milliseconds, in so many seconds. */
export const timed = (seconds: number): RunRecord =>
  withSamples(creations(1), (sample) =>
    sample.operation === 'file_create'
      ? { ...sample, tool: 'fio', ...(sample.metric === 'seconds' && { value: seconds }) }
      : sample,
  );

/** Files created, or removed, on an arm in a phase of five minutes; the service counted a share of them. */
export function creations(share: number, operation = 'file_create', metric = 'FileCreateOperations'): RunRecord {
  const record = soundRun({ compressibilities: [1] });
  const first = record.samples.find((sample) => isMeasured(sample) && sample.operation === 'write') as Sample;
  const base = { ...first, operation, tool: 'mdtest', pattern: null, compressibility: null, unit: '1' };
  const created = ['none', 'lz4'].flatMap((arm) => [
    { ...base, arm, metric: 'rate', value: 1000, unit: 'op/s' },
    { ...base, arm, metric: 'operations', value: 300_000 },
    { ...base, arm, metric: 'seconds', value: 300, unit: 's' },
  ]);
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: [
      ...file.series,
      ...(file.series[0]
        ? [0, 1].map((compressibility) => ({
            ...(file.series[0] as (typeof file.series)[number]),
            metric,
            dimensions: { StorageTargetId: `MDT000${compressibility}` },
            unit: 'Count',
            points: Array.from({ length: 5 }, (_, minute) => {
              const at = Date.parse(first.startedAt) + minute * 60_000;
              return [new Date(at).toISOString(), 30_000 * share] as const;
            }),
          }))
        : []),
    ],
  }));
  return { ...record, samples: [...record.samples, ...created], metrics };
}

/** The run on clients that booted these images. */
function withImages(record: RunRecord, images: readonly string[]): RunRecord {
  const { manifest } = record;
  if (manifest === null) throw new Error('a sound run has one');
  const clients = images.map((image, index) => ({ instanceId: `i-${index}`, privateIp: `10.0.0.${index}`, image }));
  return { ...record, manifest: { ...manifest, fleet: { ...manifest.fleet, clients } } };
}

/** `lz4` has its maintenance while a phase of `none` and itself is measured. */
export function maintained(record: RunRecord): RunRecord {
  const phase = record.samples.find((sample) => isMeasured(sample) && sample.repeat === 2) as Sample;
  const start = new Date(Date.parse(phase.startedAt));
  const time = [start.getUTCHours(), start.getUTCMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  const weekly = `${start.getUTCDay() || 7}:${time}`;
  const { manifest } = record;
  if (manifest === null) throw new Error('a sound run has one');
  const arms = manifest.arms.map((arm) =>
    arm.name === 'lz4'
      ? {
          ...arm,
          describe: {
            ...arm.describe,
            LustreConfiguration: {
              ...(arm.describe?.LustreConfiguration as object),
              WeeklyMaintenanceStartTime: weekly,
            },
          },
        }
      : arm,
  );
  return { ...record, manifest: { ...manifest, arms } };
}

/** FSx still moves the data of `lz4` to disks that it was grown by. */
function growing(record: RunRecord): RunRecord {
  const { manifest } = record;
  if (manifest === null) throw new Error('a sound run has one');
  const AdministrativeActions = [
    { AdministrativeActionType: 'FILE_SYSTEM_UPDATE', Status: 'UPDATED_OPTIMIZING' },
    { AdministrativeActionType: 'STORAGE_OPTIMIZATION', Status: 'IN_PROGRESS', ProgressPercent: 37 },
  ];
  const arms = manifest.arms.map((arm) =>
    arm.name === 'lz4' ? { ...arm, describe: { ...arm.describe, AdministrativeActions } } : arm,
  );
  return { ...record, manifest: { ...manifest, arms } };
}

/** Both arms lose a tenth permanently after half of many repeats, and the service sees it. */
function tiring(): RunRecord {
  const record = soundRun({ repeats: 24, compressibilities: [1, 2.6] });
  const tired = (sample: Sample): boolean => isMeasured(sample) && sample.arm === 'lz4' && sample.repeat > 12;
  const samples = record.samples.map((sample) =>
    tired(sample) && sample.value !== null ? { ...sample, value: sample.value * 0.9 } : sample,
  );
  const ends = record.samples.filter(tired).map(({ startedAt }) => Date.parse(startedAt));
  const from = Math.min(...ends);
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: file.series.map((series) =>
      series.arm === 'lz4' && series.metric.startsWith('Data')
        ? { ...series, points: series.points.map(([at, v]) => [at, Date.parse(at) >= from ? v * 0.9 : v] as const) }
        : series,
    ),
  }));
  return { ...record, samples, metrics };
}

/** Both arms lose an eighth, a little with each of many repeats, and the service sees it. */
function drifting(): RunRecord {
  const record = soundRun({ repeats: 24, compressibilities: [1] });
  const measured = record.samples.filter(isMeasured).map(({ startedAt }) => Date.parse(startedAt));
  const [begin, end] = [Math.min(...measured), Math.max(...measured)];
  const slower = (at: string): number => 1 - (0.125 * (Date.parse(at) - begin)) / (end - begin);
  const samples = record.samples.map((sample) =>
    isMeasured(sample) && sample.value !== null
      ? { ...sample, value: sample.value * slower(sample.startedAt) }
      : sample,
  );
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: file.series.map((series) =>
      series.metric.startsWith('Data')
        ? { ...series, points: series.points.map(([at, value]) => [at, value * slower(at)] as const) }
        : series,
    ),
  }));
  return { ...record, samples, metrics };
}

export const scaled = (record: RunRecord, factor: number): RunRecord =>
  ['DataWriteBytes', 'DataReadBytes'].reduce(
    (scaledRun, metric) => withMetric(scaledRun, metric, () => factor),
    withSamples(record, (sample) =>
      sample.source === 'client' && sample.value !== null ? { ...sample, value: sample.value * factor } : sample,
    ),
  );

/** IOR's bytes and time next to each rate, with a share of the bytes on `lz4`; the service counted the same. */
export function withBytes(share: number): RunRecord {
  const record = soundRun();
  const samples = record.samples.flatMap((sample): Sample[] => {
    if (!isOfClients(sample) || sample.metric !== 'bytes' || sample.value === null) return [sample];
    const value = sample.arm === 'lz4' ? sample.value * share : sample.value;
    return [
      { ...sample, value },
      { ...sample, metric: 'total_time', value: 300, unit: 's' },
    ];
  });
  return ['DataWriteBytes', 'DataReadBytes'].reduce<RunRecord>(
    (run, metric) => withMetric(run, metric, (arm) => (arm === 'lz4' ? share : 1)),
    { ...record, samples },
  );
}

/** The `client-load` of a client that only runs its task. */
const FREE = clientLoad({
  ...{ client: '10.0.0.1', seconds: 301, processors: 4, busy: 0.4, tool: 0.35, lasting: 0.02 },
  ...{ others: 0.004, loadAverage: 1.2, cpuStall: 0.02 },
});

/** The load of one client next to each measured task, with its device's bytes. */
export function withLoad(
  change: Partial<ClientLoad>,
  device: (bytes: Sample) => ClientLoad['device'] = () => null,
): RunRecord {
  return withSamples(soundRun(), (sample) =>
    isMeasured(sample) && sample.metric === 'bytes'
      ? { ...sample, load: [{ ...FREE, ...change, device: device(sample) }] }
      : sample,
  );
}

/** With first and last done, or min and max moved, next to each measured phase. */
export function withEnds(record: RunRecord, of: (sample: Sample) => Readonly<Record<string, number>>): RunRecord {
  const samples = record.samples.flatMap((sample) => {
    if (!isMeasured(sample) || sample.metric !== 'bytes') return [sample];
    return [sample, ...Object.entries(of(sample)).map(([metric, value]) => ({ ...sample, metric, value }))];
  });
  return { ...record, samples };
}

export const CASES: readonly (readonly [string, string, RunRecord])[] = [
  [
    'four busy loops on a client of four processors',
    'warning busy-client',
    withLoad({ others: 0.98, names: ['sh'], loadAverage: 4.6 }),
  ],
  ['a client without memory', 'warning busy-client', withLoad({ memoryStall: 0.2 })],
  [
    'somebody else’s writes on the device of a client',
    'warning other-writers',
    withLoad({}, ({ operation, value }) =>
      operation === 'write' ? { read: 0, written: 1.6 * (value ?? 0) } : { read: value ?? 0, written: 0 },
    ),
  ],
  [
    'somebody else’s reads on the device of a client that writes',
    'warning other-writers',
    withLoad({}, ({ operation, value }) =>
      operation === 'write' ? { read: 0.6 * (value ?? 0), written: value ?? 0 } : { read: value ?? 0, written: 0 },
    ),
  ],
  [
    'reads that the device never saw',
    'warning read-from-cache',
    withLoad({}, ({ operation, value }) =>
      operation === 'write' ? { read: 0, written: value ?? 0 } : { read: 0.05 * (value ?? 0), written: 0 },
    ),
  ],
  ['phases of four minutes', 'warning phase-too-short', shortened(soundRun(), 250)],
  ['data smaller than the memory of clients and servers', 'warning data-fit-in-memory', scaled(soundRun(), 0.2)],
  [
    'a read above what the network cards carry',
    'error faster-than-network',
    withMetric(
      withSamples(soundRun(), (sample) =>
        isOfClients(sample) && sample.operation === 'read' && sample.value !== null
          ? { ...sample, value: sample.value * 8 }
          : sample,
      ),
      'DataReadBytes',
      () => 8,
    ),
  ],
  [
    'writes at twice what the disks can do in a burst',
    'warning faster-than-documented',
    withMetric(
      withSamples(soundRun(), (sample) =>
        isMeasured(sample) && sample.operation === 'write' && sample.arm === 'none' && sample.value !== null
          ? { ...sample, value: sample.value * 2.2 }
          : sample,
      ),
      'DataWriteBytes',
      (arm) => (arm === 'none' ? 2.2 : 1),
    ),
  ],
  [
    'bytes that the service never saw',
    'error bytes-not-counted-by-service',
    withMetric(soundRun(), 'DataReadBytes', (arm) => (arm === 'lz4' ? 0.6 : 1)),
  ],
  ['files that the service never saw', 'error creates-not-counted-by-service', creations(0.5)],
  [
    'directories that the service never saw',
    'error creates-not-counted-by-service',
    creations(0.5, 'dir_create', 'DirectoryCreateOperations'),
  ],
  [
    'files that the service never removed',
    'error removes-not-counted-by-service',
    creations(0.9, 'file_remove', 'FileDeleteOperations'),
  ],
  [
    'directories that the service never removed',
    'error removes-not-counted-by-service',
    creations(0.5, 'dir_remove', 'DirectoryDeleteOperations'),
  ],
  ['files that somebody else created', 'error background-load', creations(1.3)],
  ['creations of 4 ms by a clock of 1 ms', 'warning coarse-clock', timed(0.004)],
  ['a measurement in a maintenance window', 'warning maintenance-window', maintained(soundRun())],
  ['a file system whose data moved to new disks', 'warning changing-file-system', growing(soundRun())],
  ['somebody else’s writes', 'error background-load', withMetric(soundRun(), 'DataWriteBytes', () => 1.4)],
  [
    'data that do not compress as asked for',
    'warning compressibility-off-target',
    withSamples(soundRun(), (sample) =>
      sample.metric === 'compression_ratio' && sample.arm === 'lz4' && sample.compressibility === 2.6
        ? { ...sample, value: 3.2 }
        : sample,
    ),
  ],
  [
    'removed data that were still being freed while others were written',
    'warning free-space-disagrees',
    withUsedSpace(({ arm, allocated }) => ({ grown: arm === 'none' ? allocated / 2.83 : allocated })),
  ],
  [
    'a client that was lost',
    'error missing-ranks',
    withSamples(soundRun(), (sample) =>
      isMeasured(sample) && sample.repeat === 3 ? { ...sample, clients: 3, ranks: 108 } : sample,
    ),
  ],
  [
    'a client that was replaced, and booted a newer image than the others',
    'warning mixed-images',
    withImages(soundRun(), ['ami-0a', 'ami-0a', 'ami-0a', 'ami-0b']),
  ],
  [
    'ranks that the tool did not count',
    'error missing-ranks',
    withSamples(soundRun(), (sample) =>
      isMeasured(sample) && sample.repeat === 3 ? { ...sample, ranks: 36, plannedRanks: 144 } : sample,
    ),
  ],
  [
    'more ranks than planned',
    'error missing-ranks',
    withSamples(soundRun(), (sample) =>
      isMeasured(sample) && sample.arm === 'lz4' ? { ...sample, ranks: 288 } : sample,
    ),
  ],
  [
    'all ranks on one of the clients',
    'error missing-ranks',
    withSamples(soundRun(), (sample) => (isMeasured(sample) ? { ...sample, nodes: 1 } : sample)),
  ],
  [
    'a fifth of the bytes missing, though all ranks were there and the rate is right',
    'error missing-bytes',
    withBytes(0.8),
  ],
  [
    'processes that go on after the time limit',
    'warning stonewall-wear-out',
    (() => {
      const record = soundRun();
      // The rate is over the time of the last one.
      const late = record.samples.flatMap((sample) => {
        if (!isMeasured(sample) || sample.repeat !== 2 || sample.value === null) return [sample];
        if (sample.metric === 'throughput') return [{ ...sample, value: (sample.value * 300) / 420 }];
        return [sample, { ...sample, metric: 'total_time', value: 420, unit: 's' }];
      });
      return { ...record, samples: late };
    })(),
  ],
  [
    'a first process that waited two minutes for the last',
    'warning stragglers',
    withEnds(soundRun(), ({ repeat }) =>
      repeat === 2 ? { first_done: 180, last_done: 300 } : { first_done: 299, last_done: 300 },
    ),
  ],
  [
    'a process that moved a third of what others did',
    'warning stragglers',
    withEnds(soundRun(), ({ repeat }) => ({ least_bytes: repeat === 2 ? 1e9 : 2.9e9, most_bytes: 3e9 })),
  ],
  [
    'repeats that differ too much',
    'warning spread-hides-difference',
    soundRun({ variation: 0.3, compressibilities: [1], seed: 3 }),
  ],
  ['throughput that falls permanently', 'warning burst-credits', tiring()],
  ['throughput that falls slowly', 'warning throughput-drift', drifting()],
  [
    'another version of the tool on one side',
    'error mixed-tool-versions',
    withSamples(soundRun(), (sample) =>
      isMeasured(sample) && sample.arm === 'lz4' && sample.tool === 'ior'
        ? { ...sample, toolVersion: '4.0.0' }
        : sample,
    ),
  ],
];
