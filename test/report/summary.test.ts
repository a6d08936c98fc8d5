import { statistics } from '../../lib/analysis/figures/statistics';
import { type RunSummary, summarise, summarise as summariseRun } from '../../lib/analysis/summary';
import { toJson } from '../../lib/report/json';
import { renderMarkdown } from '../../lib/report/markdown';
import { renderHtml } from '../../lib/report/page';
import type { Manifest, RunStatus } from '../../lib/schema/run';
import type { RunRecord } from '../../lib/store/record';
import { achieved, BASELINE_MBPS, speedup, syntheticRun } from './syntheticRun';

const cell = (
  summary: ReturnType<typeof summarise>,
  arm: string,
  compressibility: number,
  operation: string,
  metric = 'throughput',
) =>
  summary.cells.find(
    (candidate) =>
      candidate.arm === arm &&
      candidate.compressibility === compressibility &&
      candidate.operation === operation &&
      candidate.metric === metric,
  );

describe('statistics', () => {
  test.each([
    [[], { count: 0, median: null, min: null, max: null, mean: null }],
    [[7], { count: 1, median: 7, min: 7, max: 7, mean: 7 }],
    [[10, 2, 3], { count: 3, median: 3, min: 2, max: 10, mean: 5 }],
    [[100, 20, 10, 30], { count: 4, median: 25, min: 10, max: 100, mean: 40 }],
  ])('of %j', (values, expected) => expect(statistics(values)).toEqual(expected));
});

describe('a run of which the truth is known', () => {
  let summary: RunSummary;
  beforeAll(() => {
    summary = summarise(syntheticRun({ seed: 7 }));
  });

  test.each([1, 1.65, 2.6, 3.5])('finds the rates and the gain at %d:1 within the noise', (compressibility) => {
    expect(cell(summary, 'none', compressibility, 'write')?.median).toBeCloseTo(BASELINE_MBPS, -3);
    const comparison = summary.comparisons.find(
      (one) => one.compressibility === compressibility && one.operation === 'write',
    );
    expect(comparison?.count).toBe(3);
    expect(Math.abs((comparison?.median ?? 0) / speedup(compressibility) - 1)).toBeLessThan(0.065);
    expect(
      summary.space.find((one) => one.arm === 'lz4' && one.compressibility === compressibility)?.median,
    ).toBeCloseTo(achieved(compressibility), 6);
  });

  test('converts the MiB/s of a tool to MB/s, once', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [1] });
    const printed = record.samples.find(({ step, metric }) => step === 'r1-c1-write' && metric === 'throughput');
    expect(cell(summarise(record), 'none', 1, 'write')?.samples[0]?.value).toBeCloseTo(
      (printed?.value ?? 0) * 1.048576,
      9,
    );
  });

  test('divides data by space itself where only these were read back', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [2.6] });
    const samples = record.samples.filter(({ metric }) => metric !== 'compression_ratio');
    expect(summarise({ ...record, samples }).space[1]?.median).toBeCloseTo(achieved(2.6), 6);
  });

  test('takes nothing for a ratio that no data have, and makes no limit of it', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [2.6] });
    const samples = record.samples.map((one) => (one.metric === 'compression_ratio' ? { ...one, value: 0 } : one));
    const found = summarise({ ...record, samples });
    const invalid = { ratio: null, reason: '0:1 is not a valid ratio' };
    expect(found.space[1]).toMatchObject({ median: null, readings: [invalid] });
    expect(renderMarkdown(found)).not.toContain('Infinity');
  });

  test('counts nothing of the warm-up', () => {
    expect(cell(summary, 'none', 1, 'write')?.samples.map(({ repeat }) => repeat)).toEqual([1, 2, 3]);
  });

  test('adds up the bytes that clients moved, by arm and operation', () => {
    const record = syntheticRun({ repeats: 2, compressibilities: [1] });
    const bytes = record.samples.filter(
      ({ arm, phase, operation, metric }) =>
        arm === 'lz4' && phase === 'measure' && operation === 'read' && metric === 'bytes',
    );
    const moved = summarise(record).moved.find(({ arm, operation }) => arm === 'lz4' && operation === 'read');
    expect(moved?.bytes).toBe(bytes.reduce((sum, { value }) => sum + (value ?? 0), 0));
  });

  test('takes IOR’s bytes from its rate and time, and gives none where a tool said neither', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [1] });
    const with_ = (metric: string | null) =>
      summarise({
        ...record,
        samples: record.samples.flatMap((sample) => {
          if (sample.metric !== 'bytes')
            return [{ ...sample, ...(sample.metric === 'throughput' ? { value: 100, unit: 'MB/s' } : {}) }];
          return metric === null ? [] : [{ ...sample, metric, value: 2, unit: 's' }];
        }),
      }).moved[0];
    expect(with_('total_time')?.bytes).toBe(200_000_000);
    expect(with_(null)).toMatchObject({ bytes: null, reason: 'a tool did not say how much it moved, or for how long' });
  });

  test('shows IOR’s throughput and not its IOPS beside it, but a rate that stands alone', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [1] });
    const twice = record.samples.flatMap((sample) =>
      sample.metric === 'throughput' ? [sample, { ...sample, metric: 'iops', unit: 'op/s' }] : [sample],
    );
    expect(summarise({ ...record, samples: twice }).comparisons.map(({ metric }) => metric)).toEqual([
      'throughput',
      'throughput',
    ]);
    const alone = twice.filter(({ metric }) => metric !== 'throughput');
    expect(summarise({ ...record, samples: alone }).comparisons.map(({ metric }) => metric)).toEqual(['iops', 'iops']);
  });

  test('costs what is announced at the deployment, where that is recorded', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [1] });
    const priced = (hourlyUsd: number | null) =>
      summarise({
        ...record,
        manifest: { ...(record.manifest as Manifest), stack: { name: 'CompressionBench', id: 'id', hourlyUsd } },
      }).cost;
    const { lines, hourlyUsd } = priced(27.081);
    expect(hourlyUsd).toBeCloseTo(27.081, 9);
    expect(lines.at(-1)).toMatchObject({ item: expect.stringContaining('Rest of the stack') });
    expect(lines.at(-1)?.hourlyUsd).toBeCloseTo(27.081 - (5.72 + 5.72 + 15.552), 9);
    expect(priced(null).lines).toHaveLength(3);
  });

  test('costs a file system of two arms once, at its higher price, also next to the rest of the stack', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [1] });
    const manifest = record.manifest as Manifest;
    const arms = manifest.arms.map((arm, index) => ({ ...arm, fileSystemId: 'fs-1', hourlyUsd: 5 + index }));
    const stack = { name: 'CompressionBench', id: 'id', hourlyUsd: 27 };
    const { lines, hourlyUsd } = summarise({ ...record, manifest: { ...manifest, arms, stack } }).cost;
    expect(lines.at(-1)?.hourlyUsd).toBeCloseTo(27 - 6 - 15.552, 9);
    expect(hourlyUsd).toBeCloseTo(27, 9);
  });
});

describe('pairs', () => {
  test('are made within a repeat, so that a drift of both arms changes nothing', () => {
    const record = syntheticRun({ repeats: 3, compressibilities: [1] });
    const drifted = record.samples.map((sample) =>
      sample.metric === 'throughput' && sample.value !== null
        ? { ...sample, value: (sample.arm === 'none' ? 100 : 150) * 10 ** sample.repeat }
        : sample,
    );
    const [write] = summarise({ ...record, samples: drifted }).comparisons;
    expect(write?.pairs.map(({ ratio }) => ratio?.toFixed(9))).toEqual(Array(3).fill('1.500000000'));
  });

  test('have no ratio and a reason where one side is missing', () => {
    const summary = summarise(syntheticRun({ compressibilities: [2.6], failing: ['r2-c2.6-write'] }));
    const write = summary.comparisons.find(({ operation }) => operation === 'write');
    expect(write?.count).toBe(2);
    expect(write?.pairs[1]).toMatchObject({ repeat: 2, value: null, ratio: null });
    expect(write?.pairs[1]?.reason).toBe('lz4: write failed: no space left on device');
  });

  test('are made of single steps an arm, where arms took turns', () => {
    const record = syntheticRun({ repeats: 2, compressibilities: [1] });
    const inTurns = record.samples.map((sample) => ({ ...sample, step: `${sample.step}-${sample.arm}` }));
    expect(summarise({ ...record, samples: inTurns }).comparisons[0]?.count).toBe(2);
  });

  test('of several iterations take the median of each side’s repeat', () => {
    const record = syntheticRun({ repeats: 1, compressibilities: [1] });
    const samples = record.samples.flatMap((sample) => {
      if (sample.metric !== 'throughput' || sample.phase !== 'measure') return [sample];
      const values = sample.arm === 'none' ? [90, 100, 1000] : [10, 250, 300];
      return values.map((value, iteration) => ({ ...sample, value, iteration }));
    });
    expect(summarise({ ...record, samples }).comparisons[0]?.pairs[0]?.ratio).toBe(2.5);
  });
});

describe('a run that was resumed', () => {
  const base = syntheticRun({ repeats: 2, compressibilities: [1] });
  const hours = (time: string, more: number): string => new Date(Date.parse(time) + more * 3_600_000).toISOString();
  const status = base.status as RunStatus;
  const { startedAt, endedAt } = status as { startedAt: string; endedAt: string };
  const took = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  const resumedAt = hours(endedAt, 30);
  const ended = hours(endedAt, 32);
  const hourlyUsd = 5.72 + 5.72 + 15.552;

  const sessions = [
    { startedAt, endedAt },
    { startedAt: resumedAt, endedAt: ended },
  ];
  const resumed: RunStatus = { ...status, updatedAt: ended, endedAt: ended, sessions };

  test('took, and cost, all its sessions', () => {
    const summary = summarise({ ...base, status: resumed });
    expect(summary.startedAt).toBe(startedAt);
    expect(summary.endedAt).toBe(ended);
    expect(summary.seconds).toBeCloseTo(took + 2 * 3600, 3);
    expect(summary.interruptedSeconds).toBeCloseTo(30 * 3600, 3);
    expect(summary.cost.runUsd).toBeCloseTo(hourlyUsd * (took / 3600 + 2), 6);
    expect(summary.cost.idleUsd).toBeCloseTo(hourlyUsd * 30, 6);
    const note = summary.issues.find(({ id }) => id === 'run-resumed');
    expect(note).toMatchObject({ severity: 'note', message: expect.stringContaining('2 sessions') });
  });

  test('says so in words, in every form', async () => {
    const record = { ...base, status: resumed };
    expect(renderMarkdown(summariseRun(record))).toMatch(/in 2 sessions, with 30 h of interruption between them/);
    expect(
      toJson(summariseRun(record))
        .answers.flatMap(({ sentences }) => sentences)
        .join(' '),
    ).toContain('The 30 h between its sessions cost $809.76 more if all stayed deployed.');
    expect(await renderHtml(summariseRun(record))).toContain('in 2 sessions, with 30 h of interruption between them');
  });

  test('one session is no word about sessions', () => {
    const summary = summarise(base);
    expect([summary.sessions.length, summary.interruptedSeconds]).toEqual([1, 0]);
    expect(summary.issues.map(({ id }) => id)).not.toContain('run-resumed');
    expect(renderMarkdown(summariseRun(base))).not.toContain('sessions');
  });
});

describe('attempts', () => {
  let summary: RunSummary;
  beforeAll(() => {
    summary = summarise(syntheticRun({ repeats: 2, compressibilities: [1], retried: ['r1-c1-write'] }));
  });

  test('the highest counts, earlier ones are shown as superseded', () => {
    expect(cell(summary, 'none', 1, 'write')?.samples.every(({ value }) => value !== null)).toBe(true);
    expect(summary.record.superseded).toHaveLength(4);
    expect(summary.record.superseded.every(({ attempt }) => attempt === 1)).toBe(true);
    expect(summary.steps.find(({ id }) => id === 'r1-c1-write')).toMatchObject({ state: 'done', attempts: 2 });
  });

  test('a failed one with a good one after it leaves a note, no warning', () => {
    expect(summary.issues.find(({ id }) => id === 'superseded-attempts')?.severity).toBe('note');
    expect(summary.issues.map(({ id }) => id)).not.toContain('missing-values');
  });
});

describe('validity', () => {
  const steady = (options: Parameters<typeof syntheticRun>[0] = {}): RunRecord =>
    syntheticRun({ variation: 0.001, ...options });
  const clean = (record: RunRecord): RunRecord =>
    record.plan === null ? record : { ...record, plan: { ...record.plan, issues: [] }, environment: [] };
  /** Without inconclusive rules: these synthetic runs have no samples of their clients' load. */
  const issuesOf = (record: RunRecord) => summarise(record).issues.filter(({ id }) => id !== 'inconclusive-checks');
  const ids = (record: RunRecord): string[] => issuesOf(record).map(({ id, severity }) => `${severity} ${id}`);

  test('is INVALID where a whole cell has no value', () => {
    const record = clean(steady({ repeats: 2, compressibilities: [1, 2.6], failing: ['r1-c1-read', 'r2-c1-read'] }));
    expect(ids(record)).toEqual(['error no-value']);
    expect(summarise(record).validity).toBe('INVALID');
  });

  test('a step ends with its last arm, and without a status all were reached up to the last that left a sample', () => {
    const record = { ...steady({ stopAfter: 20 }), status: null };
    const { steps } = summarise(record);
    const last = steps.findLastIndex(({ startedAt }) => startedAt !== null);
    expect(steps.findIndex(({ state }) => state === 'not reached')).toBe(last + 1);
    const early = record.samples.map((one) => (one.arm === 'lz4' ? { ...one, endedAt: one.startedAt } : one));
    const ends = ({ endedAt }: (typeof steps)[number]) => endedAt;
    expect(summarise({ ...record, samples: early }).steps.map(ends)).toEqual(steps.map(ends));
  });

  test('is INVALID without a sample, and repeats what the driver said', () => {
    const record = clean(steady({ stopAfter: 0 }));
    expect(ids(record)).toEqual(['error no-samples', 'warning run-incomplete']);
    expect(issuesOf(record)[0]?.actual).toBe('none; the driver said: the driver was ended by SIGTERM');
  });

  test('groups failures beside the measured phases by their reason', () => {
    const record = clean(steady({ failing: ['r1-c1-space', 'r2-c1-space', 'r3-c2.6-space'] }));
    const issues = issuesOf(record);
    expect(issues.map(({ id, actual }) => [id, actual])).toEqual([
      ['step-failed', 'write failed: no space left on device'],
    ]);
    expect(issues[0]?.message).toBe('3 steps outside the measured phases failed.');
  });

  test('warns of a client setting that is not in effect', () => {
    const settings = [
      { name: 'osc.*.max_dirty_mb', wanted: '64', effective: ['32', '64'], applied: false, message: null },
    ];
    const environment = [{ node: 'leader', facts: { tuning: { settings } } }];
    expect(issuesOf({ ...clean(steady()), environment })).toEqual([
      expect.objectContaining({
        id: 'client-setting-not-in-effect',
        severity: 'warning',
        actual: '32, 64',
        where: 'leader',
      }),
    ]);
  });

  test('takes over the plan’s own issues', () => {
    expect(ids({ ...steady(), environment: [] })).toEqual(['warning data-fits-client-memory', 'note mixed-tools']);
  });
});
