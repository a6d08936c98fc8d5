import type { MetricsFile } from '../../lib/model/run';
import type { Sample } from '../../lib/model/sample';
import type { RunRecord } from '../../lib/report/record';
import { type SyntheticOptions, syntheticRun } from '../report/syntheticRun';

/** A run on AWS with which nothing is wrong: no rule has a word for it. */
export function soundRun(options: SyntheticOptions = {}): RunRecord {
  const record = syntheticRun({ variation: 0.004, repeats: 4, targets: [1, 2.6], ...options });
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
