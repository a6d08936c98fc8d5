import { summarise } from '../../../lib/analysis/summary';
import { offloadBench } from '../../../lib/benchmark/offload';
import { clientCompressionOf } from '../../../lib/benchmark/offload/plan/ladder';
import { armsOf } from '../../../lib/config/benchmark';
import { makePlan } from '../../../lib/plan/plan';
import { renderMarkdown } from '../../../lib/report/markdown';
import { renderHtml } from '../../../lib/report/page';
import { familyOf, pointsOf, spreadLabels } from '../../../lib/report/study/offload/trade';
import type { Plan, WorkloadAction } from '../../../lib/schema/plan';
import type { Sample } from '../../../lib/schema/sample';
import type { RunRecord } from '../../../lib/store/record';
import { deployedArm, manifestOf, sampleOf, recordOf as wholeRecord } from '../../support/records';

const names = (settings: object): string[] => offloadBench.arms('published', settings as never).map(({ name }) => name);

const planWith = (arms: readonly string[], set: readonly string[] = []): Plan =>
  makePlan({
    benchmark: offloadBench,
    plan: 'ladder',
    scale: 'lab',
    hourlyUsd: 0,
    set,
    fleet: { clients: 1, instanceType: null, ranksPerClient: 2 },
    arms: arms.map((name) => ({ name, description: name })),
  });

describe('the arms', () => {
  test('are the slides’, the levels between them, zstd, and compression on the client', () => {
    expect(names({})).toEqual([
      ...['off', 'lz4', 'gzip-1', 'gzip-6', 'gzip-9', 'zstd-1', 'zstd-3', 'zstd-9'],
      ...['client-lz4-1', 'client-zstd-3'],
    ]);
  });

  test('offload nothing to hardware unless asked', () => {
    for (const { storage } of offloadBench.arms('published')) expect(storage).not.toHaveProperty('offload');
  });

  test('QAT brings gzip with records that it takes, and the same without it', () => {
    const arms = armsOf(offloadBench, 'published', { lustreZfsOffload: 'qat', arms: ['gzip-6-qat', 'gzip-6-r128'] });
    expect(arms.map(({ name, storage }) => ({ name, ...storage }))).toMatchObject([
      { name: 'gzip-6-r128', compression: 'gzip-6', recordSizeKiB: 128 },
      { name: 'gzip-6-qat', compression: 'gzip-6', recordSizeKiB: 128, offload: 'qat' },
    ]);
  });

  test('a build of the user’s own comes with its archive, and is refused without', () => {
    const build = `s3://builds/zfs.tar.gz#${'a'.repeat(64)}`;
    const own = { lustreZfsOffload: 'own-build' as const, arms: ['gzip-6-own-build'] };
    expect(armsOf(offloadBench, 'published', { ...own, lustreZfsBuild: build })[0]?.storage).toMatchObject({
      offload: 'own-build',
      recordSizeKiB: 1024,
      build: { url: 's3://builds/zfs.tar.gz', sha256: 'a'.repeat(64) },
    });
    expect(() => armsOf(offloadBench, 'published', own)).toThrow("'lustreZfsBuild' must be given with own-build");
  });

  test('a second record size is compared with one arm of each kind', () => {
    expect(names({ recordSizesKiB: [1024, 128] }).slice(-4)).toEqual([
      'off-r128',
      'lz4-r128',
      'gzip-6-r128',
      'zstd-3-r128',
    ]);
  });

  test('one compression is compared with none', () => {
    expect(names({ lustreZfsCompression: 'gzip-4' }).slice(0, 2)).toEqual(['off', 'gzip-4']);
  });

  test.each([
    ['client-zstd-3', { algorithm: 'zstd', level: 3 }],
    ['zstd-3', null],
    ['client-zstd', null],
  ])('%s says what its clients do', (arm, expected) => {
    expect(clientCompressionOf(arm)).toEqual(expected);
  });
});

describe('the plan', () => {
  const plan = planWith(['off', 'gzip-6', 'client-zstd-3'], ['reads=true']);
  const on = (arm: string) =>
    plan.steps.filter(({ tasks }) => tasks.length === 1 && tasks[0]?.arm === arm).map(({ tasks }) => tasks[0]?.action);
  const writes = (arm: string) =>
    on(arm).filter((action): action is WorkloadAction => action?.kind === 'workload' && action.operation === 'write');

  test('refuses an algorithm that no client has, and names those that there are', () => {
    expect(() => planWith(['client-lzma-1'])).toThrow(
      "must be client-lz4-1 to client-lz4-12 or client-zstd-1 to client-zstd-19, got 'client-lzma-1'",
    );
    expect(() => planWith(['client-zstd-20'])).toThrow("got 'client-zstd-20'");
  });

  test('reads back what each write took, and the processors that it took', () => {
    for (const arm of ['off', 'gzip-6', 'client-zstd-3']) {
      const kinds = on(arm).map((action) => action?.kind);
      expect(kinds.filter((kind) => kind === 'measure-ratio')).toHaveLength(3);
      expect(writes(arm)).toHaveLength(3);
      for (const [index, action] of on(arm).entries())
        if (action?.kind === 'workload' && action.operation === 'write') expect(kinds[index + 1]).toBe('measure-ratio');
      expect(writes(arm).every(({ serverCpu }) => serverCpu)).toBe(true);
    }
  });

  test('goes from the network up before anything else, on an arm that nothing compresses on its clients', () => {
    const { steps } = planWith(['client-zstd-3', 'off', 'lz4'], ['baselines=tcp,lnet,raw,raidz1']);
    expect(steps.slice(0, 4).map(({ id, phase, tasks }) => [id, phase, tasks.map(({ arm }) => arm)])).toEqual(
      ['tcp', 'lnet', 'raw', 'raidz1'].map((id) => [`baseline-${id}`, 'setup', ['off']]),
    );
    expect(
      steps.slice(2, 4).flatMap(({ tasks }) => tasks.map(({ action }) => (action as WorkloadAction).command.join(' '))),
    ).toEqual(['{server} rung raw write 3 2', '{server} rung raidz1 write 3 2']);
  });

  test('measures ZFS without Lustre on the data set of each arm that its servers compress', () => {
    const { steps } = planWith(['off', 'gzip-6', 'client-zstd-3'], ['baselines=raidz1,zfs']);
    const baselines = steps.filter(({ id }) => id.startsWith('baseline-'));
    expect(baselines.map(({ id, tasks }) => [id, tasks.map(({ arm }) => arm)])).toEqual([
      ['baseline-raidz1', ['off']],
      ['baseline-zfs-off', ['off']],
      ['baseline-zfs-gzip-6', ['gzip-6']],
    ]);
    const command = ['{server}', 'rung', '{fileSystem}', 'write', '3', '2'];
    expect(baselines[2]?.tasks[0]?.action).toMatchObject({ command });
  });

  test.each(['floppy', 'tcp,', 'tcp raw'])('measures no baseline %j', (text) => {
    expect(() => planWith(['off'], [`baselines=${text}`])).toThrow(/'baselines' must be some of .*tcp.*lnet/);
  });

  test('clients and servers compress the same data', () => {
    const generator = ({ command }: WorkloadAction): string[] =>
      command.filter((word) => /^--(bs|refill_buffers|buffer_compress|numjobs)/.test(word));
    expect(generator(writes('client-zstd-3')[0] as WorkloadAction)).toEqual(
      generator(writes('gzip-6')[0] as WorkloadAction),
    );
    expect(writes('gzip-6')[0]?.pattern).toBe('fio-30');
  });

  test('reads back no file that a client compressed', () => {
    const reads = (arm: string) =>
      on(arm).filter((action) => action?.kind === 'workload' && action.operation === 'read');
    expect([reads('gzip-6').length, reads('client-zstd-3').length]).toEqual([3, 0]);
    const own = plan.steps.filter(({ tasks }) => tasks.some(({ arm }) => arm === 'gzip-6')).map(({ id }) => id);
    const order = own.join(' ').match(/-(write|drop-caches|read)(?=-gzip| |$)/g);
    expect(order?.join('')).toBe('-write-drop-caches-read'.repeat(3));
  });
});

const FLEET = { instanceType: 'c5n.18xlarge', image: null, clients: [], hourlyUsd: 8 };

/** A run in which every figure is what the arguments say, in three repeats. */
function recordOf(
  arms: Readonly<Record<string, Partial<Record<string, number | string>>>>,
  benchmark = 'OffloadBench',
): RunRecord {
  const plan = { ...planWith(Object.keys(arms)), benchmark };
  const at = new Date(Date.UTC(2026, 10, 22)).toISOString();
  const samples = Object.entries(arms).flatMap(([arm, figures]) =>
    [1, 2, 3].flatMap((repeat) =>
      Object.entries(figures).map(([key, value]): Sample => {
        const [operation = '', metric = ''] = key.split('.');
        const given = typeof value === 'number' ? { value } : { value: null, reason: String(value) };
        const phase = operation === 'space' ? 'conclude' : 'measure';
        const unit = metric === 'throughput' ? 'MB/s' : metric.endsWith('seconds') ? 's' : '1';
        const counted = { tool: 'fio', toolVersion: '3.33', pattern: 'fio-30', ranks: 2, plannedRanks: 2 };
        const of = { arm, step: `r${repeat}-c1.4-write-${arm}`, repeat, phase, compressibility: 1.4 } as const;
        return sampleOf({ ...of, operation, metric, unit, ...given, ...counted, startedAt: at, endedAt: at });
      }),
    ),
  );
  return wholeRecord({ plan, samples });
}

const SERVER = {
  'write.throughput': 400,
  'write.bytes': 2e9,
  'write.server_cpu_seconds': 5,
  'space.compression_ratio': 1.4,
};
const CLIENT = {
  'stream_write.throughput': 300,
  'stream_write.bytes': 3e9,
  'stream_write.server_cpu_seconds': 3,
  'stream_write.client_cpu_seconds': 6,
  'stream_write.stored_bytes': 2e9,
  'space.apparent_bytes': 2e9,
  'space.allocated_bytes': 2e9,
  'space.compression_ratio': 1,
};

describe('a point of the figure', () => {
  test.each([
    ['gzip-6', { family: 'gzip', level: 6 }],
    ['gzip-6-r128', { family: 'gzip-r128', level: 6 }],
    ['client-zstd-3', { family: 'client-zstd', level: 3 }],
    ['off', { family: 'off', level: null }],
  ])('%s belongs to the levels of its algorithm', (arm, expected) => {
    expect(familyOf(arm)).toEqual(expected);
  });

  test('has the processor time of 10⁹ bytes before compression, and the ratio that was read back', () => {
    const [point] = pointsOf(summarise(recordOf({ 'gzip-6': SERVER })));
    expect(point).toMatchObject({
      throughputMBps: { value: 400 },
      serverCpuPerGB: { value: 2.5 },
      ratio: { value: 1.4 },
      clientCpuPerGB: { value: null, reason: 'not measured' },
    });
  });

  test('of a client that compresses has the ratio of the bytes before to those stored, and both processor times', () => {
    const [point] = pointsOf(summarise(recordOf({ 'client-zstd-3': CLIENT })));
    expect(point).toMatchObject({ ratio: { value: 1.5 }, serverCpuPerGB: { value: 1 }, clientCpuPerGB: { value: 2 } });
  });

  test('has the median of what each repeat took for its own bytes, however many those are', () => {
    const record = recordOf({ 'gzip-6': SERVER });
    const cpu = [5, 20, 18];
    const written = [2e9, 4e9, 6e9];
    const samples = record.samples.map((sample) => {
      const of = { server_cpu_seconds: cpu, bytes: written }[sample.metric];
      return of === undefined ? sample : { ...sample, value: of[sample.repeat - 1] ?? null };
    });
    // Repeat 0 prepares, and counts for nothing.
    const prepared = samples.map((sample) => ({ ...sample, repeat: 0, value: 1 }));
    const [point] = pointsOf(summarise({ ...record, samples: [...prepared, ...samples] }));
    expect(point?.serverCpuPerGB.value).toBe(3);
  });

  test('without processor time says why', () => {
    const record = recordOf({ off: { ...SERVER, 'write.server_cpu_seconds': 'the servers did not say' } });
    expect(pointsOf(summarise(record))[0]?.serverCpuPerGB).toEqual({ value: null, reason: 'the servers did not say' });
  });
});

describe('the ladder', () => {
  const record = recordOf({ off: { ...SERVER, 'space.compression_ratio': 1 } });
  const plan = planWith(['off'], ['baselines=raw,raidz1,zfs']);
  const [first] = record.samples as [Sample];
  const sample = (step: string, metric: string, value: number | null): Sample => ({
    ...first,
    step,
    phase: 'setup',
    repeat: 0,
    compressibility: null,
    metric,
    unit: 'MB/s',
    value,
    ...(value === null ? { reason: 'no disk is empty' } : {}),
  });
  const run = summarise({
    ...record,
    plan,
    samples: [
      ...record.samples,
      sample('baseline-raw', 'throughput', null),
      sample('baseline-raidz1', 'throughput', 15_000),
      sample('baseline-raidz1', 'gzip_share', 0.71),
      sample('baseline-zfs-off', 'throughput', 14_000),
    ],
  });

  test('stands in the report with the slides’ figures and verdicts, and reasons for what was not measured', () => {
    const markdown = renderMarkdown(run);
    expect(markdown).toMatch(/\| One disk \| –.*no disk is empty.*one NVMe: 1952\.021 MiB\/s.*not comparable/);
    expect(markdown).toMatch(/\| RAID-Z1, ZFS without compression \| 15,000 \| 71 % \| 8\+1 RAID-Z1: 15200 MiB\/s/);
    expect(markdown).toMatch(/\| ZFS without Lustre: off \| 14,000 \|/);
    expect(markdown).toMatch(/\| A client’s write, without compression \| 400/);
  });

  test('is no part of the figures that arms are compared by', () => {
    expect(pointsOf(run)).toHaveLength(1);
    expect(run.cells.every(({ compressibility }) => compressibility === 1.4)).toBe(true);
  });
});

describe('the slides’ figures', () => {
  test('are in MiB/s: the disks of the scale model have the 15,200 MiB/s of their RAID-Z1 in MB/s', () => {
    expect(offloadBench.lab.disk?.MBps).toBeCloseTo(15_938.36, 1);
  });

  /** A run on EC2 that measured one layer at so many MB/s, or none; on an arm with so many disks. */
  function verdictOn(layer: string, tool: string, MBps: number | null, raidDisks = 9) {
    const record = recordOf({ off: { ...SERVER, 'space.compression_ratio': 1 } });
    const [first] = record.samples as [Sample];
    const configuration = { kind: 'lustre-zfs', instanceType: 'i7ie.48xlarge', compression: 'off', raidDisks };
    const plan = planWith(['off'], [`baselines=${layer}`]);
    const deployed = deployedArm({ name: 'off', kind: configuration.kind, fileSystemId: 'server.off', hourlyUsd: 25 });
    const at = { step: `baseline-${layer}`, phase: 'setup' as const, repeat: 0, compressibility: null, pattern: layer };
    const { analysis } = summarise({
      ...record,
      plan: { ...plan, arms: plan.arms.map((arm) => ({ ...arm, configuration })) },
      samples: [
        ...record.samples,
        // The first attempt, which was done again, does not count.
        ...(MBps === null ? [] : [1, MBps]).map((value, before) => {
          return { ...first, ...at, attempt: before + 1, tool, metric: 'throughput', value, unit: 'MB/s' };
        }),
      ],
      manifest: manifestOf({ region: 'us-east-1', arms: [deployed], fleet: FLEET }),
    });
    const own = analysis.verdicts.find(({ claim }) => claim.study === offloadBench.study && claim.layer === layer);
    return [own?.verdict, own?.because];
  }
  const network = 'the network is Ethernet of EC2 (study: InfiniBand)';

  test.each([
    ['tcp', 'iperf3', 22_000, 'not comparable', `${network}; the tool is iperf3 (study: ib_send_bw)`],
    ['lnet', 'lst', 15_000, 'not comparable', network],
    ['raw', 'rung', 2047, 'reproduced', 'meets the published 1952 MiB/s'],
    ['raw', 'rung', 900, 'not reproduced', 'does not meet the published 1952 MiB/s'],
    ['raw', 'rung', null, 'not comparable', 'the run did not measure it'],
    ['raidz1', 'rung', 15_938, 'reproduced', 'meets the published 15200 MiB/s'],
  ])('are judged by the step of their layer: %s with %s at %j MB/s is %s', (layer, tool, MBps, verdict, because) => {
    expect(verdictOn(layer, tool, MBps)).toEqual([verdict, expect.stringContaining(because)]);
  });

  test('a narrower RAID is another storage', () => {
    expect(verdictOn('raidz1', 'rung', 15_938, 8)).toEqual([
      'not comparable',
      'the storage is 7+1 RAID-Z1 of NVMe (study: 8+1 RAID-Z1 of NVMe)',
    ]);
  });
});

describe('the figure', () => {
  const own = summarise(
    recordOf({ off: { ...SERVER, 'space.compression_ratio': 1 }, 'gzip-6': SERVER, 'client-zstd-3': CLIENT }),
  );
  const fsx = summarise(
    recordOf(
      { lz4: { 'write.throughput': 900, 'write.bytes': 1e9, 'space.compression_ratio': 1.3 } },
      'CompressionBench',
    ),
  );

  test('has the arms of other runs when they are given, and not otherwise', async () => {
    expect(renderMarkdown(own)).not.toContain('CompressionBench lz4');
    const both = { ...own, beside: [fsx] };
    expect(renderMarkdown(both)).toMatch(/\| CompressionBench lz4 \| 1\.4:1 \| 900 \| 1\.30 \|/);
    expect(await renderHtml(both)).toContain('CompressionBench lz4: 900 MB/s at 1.30:1, CPU time not known');
  });

  test('names what the data of a point were made for where points differ in it', async () => {
    const made = <T extends object>(ones: readonly T[]): T[] => ones.map((one) => ({ ...one, compressibility: 2.5 }));
    const record = { ...fsx.record, counted: made(fsx.record.counted) };
    const other = { ...fsx, record, cells: made(fsx.cells), space: made(fsx.space) };
    const page = await renderHtml({ ...own, beside: [other] });
    expect(page).toContain('CompressionBench lz4, 2.5:1: 900 MB/s');
    expect(page).toContain('gzip-6, 1.4:1: 400 MB/s');
    expect(await renderHtml(own)).not.toContain('gzip-6, 1.4:1: 400 MB/s');
  });

  test('counts what a client compressed by its bytes before, in sentences and tables', () => {
    const markdown = renderMarkdown(own);
    expect(markdown).toContain('**client-zstd-3** stored 2.79 GiB in 1.86 GiB: 1.5:1');
    expect(markdown).not.toContain('1.0:1 by');
  });

  test('stands in no report of another benchmark', () => {
    expect(renderMarkdown({ ...fsx, beside: [own] })).not.toContain('What compression costs');
  });

  test('says the result in a sentence', () => {
    expect(renderMarkdown(own)).toContain(
      'wrote 400 MB/s for 2.50 s of CPU time per GB; **gzip-6** wrote 400 MB/s at 1.40:1 for 2.50 s of CPU time per GB, and **client-zstd-3** wrote 300 MB/s at 1.50:1 for 3 s',
    );
  });

  test('says it without processor time, where the servers could not count it', () => {
    const hidden = { 'write.server_cpu_seconds': 'no worker of the kernel is to be seen' };
    const some = recordOf({
      off: { ...SERVER, ...hidden, 'space.compression_ratio': 1 },
      lz4: { ...SERVER, ...hidden, 'write.throughput': 500, 'space.compression_ratio': 1.3 },
      'gzip-6': { ...SERVER, ...hidden },
    });
    expect(renderMarkdown(summarise(some))).toContain(
      'wrote 400 MB/s; **lz4** wrote 500 MB/s at 1.30:1, and **gzip-6** wrote 400 MB/s at 1.40:1.',
    );
  });

  test.each([[[5, 5, 5]], [[0, 10, 10, 10]], [[3, 2.5, 9.9, 9.8, 0.1]]])(
    'writes the names of %j beside each other, and within the chart',
    (heights) => {
      const at = spreadLabels(heights, 1, 0, 10);
      expect(Math.min(...at)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...at)).toBeLessThanOrEqual(10);
      const sorted = [...at].sort((a, b) => a - b);
      for (const [index, height] of sorted.entries())
        if (index > 0) expect(height - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(1 - 1e-9);
    },
  );
});

test('arms on the same server are paid for once', () => {
  const record = recordOf({ off: SERVER, 'gzip-6': SERVER });
  const storage = { kind: 'lustre-zfs', instanceType: 'i7ie.48xlarge' };
  const arms = record.plan?.arms.map((arm) => ({ ...arm, configuration: { ...storage, compression: arm.name } }));
  const deployed = (name: string) =>
    deployedArm({ name, kind: storage.kind, fileSystemId: `server.${name}`, hourlyUsd: 25 });
  const manifest = manifestOf({ arms: ['off', 'gzip-6'].map(deployed), fleet: FLEET });
  const { cost } = summarise({ ...record, plan: { ...(record.plan as Plan), arms: arms ?? [] }, manifest });
  expect(cost.hourlyUsd).toBe(33);
});
