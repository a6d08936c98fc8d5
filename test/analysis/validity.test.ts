import { summarise, summarise as summariseRun } from '../../lib/analysis/summary';
import { RULES } from '../../lib/analysis/validity';
import { figuresOf } from '../../lib/report/figures';
import { toJson } from '../../lib/report/json';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { modelledRun } from '../report/modelledRun';
import { soundRun, withMetric, withSamples, withUsedSpace } from './runs';

const found = (record: RunRecord): string[] => [
  ...new Set(summarise(record).issues.flatMap(({ id, severity }) => (severity === 'note' ? [] : `${severity} ${id}`))),
];
const states = (record: RunRecord) =>
  Object.fromEntries(summarise(record).analysis.checks.map(({ id, state }) => [id, state]));

const isMeasured = ({ phase, source }: Sample): boolean => phase === 'measure' && source === 'client';

/** Phases end after so many of their 300 seconds, and so do their bytes. */
function shortened(record: RunRecord, seconds: number): RunRecord {
  const share = seconds / 300;
  const samples = record.samples.map((sample) =>
    isMeasured(sample)
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

/** Files created, or removed, on an arm in a phase of five minutes; the service counted a share of them. */
function creations(share: number, operation = 'file_create', metric = 'FileCreateOperations'): RunRecord {
  const record = soundRun({ targets: [1] });
  const first = record.samples.find((sample) => isMeasured(sample) && sample.operation === 'write') as Sample;
  const base = { ...first, operation, tool: 'mdtest', pattern: null, target: null, unit: '1' };
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
        ? [0, 1].map((target) => ({
            ...(file.series[0] as (typeof file.series)[number]),
            metric,
            dimensions: { StorageTargetId: `MDT000${target}` },
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
function maintained(record: RunRecord): RunRecord {
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

/** Both arms lose a tenth for good after half of many repeats, and the service sees it. */
function tiring(): RunRecord {
  const record = soundRun({ repeats: 24, targets: [1, 2.6] });
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
  const record = soundRun({ repeats: 24, targets: [1] });
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

const scaled = (record: RunRecord, factor: number): RunRecord =>
  ['DataWriteBytes', 'DataReadBytes'].reduce(
    (scaledRun, metric) => withMetric(scaledRun, metric, () => factor),
    withSamples(record, (sample) =>
      sample.source === 'client' && sample.value !== null ? { ...sample, value: sample.value * factor } : sample,
    ),
  );

/** With first and last done, or least and most moved, beside each measured phase. */
function withEnds(record: RunRecord, of: (sample: Sample) => Readonly<Record<string, number>>): RunRecord {
  const samples = record.samples.flatMap((sample) => {
    if (!isMeasured(sample) || sample.metric !== 'bytes') return [sample];
    return [sample, ...Object.entries(of(sample)).map(([metric, value]) => ({ ...sample, metric, value }))];
  });
  return { ...record, samples };
}

const CASES: readonly (readonly [string, string, RunRecord])[] = [
  ['phases of four minutes', 'warning phase-too-short', shortened(soundRun(), 250)],
  ['data smaller than the memory of clients and servers', 'warning data-fit-in-memory', scaled(soundRun(), 0.2)],
  [
    'a read above what the network cards carry',
    'error faster-than-network',
    withMetric(
      withSamples(soundRun(), (sample) =>
        isMeasured(sample) && sample.operation === 'read' && sample.value !== null
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
  ['files that somebody else created', 'error foreign-load', creations(1.3)],
  ['a measurement in a maintenance window', 'warning maintenance-window', maintained(soundRun())],
  ['somebody else’s writes', 'error foreign-load', withMetric(soundRun(), 'DataWriteBytes', () => 1.4)],
  [
    'data that do not compress as asked for',
    'warning compressibility-off-target',
    withSamples(soundRun(), (sample) =>
      sample.metric === 'compression_ratio' && sample.arm === 'lz4' && sample.target === 2.6
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
    'processes that go on after the time limit',
    'warning stonewall-wear-out',
    (() => {
      const record = soundRun();
      const late = record.samples.flatMap((sample) =>
        isMeasured(sample) && sample.metric === 'bytes' && sample.repeat === 2
          ? [sample, { ...sample, metric: 'total_time', value: 420, unit: 's' }]
          : [sample],
      );
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
    soundRun({ variation: 0.3, targets: [1], seed: 3 }),
  ],
  ['throughput that falls for good', 'warning burst-credits', tiring()],
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

describe('the rules of validity', () => {
  test('have nothing to say about a sound run, and each of them that applies passes', () => {
    const record = soundRun();
    expect(found(record)).toEqual([]);
    expect(summarise(record).validity).toBe('VALID');
    const passed = Object.entries(states(record)).filter(([, state]) => state !== 'passed');
    expect(passed).toEqual([
      ['creates-not-counted-by-service', 'does not apply'],
      ['removes-not-counted-by-service', 'does not apply'],
      ['free-space-disagrees', 'does not apply'],
      ['mixed-images', 'does not apply'],
      ['stragglers', 'does not apply'],
      ['burst-credits', 'does not apply'],
      ['throughput-drift', 'does not apply'],
    ]);
  });

  test.each(CASES)('%s: %s and nothing else', (_, issue, record) => {
    expect(found(record)).toEqual([issue]);
    expect(summarise(record).validity).toBe(issue.startsWith('error') ? 'INVALID' : 'WARN');
    for (const one of summarise(record).issues) {
      expect(one.message).toMatch(/\.$/);
      expect(`${one.message}${one.expected}${one.actual}`).not.toMatch(/NaN|undefined|null|Infinity/);
    }
  });

  test('are each tripped by one of these runs, but for the one that only notes', () => {
    const tripped = new Set(CASES.map(([, issue]) => issue.split(' ')[1]));
    expect(RULES.map(({ id }) => id).filter((id) => !tripped.has(id))).toEqual(['outliers']);
  });

  test('name outliers, keep them, and warn of none', () => {
    const record = withSamples(soundRun({ repeats: 9 }), (sample) =>
      isMeasured(sample) && sample.step === 'r4-c1-write' && sample.arm === 'none' && sample.value !== null
        ? { ...sample, value: sample.value * 1.03 }
        : sample,
    );
    const { issues, cells } = summarise(record);
    expect(
      issues.filter(({ id }) => id === 'outliers').map(({ severity, actual }) => [severity, actual]),
    ).toContainEqual(['note', expect.stringMatching(/^3,6\d\d in repeat 4$/)]);
    expect(cells.find(({ arm, target }) => arm === 'none' && target === 1)?.count).toBe(9);
  });

  test('say what they could not check, once, and do not take it for passed', () => {
    const record = soundRun({ withMetrics: false });
    expect(found(record)).toEqual([]);
    const note = summarise(record).issues.find(({ id }) => id === 'not-checked');
    expect(note).toMatchObject({
      severity: 'note',
      where: expect.stringContaining('bytes-not-counted-by-service, foreign-load'),
    });
    expect(note?.actual).toContain('none: DataWriteBytes: not collected; run fsxbench collect');
    expect(states(record)['foreign-load']).toBe('not checked');
  });

  test('hold nothing against the lab that only AWS can show', () => {
    const { checks } = summarise(soundRun({ lab: true })).analysis;
    const unchecked = checks.filter(({ state }) => state === 'not checked').map(({ id }) => id);
    expect(unchecked).toEqual(
      expect.arrayContaining([
        'phase-too-short',
        'faster-than-network',
        'bytes-not-counted-by-service',
        'foreign-load',
      ]),
    );
  });

  test('do not hold little data against the scale model, nor against a run that read nothing back', () => {
    const of = (record: RunRecord) => states(record)['data-fit-in-memory'];
    const small = scaled(soundRun(), 0.2);
    expect(of(small)).toBe('found');
    expect(of(modelledRun(1000))).toBe('not checked');
    expect(of({ ...small, samples: small.samples.filter(({ operation }) => operation !== 'read') })).toBe(
      'does not apply',
    );
  });

  test('count a failed task’s bytes on neither side', () => {
    const record = soundRun({ failing: ['r2-c1-write'] });
    expect(found(record)).toEqual(['warning missing-values']);
  });

  test('answer what the plan feared once the run has shown it', () => {
    const record = soundRun();
    const feared = {
      id: 'phase-too-short',
      severity: 'warning',
      message: 'x.',
      expected: '300 s',
      actual: '?',
    } as const;
    const plan = record.plan && { ...record.plan, issues: [feared] };
    expect(found({ ...record, plan })).toEqual([]);
    expect(found({ ...soundRun({ lab: true }), plan, environment: [] })).toContain('warning phase-too-short');
  });
});

test('IOR’s default on records of 1 MiB is on target; on the 4 KiB that a shared file may be left with, it is not', () => {
  // 3.93:1 was read back on a Lustre 2.15.8 with such records, 2.85:1 from a file that two ranks shared.
  const reached = (value: number) =>
    withSamples(soundRun({ targets: [1, 3.5] }), (sample) =>
      sample.arm === 'lz4' && sample.target === 3.5
        ? {
            ...sample,
            ...(sample.metric === 'compression_ratio' ? { value } : {}),
            ...(isMeasured(sample) ? { tool: 'ior', toolVersion: '3.3.0', pattern: 'ior-default' } : {}),
          }
        : sample,
    );
  const off = (value: number) =>
    summarise(reached(value)).issues.filter(({ id, where }) => id === 'compressibility-off-target' && where === 'lz4');
  expect(off(3.93)).toEqual([]);
  expect(off(3.56)).toEqual([]);
  expect(off(2.85)).toMatchObject([{ severity: 'warning', expected: '3.50:1 to 3.94:1, within 10 %' }]);
  expect(off(4.5)).toHaveLength(1);
});

describe('a local run is not the lab’s', () => {
  const local = (actually: string): RunRecord => {
    const record = soundRun();
    if (record.manifest === null) throw new Error('a sound run has a manifest');
    const arms = record.manifest.arms.map((arm) => ({
      ...{ ...arm, kind: 'local' as const, fileSystemId: null, describe: null, hourlyUsd: null },
      ...{ hourlyReason: 'a directory of this machine has no list price', actually },
    }));
    return { ...record, manifest: { ...record.manifest, stack: null, region: null, arms } };
  };
  const everyWord = (record: RunRecord): string => {
    const { limits, costs, verdicts, checks, predicted } = toJson(summariseRun(record)).analysis;
    return [
      toJson(summariseRun(record)).answers,
      limits,
      costs,
      verdicts,
      checks,
      predicted,
      toJson(summariseRun(record)).issues,
    ]
      .map((part) => JSON.stringify(part))
      .join('\n');
  };

  test('nothing speaks of the lab, on a disk of this machine', () => {
    const record = local('ext4 on /dev/nvme1n1');
    expect(toJson(summariseRun(record)).place).toBe('directories');
    expect(everyWord(record)).not.toMatch(/the lab|stood in/);
    expect(everyWord(record)).toContain('Nothing was rented');
  });

  test('on mounted Lustre, which may be Amazon’s, nothing says that it is not, nor that it costs nothing', () => {
    const record = local('lustre on 10.0.0.15@tcp:/abcdefgh');
    expect(toJson(summariseRun(record)).place).toBe('mounted');
    expect(everyWord(record)).not.toMatch(
      /the lab|stood in|local file systems|[Nn]othing was rented|directories of one machine/,
    );
    expect(everyWord(record)).toContain('knows no price of them');
    expect(figuresOf(summariseRun(record)).platform).toBe('Lustre mounted on one machine');
  });

  test('a deployment and the lab stay what they were', () => {
    expect([soundRun(), soundRun({ lab: true })].map((record) => toJson(summariseRun(record)).place)).toEqual([
      'aws',
      'lab',
    ]);
  });
});
