import type { LimitResult } from '../../../lib/analysis/limits/limitedBy';
import { summarise } from '../../../lib/analysis/summary';
import { groupOf } from '../../../lib/common/collections';
import { instanceType } from '../../../lib/fleet/instanceTypes';
import type { CollectedSeries } from '../../../lib/schema/metrics';
import type { RunRecord } from '../../../lib/store/record';
import { soundRun, withMetric } from '../runs';

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
});

test('a run whose clients were not collected is judged as before', () => {
  const evidence = ofArm(soundRun(), 'none').flatMap((one) => one.evidence.map(({ limit }) => limit));
  expect(evidence.filter((limit) => limit.startsWith('client'))).toEqual([]);
});

test('clients that say themselves that they are busy change nothing where a limit that is known was reached', () => {
  const record = soundRun();
  const load = {
    client: null,
    seconds: 5,
    processors: 2,
    busy: 1,
    tool: 1,
    lasting: 0,
    others: 0,
    names: [],
    steal: 0,
    loadAverage: 9,
    cpuStall: null,
    memoryStall: null,
    device: null,
  };
  const samples = record.samples.map((one) => ({ ...one, load: [load] }));
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
