import { summarise } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report';
import { answers } from '../../lib/report/answers';
import { labSentences } from '../../lib/report/findings';
import { plainText } from '../../lib/report/render/shown';
import type { ScaleModel } from '../../lib/schema/model';
import type { RunRecord } from '../../lib/store/record';
import { BASELINE_MBPS, syntheticRun } from './syntheticRun';

const figure = (name: ScaleModel['held'][number]['name'], setMBps: number) => ({
  name,
  documentedMBps: setMBps * 100,
  setMBps,
  measuredMBps: setMBps * 0.99,
  source: 'guide/ssd-storage',
});

/** A run that wrote as the law says, up to `networkMBps`. */
function modelled(networkMBps: number): RunRecord {
  const record = syntheticRun({ lab: true, variation: 0, targets: [1, 2.6] });
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

const answer = (record: RunRecord, question: string): string =>
  (answers(summarise(record)).find((one) => one.question === question)?.sentences ?? []).map(plainText).join(' ');

test('a law that the run breaks is not reproduced in the scale model, and the figures stand beside it', () => {
  // The network held no one up: what stopped LZ4 short of the ratio is not in the model.
  const record = modelled(BASELINE_MBPS * 20);
  const samples = record.samples.map((sample) =>
    sample.arm === 'lz4' && sample.metric === 'throughput' && sample.value !== null
      ? { ...sample, value: BASELINE_MBPS * 1.2 }
      : sample,
  );
  expect(answer({ ...record, samples }, 'The law of compression')).toMatch(
    /LZ4’s write .*not reproduced in it at .*2\.6:1 \(1\.2\d? ×, the law says 2\.5\d? ×\)/,
  );
});

test('a law that holds is reproduced in the scale model, and no absolute rate is compared', () => {
  const record = modelled(BASELINE_MBPS * 20);
  const law = answer(record, 'The law of compression');
  expect(law).toMatch(/LZ4’s write .*reproduced in the scale model at .*2\.6:1/);
  expect(law).not.toMatch(/LZ4’s write [^.]*not reproduced/);
  expect(answer(record, 'Published figures')).toMatch(
    /^None of .* because the run took place in the lab’s scale model/,
  );
});

test('says first what was held and what was free, and nothing of local file systems without limits', () => {
  const summary = summarise(modelled(10_800));
  const said = labSentences(summary).map(plainText).join(' ');
  expect(said).toContain('Held of none and lz4: writes to disk 3,500 MB/s (calibrated 3,465)');
  expect(said).toContain('Not held: bursts: no credits are published; latency.');
  const page = renderMarkdown(summary);
  expect(page).not.toMatch(/local file systems/);
  expect(page).toContain('what the scale model holds');
});

test('without a model there is no law to judge', () => {
  expect(answer(syntheticRun({ lab: true }), 'The law of compression')).toBe('');
  expect(answer(syntheticRun(), 'The law of compression')).toBe('');
});
