import type { MetricsFile } from '../../lib/schema/metrics';
import type { Step } from '../../lib/schema/plan';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { type SyntheticOptions, syntheticRun } from '../report/syntheticRun';

/** A run on AWS with which nothing is wrong: no rule has a word for it. */
export function soundRun(options: SyntheticOptions = {}): RunRecord {
  const record = syntheticRun({ variation: 0.004, repeats: 4, compressibilities: [1, 2.6], ...options });
  return { ...record, plan: record.plan && { ...record.plan, issues: [] }, environment: [] };
}

export function withSamples(record: RunRecord, change: (sample: Sample) => Sample): RunRecord {
  return { ...record, samples: record.samples.map(change) };
}

/** The points of one metric, each with another value. */
export function withMetric(record: RunRecord, metric: string, factor: (arm: string) => number): RunRecord {
  const metrics = record.metrics.map(
    (file): MetricsFile => ({
      ...file,
      series: file.series.map((series) =>
        series.metric === metric
          ? { ...series, points: series.points.map(([at, value]) => [at, value * factor(series.arm)] as const) }
          : series,
      ),
    }),
  );
  return { ...record, metrics };
}

/** A sound run with the used space of both file systems read before and after each write. */
export function withUsedSpace(
  change: (own: { arm: string; allocated: number }) => { grown: number } | { reason: string },
): RunRecord {
  const record = soundRun({ compressibilities: [2.6] });
  const samples = record.samples.flatMap((sample): Sample[] => {
    if (sample.metric !== 'allocated_bytes') return [sample];
    const { arm, value } = sample;
    const answer = change({ arm, allocated: value ?? 0 });
    const used = (phase: Sample['phase'], bytes: number): Sample => ({
      ...sample,
      operation: 'capacity',
      metric: 'used_bytes',
      source: 'lfs df',
      step: `${sample.step}-${phase}`,
      phase,
      value: 'grown' in answer ? bytes : null,
      ...('reason' in answer ? { reason: answer.reason } : {}),
    });
    return [sample, used('prepare', 5e9), used('conclude', 5e9 + ('grown' in answer ? answer.grown : 0))];
  });
  return { ...record, samples };
}

/** The published run of the AWS compression blog, as fsxbench would have recorded it: twelve hours of writes on both arms. */
export function blogRun(rates: { none: number; burst: number; baseline: number; ratio?: number }): RunRecord {
  const record = syntheticRun({ compressibilities: [3.75], repeats: 1, variation: 0 });
  const command = '--posix.odirect -t 1m -b 1m -s 12000 -g -v -w -i 1000 -F -k -D 0 -T 720 -o {dir}/ior.bin'.split(' ');
  const start = Date.parse('2026-11-21T09:00:00.000Z');
  const end = new Date(start + 12 * 3_600_000).toISOString();
  const wave = (index: number): number => 1 + 0.004 * Math.sin(index * 7.13) + 0.003 * Math.cos(index * 3.7);
  const write = {
    kind: 'workload',
    tool: 'ior',
    operation: 'write',
    command: ['ior', ...command],
    ranksPerClient: 144,
    pattern: 'ior-default',
  } as const;
  const plan = record.plan && {
    ...record.plan,
    plan: 'published',
    parameters: { minutes: 720, iorVersion: '3.3.0', ranksPerClient: 144, stripeCount: -1 },
    issues: [],
    steps: [
      ...record.plan.steps
        .filter(({ id }) => id === 'r1-c3.75-write')
        .map((step): Step => ({ ...step, tasks: step.tasks.map((task) => ({ ...task, action: write })) })),
      {
        ...(record.plan.steps[0] as Step),
        id: 'r1-directory',
        phase: 'prepare' as const,
        tasks: [{ arm: 'none', group: 'A', action: { kind: 'make-directory', stripeCount: -1 } as const }],
      },
    ],
  };
  const template = record.samples.find(({ step, metric }) => step === 'r1-c3.75-write' && metric === 'throughput');
  const samples = ['none', 'lz4'].flatMap((arm) =>
    Array.from({ length: 720 }, (_, iteration) => {
      const level = arm === 'none' ? rates.none : iteration < 480 ? rates.burst : rates.baseline;
      const base = {
        ...(template as NonNullable<typeof template>),
        arm,
        iteration,
        tool: 'ior' as const,
        toolVersion: '3.3.0',
        pattern: 'ior-default',
        ranks: 576,
        plannedRanks: 576,
        clients: 4,
        startedAt: new Date(start).toISOString(),
        endedAt: end,
      };
      return [
        { ...base, metric: 'throughput', value: level * wave(iteration), unit: 'MB/s' },
        { ...base, metric: 'total_time', value: 60, unit: 's' },
      ];
    }).flat(),
  );
  const spaces = record.samples.filter(({ operation, repeat }) => operation === 'space' && repeat === 1);
  // 576 files of 12,000 MiB.
  const apparent = 576 * 12_000 * 2 ** 20;
  const space = spaces.map((sample) => {
    const ratio = sample.arm === 'lz4' ? (rates.ratio ?? 3.75) : 1;
    const values = { compression_ratio: ratio, apparent_bytes: apparent, allocated_bytes: apparent / ratio };
    return { ...sample, value: values[sample.metric as keyof typeof values] };
  });
  const metrics = record.metrics.map((file) => ({ ...file, series: [] }));
  return { ...record, plan, samples: [...samples, ...space], metrics, environment: [] };
}
