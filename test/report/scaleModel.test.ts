import { summarise } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report';
import { answers } from '../../lib/report/answers';
import { findings, labSentences } from '../../lib/report/findings';
import { plainText } from '../../lib/report/render/shown';
import type { RunRecord } from '../../lib/store/record';
import { modelledRun, withGains } from './modelledRun';
import { BASELINE_MBPS, syntheticRun } from './syntheticRun';

const answer = (record: RunRecord, question: string): string =>
  (answers(summarise(record)).find((one) => one.question === question)?.sentences ?? []).map(plainText).join(' ');

test('a law that the run breaks is not reproduced in the scale model, and the figures stand beside it', () => {
  // The network held no one up: what stopped LZ4 short of the ratio is not in the model.
  const record = withGains(modelledRun(BASELINE_MBPS * 20), 2.6, [1.19, 1.2, 1.21]);
  expect(answer(record, 'The law of compression')).toMatch(
    /LZ4’s write .*not reproduced in it at .*2\.6:1 \(1\.2\d? ×, the law says 2\.5\d? ×\)/,
  );
});

test('a law that holds is reproduced in the scale model, and no absolute rate is compared', () => {
  const record = modelledRun(BASELINE_MBPS * 20);
  const law = answer(record, 'The law of compression');
  expect(law).toMatch(/LZ4’s write .*reproduced in the scale model at .*2\.6:1/);
  expect(law).not.toMatch(/LZ4’s write [^.]*not reproduced/);
  expect(answer(record, 'Published figures')).toMatch(
    /^None of .* because the run took place in the lab’s scale model/,
  );
});

test('says first what was held and what was free, and nothing of local file systems without limits', () => {
  const summary = summarise(modelledRun(10_800));
  const said = labSentences(summary).map(plainText).join(' ');
  expect(said).toContain('Limits applied to none and lz4: writes to disk 3,500 MB/s (calibrated 3,465)');
  expect(said).toContain('Not limited: bursts: no credits are published; latency.');
  const page = renderMarkdown(summary);
  expect(page).not.toMatch(/local file systems/);
  expect(page).toContain('what the scale model holds');
});

test('without a model there is no law to judge', () => {
  expect(answer(syntheticRun({ lab: true }), 'The law of compression')).toBe('');
  expect(answer(syntheticRun(), 'The law of compression')).toBe('');
});

test('the first sentence tells what compression gained, and which limit was met on each side of the knee', () => {
  const record = withGains(
    modelledRun(BASELINE_MBPS * 3, { compressibilities: [1, 2.6, 6.4] }),
    6.4,
    [2.95, 2.96, 2.97],
  );
  const [first] = findings(summarise(record)).map(plainText);
  expect(first).toMatch(
    /^On data that compressed 2\.50?:1, lz4 \(here Btrfs with LZO\) wrote 2\.\d+ × \([^)]+\) as fast as none, a real difference, and the disk was the limit; on data that compressed 6\.14:1, 2\.96 × \([^)]+\), a real difference, and the network was the limit\.$/,
  );
});

test('of several ratios below the knee the first sentence has the highest', () => {
  const record = modelledRun(BASELINE_MBPS * 20, { compressibilities: [1, 1.6, 2.6] });
  const [first] = findings(summarise(record)).map(plainText);
  expect(first).toMatch(/^On data that compressed 2\.50?:1, lz4 .* wrote/);
});

test('a gain that was not found is not claimed in the first sentence', () => {
  const [first] = findings(summarise(withGains(modelledRun(BASELINE_MBPS * 20), 2.6, [0.98, 1, 1.02]))).map(plainText);
  expect(first).toMatch(
    /lz4 \(here Btrfs with LZO\) wrote 1(\.00)? × \([^)]+\) as fast as none, not distinguishable from no difference/,
  );
});

test('no rate on a model is put down to a burst', () => {
  const limited = answer(withGains(modelledRun(BASELINE_MBPS * 20), 1, [1.04, 1.05, 1.06]), 'What limited it');
  expect(limited).toContain('105 % of what the disks');
  expect(limited).not.toContain('bursting');
});
