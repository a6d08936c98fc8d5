import { type RunSummary, summarise, summarise as summariseRun } from '../../lib/analysis/summary';
import { renderMarkdown, toJson } from '../../lib/report';
import type { Sample } from '../../lib/schema/sample';
import { kneeOf } from '../../lib/storage/common/limits';
import { blogRun, soundRun, withSamples } from './runs';

describe('the blog’s own run', () => {
  let run: RunSummary;
  beforeAll(() => {
    run = summarise(blogRun({ none: 3560, burst: 12_460, baseline: 11_428 }));
  });
  const verdict = (id: string) => run.analysis.verdicts.find(({ claim }) => claim.id === id);

  test('is valid but for its one repeat and the end of its burst', () => {
    expect(run.validity).toBe('WARN');
    expect(run.comparisons[0]?.interval).toBeNull();
    expect(run.analysis.issues.filter(({ severity }) => severity !== 'note').map(({ id }) => id)).toEqual([
      'burst-credits',
    ]);
  });

  test('shows burst and baseline apart, and that the burst ended after eight hours', () => {
    const level = run.analysis.levels.find(({ arm }) => arm === 'lz4');
    expect(level?.burst).toBeCloseTo(12_460, -2);
    expect(level?.baseline).toBeCloseTo(11_428, -2);
    expect(level?.changes?.[0]?.hours).toBeCloseTo(8, 1);
    expect(run.analysis.levels.find(({ arm }) => arm === 'none')?.changes).toEqual([]);
  });

  test('names the disks as the limit of none, and puts the knee at 3.75', () => {
    const [none, lz4] = ['none', 'lz4'].map((arm) => run.analysis.limits.find((one) => one.arm === arm));
    expect(none?.limitedBy).toBe('disk');
    expect(none?.limits.find(({ name }) => name === 'disk')).toMatchObject({
      baselineMBps: 2880,
      burstMBps: 3456,
      efficiency: expect.closeTo(3560 / 2880, 2),
    });
    expect(kneeOf(lz4?.limits ?? [])).toBe(3.75);
    expect(lz4?.limitedBy).toBe('disk_compressed');
    expect(lz4?.limits.find(({ name }) => name === 'disk_compressed')).toMatchObject({
      baselineMBps: 10_800,
      burstMBps: 12_960,
    });
  });

  test.each([
    ['compression.none.sustained'],
    ['compression.lz4.burst'],
    ['compression.lz4.baseline'],
    ['compression.burst_end'],
    ['compression.improvement.burst'],
    ['compression.improvement.baseline'],
    ['compression.ratio.aggregate_burst'],
    ['compression.ratio.file'],
    ['compression.savings.file'],
    ['compression.dataset.apparent'],
    ['compression.dataset.used'],
    ['compression.limit.network'],
    ['compression.limit.disk'],
    ['compression.limit.disk_times_ratio'],
  ])('reproduces %s', (id) => {
    expect([id, verdict(id)?.verdict, verdict(id)?.because]).toEqual([id, 'reproduced', expect.any(String)]);
  });

  test('leaves no figure of the study without a verdict but those that it has no number or no file for', () => {
    const open = run.analysis.verdicts.filter(
      ({ claim, verdict: found }) =>
        claim.study === 'AWS compression blog' &&
        found === 'not comparable' &&
        !claim.id.startsWith('compression.sample.'),
    );
    expect(open.map(({ claim, because }) => [claim.id, because])).toEqual([
      ['compression.latency', 'the study gives no number (no figures given)'],
    ]);
    const samples = run.analysis.verdicts.filter(({ claim }) => claim.id.startsWith('compression.sample.'));
    expect(samples).toHaveLength(46);
    for (const { because } of samples) expect(because).toMatch(/^the data set is .* of ior-default \(study: /);
  });

  test.each([
    ['compression.improvement.burst', '250'],
    ['compression.improvement.baseline', '221'],
    ['compression.ratio.aggregate_burst', '3.5'],
    ['compression.ratio.aggregate_baseline', '3.21'],
  ])('reproduces what %s is without its erratum, by the run’s own figures reckoned so', (id, own) => {
    const corrected = verdict(id)?.corrected;
    expect([id, corrected?.verdict, corrected?.because]).toEqual([
      id,
      'reproduced',
      expect.stringContaining(`the single value ${own}`),
    ]);
  });

  test('says of a burst whose end was not seen just that, and not that nothing was measured', () => {
    const { verdicts } = summarise(blogRun({ none: 3560, burst: 12_460, baseline: 12_460 })).analysis;
    expect(verdicts.find(({ claim }) => claim.id === 'compression.burst_end')).toMatchObject({
      verdict: 'not comparable',
      because: 'the part of the run is whole (no end of a burst was seen) (study: burst)',
    });
  });

  test('does not reproduce what is 15 % off, and compares nothing under other conditions', () => {
    const slower = summarise(blogRun({ none: 3026, burst: 10_591, baseline: 9714 })).analysis.verdicts;
    expect(slower.find(({ claim }) => claim.id === 'compression.none.sustained')?.verdict).toBe('not reproduced');
    const paired = summarise(soundRun()).analysis.verdicts;
    const sustained = paired.find(({ claim }) => claim.id === 'compression.none.sustained');
    expect(sustained?.verdict).toBe('not comparable');
    expect(sustained?.because).toMatch(/arguments/);
  });
});

describe('what limited an arm', () => {
  test('is not told in the lab, with the reason', () => {
    const { limits } = summarise(soundRun({ lab: true })).analysis;
    for (const { limits: list, reason } of limits) {
      expect(list).toEqual([]);
      expect(reason).toContain('local file systems replaced');
    }
  });
});

describe('cost', () => {
  test('of a TB is that of the arm and its part of the clients while it moved data', () => {
    const [none, lz4] = summarise(soundRun()).analysis.costs;
    const hourly = 5.72 + 15.552 / 2;
    expect(none?.hourlyUsd).toBeCloseTo(hourly, 6);
    expect(none?.perTerabyteUsd).toBeCloseTo((hourly * (none?.measuredHours ?? 0)) / (none?.terabytes ?? 1), 6);
    expect(none?.measuredHours).toBeCloseTo((16 * 300) / 3600, 6);
    expect(lz4?.perTerabyteUsd).toBeLessThan(none?.perTerabyteUsd ?? 0);
  });

  test('of a TB is over all hours and all bytes, however unequal the steps: neither a mean of rates nor of hours', () => {
    const ended = ({ startedAt }: Sample, seconds: number) =>
      new Date(Date.parse(startedAt) + seconds * 1000).toISOString();
    // Each read moves 1 TB in 100 s, each write 1 TB in 300 s.
    const record = withSamples(soundRun(), (sample) => {
      if (sample.source !== 'client') return sample;
      const endedAt = ended(sample, sample.operation === 'read' ? 100 : 300);
      return { ...sample, endedAt, value: sample.metric === 'bytes' ? 1e12 : sample.value };
    });
    for (const { terabytes, measuredHours, hourlyUsd, perTerabyteUsd } of summarise(record).analysis.costs) {
      expect([terabytes, measuredHours]).toEqual([16, expect.closeTo((8 * 300 + 8 * 100) / 3600, 9)]);
      expect(perTerabyteUsd).toBeCloseTo(((hourlyUsd ?? 0) * 200) / 3600, 9);
    }
  });

  test('leaves out the hours of a step whose bytes are unknown, on that arm alone', () => {
    const { costs } = summarise(soundRun({ failing: ['r1-c2.6-write'] })).analysis;
    expect(costs.map(({ measuredHours }) => measuredHours)).toEqual([
      expect.closeTo((16 * 300) / 3600, 9),
      expect.closeTo((15 * 300) / 3600, 9),
    ]);
  });

  test('counts once the hours in which an arm wrote and read at the same time', () => {
    const record = withSamples(soundRun(), (sample) => {
      if (sample.source !== 'client' || sample.phase !== 'measure' || sample.operation !== 'read') return sample;
      return { ...sample, step: sample.step.replace('-read', '-write') };
    });
    const starts = new Map(record.samples.map(({ step, startedAt }) => [step, startedAt] as const).reverse());
    const together = withSamples(record, (sample) => {
      const startedAt = starts.get(sample.step) ?? sample.startedAt;
      // Of odd repeats the read ends before the write, of even ones after it.
      const seconds = sample.operation === 'read' ? (sample.repeat % 2 === 1 ? 150 : 450) : 300;
      return { ...sample, startedAt, endedAt: new Date(Date.parse(startedAt) + 1000 * seconds).toISOString() };
    });
    for (const { measuredHours } of summarise(together).analysis.costs)
      expect(measuredHours).toBeCloseTo((4 * 300 + 4 * 450) / 3600, 9);
  });

  test('is nothing in the lab, with the reason', () => {
    for (const { perTerabyteUsd, runUsd, reason } of summarise(soundRun({ lab: true })).analysis.costs)
      expect([perTerabyteUsd, runUsd, reason]).toEqual([null, null, 'nothing in the lab costs money']);
  });
});

describe('an INVALID run', () => {
  const failing = ['r1-c1-write', 'r2-c1-write', 'r3-c1-write', 'r4-c1-write'];
  test('shows no figure as a result without saying so', () => {
    const record = soundRun({ failing });
    const { findings, verdict } = toJson(summariseRun(record));
    expect(findings.every((sentence) => sentence.startsWith('INVALID: '))).toBe(true);
    expect(verdict).toMatch(/^1 error: do not use the figures below/);
    const markdown = renderMarkdown(summariseRun(record)).split('\n');
    expect(markdown.filter((line) => line.includes('as fast as') && !line.startsWith('**INVALID** '))).toEqual([]);
  });
});
