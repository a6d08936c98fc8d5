import * as z from 'zod';
import { number, type Of, text } from './document';

/**
 * Seconds between two points: AWS publishes one a minute; the lab one every three seconds, since its runs are short. Its emulator takes any period, where CloudWatch
 * takes 1, 5, 10 and 30 below a minute (API reference, GetMetricData).
 */
export const METRICS_PERIOD = { aws: 60, lab: 3 } as const;

/** Phase length needed for metrics of one point a minute to show it; IO500 requires as much (https://github.com/IO500/io500). */
export const SECONDS_FOR_METRICS = 300;

/** Metrics that the driver publishes, each with the dimension `Stack`, and that a stack's dashboard and alarms read. */
export const DRIVER_METRICS = {
  namespace: 'fsxbench',
  /** 1 while a run is active, 0 once when it ends. Nothing is published without a run. */
  runActive: 'RunActive',
  /** Steps of the run that are done, as a running count. */
  stepsDone: 'StepsDone',
} as const;

/** Checked without a copy, since a run may have hundreds of thousands; the published schema has the tuple. */
const points = z
  .custom<[string, number][]>(
    (value) =>
      Array.isArray(value) &&
      value.every(
        (point) =>
          Array.isArray(point) && point.length === 2 && typeof point[0] === 'string' && Number.isFinite(point[1]),
      ),
    'must be a list of [time, value]',
  )
  .meta({
    type: 'array',
    items: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'number' }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
  });

/** Points of one CloudWatch metric over a window. */
const seriesSchema = z.object({
  namespace: text,
  metric: text,
  dimensions: z.record(text, text),
  statistic: text,
  unit: text.nullable(),
  periodSeconds: number,
  /** Start of each period in ISO 8601, and its value. */
  points,
  /** Why there are no points, when there are none. */
  reason: text.optional(),
});
export type CollectedSeries = Of<typeof seriesSchema>;

const window = z.object({ from: text, to: text });

/** `metrics/<arm>.json` */
export const metricsSchema = z.object({
  schema: z.literal('fsxbench.metrics/1'),
  run: text,
  window,
  series: z.array(seriesSchema.extend({ arm: text })),
});
export type MetricsFile = Of<typeof metricsSchema>;
/** A metric of an arm over a run's window. */
export type MetricSeries = MetricsFile['series'][number];

/** `metrics/clients/series.json`: what EC2 published of the clients. */
export const clientMetricsSchema = z.object({
  schema: z.literal('fsxbench.client-metrics/1'),
  run: text,
  window,
  series: z.array(seriesSchema),
});
export type ClientMetricsFile = Of<typeof clientMetricsSchema>;
/** Path below a run's folder. */
export const CLIENT_METRICS = 'metrics/clients/series.json';

/** An alarm as CloudWatch described it. */
const alarmSchema = z.object({
  name: text,
  state: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']),
  /** Since when, in ISO 8601; `null` where CloudWatch does not say. */
  since: text.nullable(),
  description: text,
});
export type CollectedAlarm = Of<typeof alarmSchema>;

/** `metrics/dashboard/series.json`: what the run's dashboard shows next to what the files of the arms have. */
export const dashboardMetricsSchema = z.object({
  schema: z.literal('fsxbench.dashboard-metrics/1'),
  run: text,
  dashboard: text,
  window,
  series: z.array(seriesSchema),
  /** The dashboard's alarms as they were when this was collected; `null` in the lab, which evaluates none. */
  alarms: z.array(alarmSchema).nullable(),
});
export type DashboardMetricsFile = Of<typeof dashboardMetricsSchema>;
