import type { ParsedSample } from '../../schema/parse';

/** Columns of a result row, by their names in the document. IOR's bandwidth is bytes of all ranks ÷ total time. */
const IOR_METRICS = {
  throughput: 'MiB/s',
  operations: 'op/s',
  latency: 's',
  open_time: 's',
  access_time: 's',
  close_time: 's',
  total_time: 's',
} as const;
export type IorMetric = keyof typeof IOR_METRICS;

type Figure = { readonly value: number | null; readonly reason?: string };

/** The samples of one row; of a remove, only the total time. @param figures one per metric that the version prints (3.2.1 lacks IOPS and latency) */
export function rowSamples(
  operation: string,
  test: number,
  iteration: number,
  figures: Partial<Record<IorMetric, Figure>>,
): ParsedSample[] {
  const samples: ParsedSample[] = [];
  for (const metric of Object.keys(IOR_METRICS) as IorMetric[]) {
    const figure = figures[metric];
    if (figure === undefined || (operation === 'remove' && metric !== 'total_time')) continue;
    const { value, reason = 'not printed' } = figure;
    const why = value === null ? { reason } : {};
    samples.push({ operation, test, iteration, metric, value, unit: IOR_METRICS[metric], ...why });
  }
  return samples;
}
