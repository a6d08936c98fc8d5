import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { answers } from '../../lib/report/answers';
import type { ClientLoad } from '../../lib/schema/environment';
import type { RunRecord } from '../../lib/store/record';
import { soundRun } from '../analysis/runs';

const told = (summary: RunSummary, about: string): string =>
  (answers(summary).find(({ question }) => question === about)?.sentences ?? []).flat().map(String).join('');

const BUSY: ClientLoad = {
  client: null,
  seconds: 5,
  processors: 2,
  busy: 1,
  tool: 0.97,
  lasting: 0,
  others: 0,
  names: [],
  steal: 0,
  loadAverage: 9,
  cpuStall: null,
  memoryStall: null,
  device: null,
};

/** The run at a tenth of its rates, below every documented limit, on clients whose CPUs are full. */
function slowOnBusyClients(): RunRecord {
  const record = soundRun();
  const samples = record.samples.map((one) => ({
    ...one,
    load: [BUSY],
    value: one.metric === 'throughput' && one.value !== null ? one.value / 10 : one.value,
  }));
  return { ...record, metrics: [], samples };
}

test('a limit without a documented rate is told by how busy it was, and not as a share of nothing', () => {
  const words = told(summarise(slowOnBusyClients()), 'What limited it');
  expect(words).toContain('with the clients’ processors 97 % busy, which limited the rate');
  expect(words).not.toContain('– %');
});

test('a limit that was busy at a low rate is not said to be confirmed by a share of it, nor to burst', () => {
  const record = soundRun({ compressibilities: [1] });
  const busy = record.metrics.map((file) => ({
    ...file,
    series: file.series.map((one) =>
      one.metric === 'NetworkThroughputUtilization'
        ? { ...one, points: one.points.map(([at]) => [at, 95] as const) }
        : one,
    ),
  }));
  const summary = summarise({ ...record, metrics: busy });
  const [none] = summary.analysis.limits.filter(({ arm, operation }) => arm === 'none' && operation === 'write');
  expect([none?.limitedBy, none?.because]).toEqual(['server_network', 'utilisation']);
  expect(told(summary, 'What limited it')).toContain(
    ' wrote with the file servers’ network 95 % busy, which limited the rate, though at 32 % of what the file servers’ network sustains',
  );
  expect(told(summary, 'What limited it')).not.toMatch(/network sustains[^;.]*(?:confirm|bursting)/);
});

test('a run that repeats no study is not told of figures that it cannot be compared with', () => {
  const summary = summarise(soundRun());
  const apart = summary.analysis.verdicts.map((one) => ({ ...one, verdict: 'not comparable' as const }));
  const alone = { ...summary, analysis: { ...summary.analysis, verdicts: apart } };
  expect(told(alone, 'Published figures')).toMatch(
    /^None of the \d+ figures of the AWS compression blog can be compared/,
  );
  expect(told({ ...alone, benchmark: 'MountBench' }, 'Published figures')).toBe('');
});

test('a burst is told by when the rate fell, though it had risen before', () => {
  const run = summarise(soundRun());
  const at = '2026-11-21T10:00:00.000Z';
  const change = { at, between: [at, at] as const, before: 1, after: 1, probability: 1 };
  const level: RunSummary['analysis']['levels'][number] = {
    arm: 'none',
    operation: 'write',
    compressibility: 1,
    source: 'service',
    unit: 'MB/s',
    values: 300,
    drift: null,
    burst: 2600,
    baseline: 1250,
    ends: null,
    valuesNeeded: null,
    changes: [
      { ...change, hours: 2, relative: 0.1 },
      { ...change, hours: 5, relative: -0.5 },
    ],
  };
  const summary = { ...run, analysis: { ...run.analysis, levels: [level] } };
  expect(told(summary, 'Burst')).toContain(': write fell from 2,600 MB/s to 1,250 MB/s after 5 h');
});
