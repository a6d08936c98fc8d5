import type { ScalingModel, ScalingVerdict } from '../../../lib/analysis/limits/known';
import { modelLimits } from '../../../lib/analysis/limits/known';
import { type LimitResult, operationLimits } from '../../../lib/analysis/limits/limitedBy';
import { summarise } from '../../../lib/analysis/summary';
import { groupOf } from '../../../lib/common/collections';
import { instanceType } from '../../../lib/fleet/instanceTypes';
import { renderMarkdown } from '../../../lib/report';
import type { CollectedSeries } from '../../../lib/schema/metrics';
import type { ScaleModel } from '../../../lib/schema/model';
import { bindingOf, kneeOf } from '../../../lib/storage/common/limits';
import type { RunRecord } from '../../../lib/store/record';
import { modelledRun, withGains } from '../../report/modelledRun';
import { achieved, BASELINE_MBPS, syntheticRun } from '../../report/syntheticRun';
import { clientLoad } from '../../support/records';
import { scaled } from '../faultyRuns';
import { soundRun, withMetric } from '../runs';

// PERSISTENT_1 at 200 MB/s/TiB of 14,400 GiB: 2,880 MB/s of disk sustained, 3,456 in a burst; 6,480 and 18,720 of network.
const DISK_MBPS = 2880;

/** A run whose `none` writes at a share of what its disks sustain, with the utilisation, in percent, that its service published meanwhile. */
function runAt(share: number, utilisation: Readonly<Record<string, number>>): RunRecord {
  const record = scaled(soundRun({ compressibilities: [1] }), (share * DISK_MBPS) / BASELINE_MBPS);
  return {
    ...record,
    metrics: record.metrics.map((file) => {
      const others = file.series.filter(({ metric }) => !metric.endsWith('Utilization'));
      const network = file.series.filter(({ metric }) => metric === 'NetworkThroughputUtilization');
      const published = Object.entries(utilisation).flatMap(([metric, percent]) =>
        network.map((one) => ({ ...one, metric, points: one.points.map(([at]) => [at, percent] as const) })),
      );
      return { ...file, series: [...others, ...published] };
    }),
  };
}

const written = (record: RunRecord) =>
  summarise(record).analysis.limits.find(({ arm, operation }) => arm === 'none' && operation === 'write');

const DISK = 'FileServerDiskThroughputUtilization';
const NETWORK = 'NetworkThroughputUtilization';

test.each([
  // [share of the disks' sustained rate, utilisation, limit, what says so]
  [0.88, {}, 'disk', 'documented limit'],
  [0.97, { [DISK]: 85 }, 'disk', 'documented limit'],
  [0.88, { [DISK]: 94 }, 'disk', 'utilisation'],
  [0.88, { [DISK]: 60, [NETWORK]: 95 }, 'server_network', 'utilisation'],
  // Of two that are busy, the busier one holds the other up.
  [0.5, { [DISK]: 93, [NETWORK]: 97 }, 'server_network', 'utilisation'],
  [0.5, { [DISK]: 97, [NETWORK]: 93 }, 'disk', 'utilisation'],
  [0.88, { [NETWORK]: 20 }, 'disk', 'documented limit'],
  // The disks may be 80 % busy of their burst where they give no more than they sustain.
  [1, { [DISK]: 80 }, 'disk', 'documented limit'],
  // So are 70 % of a burst of 120 %: 84 % of what is sustained.
  [0.88, { [DISK]: 70 }, 'disk', 'documented limit'],
  [0.5, { [DISK]: 45 }, null, null],
  [1.2, { [DISK]: 60 }, null, null],
  [0.88, { [DISK]: 60 }, null, null],
])('writes at %d of what the disks sustain, with %j: limited by %s (%s)', (share, utilisation, limitedBy, because) => {
  expect(written(runAt(share, utilisation))).toMatchObject({ limitedBy, because });
});

test.each([
  [95, 30],
  [30, 95],
])('one busy server holds up the others: servers at %d and %d %%', (first, second) => {
  const record = runAt(0.5, { [DISK]: 30 });
  const metrics = record.metrics.map((file) => ({
    ...file,
    series: file.series.flatMap((one) => {
      const at = (percent: number) => ({ ...one, points: one.points.map(([time]) => [time, percent] as const) });
      return one.metric === DISK ? [at(first), at(second)] : [one];
    }),
  }));
  const limited = written({ ...record, metrics });
  expect(limited).toMatchObject({ limitedBy: 'disk', because: 'utilisation' });
  expect(limited?.evidence.find(({ metric }) => metric === DISK)?.value).toBeCloseTo(0.95, 6);
});

test('a rate at 88 % of the disks’ limit with disks that were 60 % busy met no documented limit, and the report says what speaks against it', () => {
  const record = runAt(0.88, { [DISK]: 60 });
  expect(written(record)).toMatchObject({
    limitedBy: null,
    binding: { baseline: 'disk' },
    contradiction: { metric: DISK, limit: 'disk', value: expect.closeTo(0.6, 6) },
  });
  const report = renderMarkdown(summarise(record));
  expect(report).toContain(
    'wrote at 88 % of what the disks sustain, but FileServerDiskThroughputUtilization was only 60 %: no documented limit was reached',
  );
  expect(report).toContain('none: FileServerDiskThroughputUtilization at most 60 %');
});

test('behind compression the disks’ word counts for disk × ratio', () => {
  const of = (percent: number) =>
    summarise(scaledTo(runAt(1, { [DISK]: percent }), 2.6)).analysis.limits.find(
      ({ arm, operation }) => arm === 'lz4' && operation === 'write',
    );
  expect(of(95)).toMatchObject({ limitedBy: 'disk_compressed', because: 'utilisation' });
  expect(of(50)).toMatchObject({ limitedBy: null, contradiction: { limit: 'disk' } });
});

/** The same run on data of another compressibility, whose `lz4` then writes as much faster. */
function scaledTo(record: RunRecord, compressibility: number): RunRecord {
  const source = scaled(soundRun({ compressibilities: [compressibility] }), (0.9 * DISK_MBPS) / BASELINE_MBPS);
  const utilisation = record.metrics.flatMap(({ series }) => series.filter(({ metric }) => metric === DISK));
  return {
    ...source,
    metrics: source.metrics.map((file) => ({
      ...file,
      series: [
        ...file.series.filter(({ metric }) => !metric.endsWith('Utilization')),
        ...utilisation.filter(({ arm }) => file.series.some((one) => one.arm === arm)),
      ],
    })),
  };
}

test('no utilisation, and one that is not known, contradicts nothing', () => {
  expect(written(runAt(0.88, {}))).not.toHaveProperty('contradiction');
  expect(written(runAt(0.5, { [DISK]: 10 }))).not.toHaveProperty('contradiction');
});

const MINUTE = 60_000;

interface Load {
  /** Share of the network's baseline and of the processors that were used. */
  readonly nic: number;
  readonly cpu: number;
}

/** The run with a point a minute of each client, as busy as `load` says while it worked for an arm. */
function withClients(record: RunRecord, load: (arm: string | null) => Load): RunRecord {
  const { clients, instanceType: type } = record.manifest?.fleet ?? { clients: [], instanceType: null };
  const baseline = instanceType(type ?? '')?.networkBaselineMbps ?? 0;
  const groups = record.plan?.arms.length ?? 1;
  const times = record.samples.flatMap(({ startedAt, endedAt }) => [Date.parse(startedAt), Date.parse(endedAt)]);
  const minutes: number[] = [];
  for (let at = Math.floor(Math.min(...times) / MINUTE) * MINUTE; at < Math.max(...times); at += MINUTE)
    minutes.push(at);
  const armAt = (instanceId: string, at: number): string | null =>
    record.samples.find(
      ({ group, source, startedAt, endedAt }) =>
        source === 'client' &&
        Date.parse(startedAt) <= at &&
        Date.parse(endedAt) >= at + MINUTE &&
        groupOf(clients, groups, group).some((one) => one.instanceId === instanceId),
    )?.arm ?? null;
  const series = clients.flatMap(({ instanceId }) =>
    (['CPUUtilization', 'NetworkIn', 'NetworkOut'] as const).map((metric): CollectedSeries => {
      const pointOf = ({ nic, cpu }: Load): number =>
        metric === 'CPUUtilization' ? cpu * 100 : (nic * baseline * 1e6 * 60) / 8;
      return {
        namespace: 'AWS/EC2',
        metric,
        dimensions: { InstanceId: instanceId },
        periodSeconds: 60,
        statistic: metric === 'CPUUtilization' ? 'Average' : 'Sum',
        unit: metric === 'CPUUtilization' ? 'Percent' : 'Bytes',
        points: minutes.map((at) => [new Date(at).toISOString(), pointOf(load(armAt(instanceId, at)))]),
      };
    }),
  );
  const window = { from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T10:00:00.000Z' };
  return { ...record, clientMetrics: { schema: 'fsxbench.client-metrics/1', run: record.run, window, series } };
}

const IDLE: Load = { nic: 0.1, cpu: 0.1 };
const ofArm = (record: RunRecord, arm: string): LimitResult[] =>
  summarise(record).analysis.limits.filter((one) => one.arm === arm);
const writesOf = (record: RunRecord, arm: string) =>
  ofArm(record, arm).filter(({ operation }) => operation === 'write');

test.each([
  ['network', { nic: 0.96, cpu: 0.3 }, 'client_nic'],
  ['processors', { nic: 0.5, cpu: 0.97 }, 'client_cpu'],
  ['network before the processors that work for it', { nic: 0.93, cpu: 0.99 }, 'client_nic'],
])('clients whose %s is busy while the servers are not are named as the limit', (_, load, limit) => {
  const record = withClients(soundRun(), () => load);
  for (const one of [...ofArm(record, 'none'), ...ofArm(record, 'lz4')])
    expect([one.limitedBy, one.because]).toEqual([limit, 'utilisation']);
});

test('one client whose network is busy holds the others up, however idle they are', () => {
  const record = withClients(soundRun(), () => IDLE);
  const { instanceId } = record.manifest?.fleet.clients[0] ?? {};
  const series = record.clientMetrics?.series.map((one) =>
    one.dimensions.InstanceId === instanceId && one.metric === 'NetworkOut'
      ? { ...one, points: one.points.map(([at, bytes]) => [at, 9.6 * bytes] as const) }
      : one,
  );
  const { clientMetrics } = record;
  const one = { ...record, clientMetrics: clientMetrics && { ...clientMetrics, series: series ?? [] } };
  const found = [...writesOf(one, 'none'), ...writesOf(one, 'lz4')].find(({ limitedBy }) => limitedBy === 'client_nic');
  expect(found?.evidence.find(({ limit }) => limit === 'client_nic')?.value).toBeCloseTo(0.96, 6);
});

test('clients that are not busy change nothing but stand among the evidence', () => {
  const record = soundRun();
  const strip = (results: readonly LimitResult[]) => results.map(({ evidence, ...rest }) => rest);
  const idle = withClients(record, () => IDLE);
  expect(strip(ofArm(idle, 'none'))).toEqual(strip(ofArm(record, 'none')));
  const [write] = writesOf(idle, 'none');
  expect(write?.evidence.slice(-2)).toEqual([
    { metric: 'NetworkOut', limit: 'client_nic', value: expect.closeTo(0.1, 6), reason: null },
    { metric: 'CPUUtilization', limit: 'client_cpu', value: expect.closeTo(0.1, 6), reason: null },
  ]);
  expect(
    ofArm(idle, 'none')
      .find(({ operation }) => operation === 'read')
      ?.evidence.at(-2)?.metric,
  ).toBe('NetworkIn');
  // The same bytes in halves of a minute are the same share.
  const halved = (idle.clientMetrics?.series ?? []).map((one) => ({
    ...{ ...one, periodSeconds: 30 },
    points: one.points.flatMap(([at, bytes]) =>
      [0, 30_000].map((after) => [new Date(Date.parse(at) + after).toISOString(), bytes / 2] as const),
    ),
  }));
  const half = { ...idle, clientMetrics: idle.clientMetrics && { ...idle.clientMetrics, series: halved } };
  expect(writesOf(half, 'none')[0]?.evidence.at(-2)?.value).toBeCloseTo(0.1, 6);
});

test('a run whose clients were not collected is judged as before', () => {
  const evidence = ofArm(soundRun(), 'none').flatMap((one) => one.evidence.map(({ limit }) => limit));
  expect(evidence.filter((limit) => limit.startsWith('client'))).toEqual([]);
});

test('clients that say themselves that they are busy change nothing where a limit that is known was reached', () => {
  const record = soundRun();
  const load = clientLoad({ busy: 1, tool: 1, loadAverage: 9, cpuStall: null, memoryStall: null });
  const others = { ...load, client: '10.0.0.9', tool: 0.2 };
  const samples = record.samples.map((one) => ({ ...one, load: [others, load] }));
  const busy = ofArm({ ...record, samples }, 'none');
  expect(busy.map(({ limitedBy }) => limitedBy)).toEqual(ofArm(record, 'none').map(({ limitedBy }) => limitedBy));
  expect(busy[0]?.evidence.at(-1)).toMatchObject({ limit: 'client_cpu', value: 1, weak: true });
});

test('the clients of one arm say nothing of the other', () => {
  const record = withClients(soundRun(), (arm) => (arm === 'lz4' ? { nic: 0.97, cpu: 0.2 } : IDLE));
  expect(writesOf(record, 'lz4').map(({ limitedBy }) => limitedBy)).toEqual(['client_nic', 'client_nic']);
  expect(writesOf(record, 'none').map(({ limitedBy }) => limitedBy)).toEqual(['disk', 'disk']);
});

test('a busy server is the limit, however busy the clients are that wait for it', () => {
  const busy = withMetric(soundRun(), 'NetworkThroughputUtilization', () => 5.6);
  const record = withClients(busy, () => ({ nic: 0.95, cpu: 1 }));
  expect(writesOf(record, 'lz4').at(-1)?.limitedBy).toBe('server_network');
});

test('a phase without a whole period of a client has a reason in place of a value', () => {
  const record = withClients(soundRun(), () => IDLE);
  const { clientMetrics } = record;
  const series = (clientMetrics?.series ?? []).map((one) => ({ ...one, points: [], reason: 'no point in the window' }));
  const none = { ...record, clientMetrics: clientMetrics && { ...clientMetrics, series } };
  expect(writesOf(none, 'none')[0]?.evidence.at(-2)).toEqual({
    metric: 'NetworkOut',
    limit: 'client_nic',
    value: null,
    reason: 'NetworkOut: no point in the window',
  });
  const hours = (clientMetrics?.series ?? []).map((one) => ({ ...one, periodSeconds: 36_000 }));
  const coarse = { ...record, clientMetrics: clientMetrics && { ...clientMetrics, series: hours } };
  expect(writesOf(coarse, 'none')[0]?.evidence.at(-1)?.reason).toBe(
    'CPUUtilization: no whole period of it lies within the phase',
  );
});

const lawOf = (record: RunRecord): ScalingModel | undefined => summarise(record).analysis.scalingModel;
const FREE = BASELINE_MBPS * 20;

function gainIn(record: RunRecord, compressibility: number): ScalingVerdict {
  const found = lawOf(record)?.verdicts.find(
    (one) => one.operation === 'write' && one.compressibility === compressibility,
  );
  if (found === undefined) throw new Error('the run has no verdict');
  return found;
}

const RATIO = achieved(2.6);

test.each([
  ['on AWS', syntheticRun()],
  ['on local file systems that nothing limits', syntheticRun({ lab: true })],
])('a run %s decides no scaling model', (_, record) => {
  expect(lawOf(record)).toBeUndefined();
});

test('a gain that falls short of the ratio by more than its interval is not reproduced', () => {
  const { verdict, measured, expected } = gainIn(withGains(modelledRun(FREE), 2.6, [1.19, 1.2, 1.21]), 2.6);
  expect(measured).toBeCloseTo(1.2);
  expect(expected).toBeCloseTo(RATIO, 1);
  expect(verdict).toBe('not reproduced');
});

test('a gain that is off in repeats that scatter is inconclusive: neither a success nor a refutation', () => {
  expect(gainIn(withGains(modelledRun(FREE), 2.6, [1, 2, 4]), 2.6).verdict).toBe('inconclusive');
});

test('a gain that agrees by chance, and cannot be told from none, is not called reproduced', () => {
  const one = gainIn(withGains(modelledRun(FREE), 2.6, [0.9, RATIO, RATIO ** 2 / 0.9]), 2.6);
  expect(one.measured / one.expected).toBeCloseTo(1, 1);
  expect([one.different, one.verdict]).toEqual([false, 'inconclusive']);
});

test('a gain on data that do not compress is not what expected', () => {
  expect(gainIn(withGains(modelledRun(FREE), 1, [1.29, 1.3, 1.31]), 1).verdict).toBe('not reproduced');
});

test('one repeat agrees with nothing', () => {
  expect(gainIn(modelledRun(FREE, { repeats: 1 }), 2.6)).toMatchObject({ interval: null, verdict: 'inconclusive' });
});

test('faster by the compression ratio is reproduced, and no faster on data that do not compress', () => {
  const record = modelledRun(FREE);
  expect(gainIn(record, 2.6)).toMatchObject({ different: true, verdict: 'reproduced' });
  expect(gainIn(withGains(record, 1, [0.99, 1, 1.01]), 1)).toMatchObject({ different: false, verdict: 'reproduced' });
  expect(lawOf(record)?.knees).toEqual([]);
});

test('past the knee the gain is the measured knee, held against network ÷ disk', () => {
  const record = withGains(modelledRun(BASELINE_MBPS * 2), 2.6, [1.95, 1.96, 1.97]);
  expect(gainIn(record, 2.6)).toMatchObject({ limitedBy: 'server_network', verdict: 'reproduced' });
  const knee = lawOf(record)?.knees.find(({ operation }) => operation === 'write');
  expect(knee).toMatchObject({ arm: 'lz4', expected: 2 });
  expect(knee?.errorPercent).toBeCloseTo(-2, 1);
});

test('of several ratios past the knee, the furthest says where it is', () => {
  const past = modelledRun(BASELINE_MBPS * 2, { compressibilities: [1, 2.6, 3.5] });
  const record = withGains(withGains(past, 2.6, [1.87, 1.88, 1.89]), 3.5, [1.95, 1.96, 1.97]);
  const knee = lawOf(record)?.knees.find(({ operation }) => operation === 'write');
  expect(knee?.measured).toBeCloseTo(1.96, 2);
});

const figure = (name: ScaleModel['held'][number]['name'], setMBps: number) => ({
  name,
  documentedMBps: setMBps * 100,
  setMBps,
  measuredMBps: setMBps * 0.99,
  source: 'https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html',
});
const model: ScaleModel = {
  scale: 100,
  stands: 'PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4',
  held: [
    figure('disk_write', 28.8),
    figure('disk_read', 20),
    figure('network_write', 108),
    figure('network_read', 108),
  ],
  dirtyBytes: 8_352_000,
  free: [],
};

test('a model that does not hold a figure has no limit of it', () => {
  const held = model.held.filter(({ name }) => name !== 'disk_read');
  expect(modelLimits({ ...model, held }, 'read', 2, 1).map(({ name }) => name)).toEqual(['server_network']);
});

test('limits are what the kernel held, not what is documented or measured, and have no burst', () => {
  expect(
    modelLimits(model, 'write', 2.5, 1).map(({ name, baselineMBps, burstMBps }) => [name, baselineMBps, burstMBps]),
  ).toEqual([
    ['server_network', 108, 108],
    ['disk', 28.8, 28.8],
    ['disk_compressed', 72, 72],
  ]);
  expect(modelLimits(model, 'read', null, 1).map(({ baselineMBps }) => baselineMBps)).toEqual([108, 20]);
  expect(modelLimits(model, 'write', 2.5, 1)[2]?.source).toContain('÷ 100, × 2.5');
});

test('below the knee the disk binds, past it the network', () => {
  expect(kneeOf(modelLimits(model, 'write', 1, 1))).toBeCloseTo(3.75);
  expect(bindingOf(modelLimits(model, 'write', 2.5, 1))?.baseline.name).toBe('disk_compressed');
  expect(bindingOf(modelLimits(model, 'write', 5, 1))?.baseline.name).toBe('server_network');
});

test('links of the clients bind until there are as many as fill the disk', () => {
  const held = [...model.held, figure('client_write', 10), figure('client_read', 10)];
  const binding = (clients: number) => bindingOf(modelLimits({ ...model, held }, 'write', null, clients))?.baseline;
  expect([1, 2, 3].map((clients) => [binding(clients)?.name, binding(clients)?.baselineMBps])).toEqual([
    ['client_nic', 10],
    ['client_nic', 20],
    ['disk', 28.8],
  ]);
  expect(binding(2)?.source).toContain('÷ 100, × 2');
});

describe('operations on files of so many nodes', () => {
  const file = { arm: 'a', operation: 'file_create', fileBytes: null };
  const task = (plannedNodes: number, tool: number, change: object = {}) => ({
    ...{ ...file, plannedNodes, group: 'all', load: [{ client: 'c', tool, busy: 1 }] },
    ...change,
  });
  const point = (value: number) => [[new Date(60_000).toISOString(), value]];
  const series = (metric: string, value: number) => ({
    ...{ metric, dimensions: { InstanceId: 'i-1' }, periodSeconds: 60, points: point(value), statistic: 'Average' },
  });
  const limitOf = (by: string | null, share: number, measured: object[], more: object = {}) => {
    const rate = { ...file, documented: { value: 1000 }, efficiency: { value: share } };
    const metadata = { nodes: 4, rates: [rate], bounds: [{ ...file, by }] };
    const [found] = operationLimits({ metadata, measured, clients: { networkBaselineMbps: 1 }, ...more } as never);
    expect(found).toMatchObject({ arm: 'a', operation: 'file_create', nodes: 4, perSecond: 1000, share });
    return found?.limitedBy ?? null;
  };

  test.each<[string | null, string | null, number, object[]]>([
    ['metadata_servers', 'server', 0.3, [task(4, 0.97)]],
    ['metadata_servers', null, 0.85, [task(4, 0.97)]],
    [null, null, 0.84, [task(4, 0.5)]],
    ['client_cpu', 'client', 0.95, [task(4, 0.9)]],
    [null, 'client', 0.3, [task(4, 0.89)]],
    [null, 'neither', 0.3, [task(1, 0.97), task(4, 0.5)]],
    [null, 'neither', 0.3, [task(4, 0.97, { arm: 'b' }), task(4, 0.97, { operation: 'file_stat' })]],
  ])('are limited by %s', (limit, by, share, measured) => expect(limitOf(by, share, measured)).toBe(limit));

  test('and a busy network of theirs carries data of another kind', () => {
    const measured = [task(4, 1, { from: 0, to: 200_000 })];
    const more = (cpu: number) => ({
      clientMetrics: { series: [series('NetworkOut', 1e9), series('CPUUtilization', cpu)] },
      manifest: { fleet: { clients: [{ instanceId: 'i-1' }] } },
    });
    expect([limitOf('client', 0.3, measured, more(50)), limitOf('client', 0.3, measured, more(95))]).toEqual([
      null,
      'client_cpu',
    ]);
  });
});
