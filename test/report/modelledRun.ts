import type { ScaleModel } from '../../lib/schema/model';
import type { RunRecord } from '../../lib/store/record';
import { BASELINE_MBPS, type SyntheticOptions, syntheticRun } from './syntheticRun';

const figure = (name: ScaleModel['held'][number]['name'], setMBps: number) => ({
  name,
  documentedMBps: setMBps * 100,
  setMBps,
  measuredMBps: setMBps * 0.99,
  source: 'https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html',
});

/** A run in the scale model, whose disks carried `BASELINE_MBPS`. */
export function modelledRun(networkMBps: number, options: SyntheticOptions = {}): RunRecord {
  const record = syntheticRun({ lab: true, variation: 0, compressibilities: [1, 2.6], ...options });
  if (record.manifest === null) throw new Error('the run has no manifest');
  const model: ScaleModel = {
    scale: 100,
    stands: 'PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB',
    held: [
      figure('disk_write', BASELINE_MBPS),
      figure('disk_read', BASELINE_MBPS),
      figure('network_write', networkMBps),
      figure('network_read', networkMBps),
    ],
    dirtyBytes: 8_000_000,
    free: ['bursts: no credits are published', 'latency'],
  };
  return { ...record, manifest: { ...record.manifest, arms: record.manifest.arms.map((arm) => ({ ...arm, model })) } };
}

/** The same, with the writes of `lz4` in each repeat at a compressibility; only ratios matter, since figures are the tool's MiB/s. */
export function withGains(record: RunRecord, compressibility: number, gains: readonly number[]): RunRecord {
  const isRate = ({ metric, value, phase }: RunRecord['samples'][number]): boolean =>
    metric === 'throughput' && value !== null && phase === 'measure';
  return {
    ...record,
    samples: record.samples.map((sample) => {
      const gain = gains[(sample.repeat - 1) % gains.length];
      if (sample.arm !== 'lz4' || sample.compressibility !== compressibility || !isRate(sample) || gain === undefined)
        return sample;
      const pair = record.samples.find(
        (one) =>
          one.arm === 'none' &&
          isRate(one) &&
          one.compressibility === compressibility &&
          one.repeat === sample.repeat &&
          one.operation === sample.operation,
      );
      return { ...sample, value: (pair?.value ?? 0) * gain };
    }),
  };
}
