import type { RunRecord } from '../../lib/report';
import { renderHtml } from '../../lib/report';
import { syntheticRun } from './syntheticRun';

/** Twelve hours on 200 clients: a tool that repeats itself a thousand times an arm, six servers an arm, a point a minute. */
function largeRun(): RunRecord {
  const record = syntheticRun({ targets: [3.5], repeats: 1 });
  const start = Date.parse('2026-11-21T09:00:00.000Z');
  const end = new Date(start + 12 * 3_600_000).toISOString();
  const wave = (index: number): number => 1 + 0.02 * Math.sin(index * 7.1) + 0.01 * Math.sin(index * 0.37);
  const written = record.samples.filter(({ step, metric }) => step === 'r1-c3.5-write' && metric === 'throughput');
  const samples = written.flatMap((sample) =>
    Array.from({ length: 1000 }, (_, iteration) => {
      const rate = (sample.arm === 'none' ? 3560 : iteration < 650 ? 12_460 : 11_428) * wave(iteration);
      const base = { ...sample, iteration, endedAt: end, clients: 100, ranks: 3600, unit: 's' };
      return [
        { ...base, metric: 'throughput', value: rate, unit: 'MB/s' },
        { ...base, metric: 'iops', value: rate / 1.048576, unit: 'op/s' },
        ...['latency', 'open_time', 'access_time', 'close_time'].map((metric, index) => ({
          ...base,
          metric,
          value: 0.01 * wave(iteration + index),
        })),
        { ...base, metric: 'total_time', value: 43_200 / 1000 },
      ];
    }).flat(),
  );
  const points = (level: number) =>
    Array.from(
      { length: 720 },
      (_, minute) => [new Date(start + minute * 60_000).toISOString(), level * wave(minute)] as const,
    );
  const series = (record.metrics[0]?.series ?? []).filter((one) => one.points.length > 0);
  const metrics = record.metrics.map((file, arm) => ({
    ...file,
    series: Array.from({ length: 20 }, (_, metric) =>
      Array.from({ length: 6 }, (_, server) => ({
        ...(series[metric % series.length] as (typeof series)[number]),
        arm: arm === 0 ? 'none' : 'lz4',
        metric: `Metric${metric}`,
        dimensions: { FileServer: `OSS000${server}` },
        points: points(100 + metric),
      })),
    ).flat(),
  }));
  const nodes = Array.from({ length: 200 }, (_, index) => `10.0.${index >> 6}.${index & 63}`);
  const [{ facts } = { facts: {} }] = record.environment;
  return {
    ...record,
    samples,
    metrics,
    environment: nodes.map((node) => ({ node, facts: { ...facts, node } })),
    raw: nodes.flatMap((node) =>
      Array.from({ length: 80 }, (_, step) => ({ path: `raw/lz4/measure/1-step${step}.${node}.out`, bytes: 4096 })),
    ),
  };
}

test('a run of twelve hours on 200 clients is a report of less than 5 MB, within seconds', async () => {
  const record = largeRun();
  expect(record.samples.length).toBeGreaterThan(12_000);
  const before = performance.now();
  const html = await renderHtml(record);
  const seconds = (performance.now() - before) / 1000;
  process.stdout.write(`large report: ${(html.length / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s\n`);
  expect(Buffer.byteLength(html)).toBeLessThan(5e6);
  // Seconds, with room for a busy machine.
  expect(seconds).toBeLessThan(60);
  // Every sample is still drawn and written.
  expect(html.match(/h0(?=M|")/g)?.length).toBeGreaterThanOrEqual(2000);
  expect(html.match(/throughput [\d.,]+ MB\/s/g)?.length).toBeGreaterThanOrEqual(2000);
  expect(html).toContain('write fell from 12,4');
}, 120_000);
