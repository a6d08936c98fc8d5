import type { Law, LawVerdict } from '../../../lib/analysis';
import { summarise } from '../../../lib/analysis/summary';
import type { RunRecord } from '../../../lib/store/record';
import { modelledRun, withGains } from '../../report/modelledRun';
import { achieved, BASELINE_MBPS, syntheticRun } from '../../report/syntheticRun';

const lawOf = (record: RunRecord): Law | undefined => summarise(record).analysis.law;
const FREE = BASELINE_MBPS * 20;

function written(record: RunRecord, compressibility: number): LawVerdict {
  const found = lawOf(record)?.verdicts.find(
    (one) => one.operation === 'write' && one.compressibility === compressibility,
  );
  if (found === undefined) throw new Error('the run has no verdict');
  return found;
}

const RATIO = achieved(2.6);

test.each([
  ['on AWS', syntheticRun()],
  ['on local file systems that nothing limits', syntheticRun({ lab: true })],
])('a run %s decides no law', (_, record) => {
  expect(lawOf(record)).toBeUndefined();
});

test('a gain that falls short of the ratio by more than its interval is not reproduced', () => {
  const { verdict, measured, expected } = written(withGains(modelledRun(FREE), 2.6, [1.19, 1.2, 1.21]), 2.6);
  expect(measured).toBeCloseTo(1.2);
  expect(expected).toBeCloseTo(RATIO, 1);
  expect(verdict).toBe('not reproduced');
});

test('a gain that is off in repeats that scatter is inconclusive: neither a success nor a refutation', () => {
  expect(written(withGains(modelledRun(FREE), 2.6, [1, 2, 4]), 2.6).verdict).toBe('inconclusive');
});

test('a gain that agrees by chance, and cannot be told from none, is not called reproduced', () => {
  const one = written(withGains(modelledRun(FREE), 2.6, [0.9, RATIO, RATIO ** 2 / 0.9]), 2.6);
  expect(one.measured / one.expected).toBeCloseTo(1, 1);
  expect([one.different, one.verdict]).toEqual([false, 'inconclusive']);
});

test('a gain on data that do not compress is not what the law says', () => {
  expect(written(withGains(modelledRun(FREE), 1, [1.29, 1.3, 1.31]), 1).verdict).toBe('not reproduced');
});

test('one repeat agrees with nothing', () => {
  expect(written(modelledRun(FREE, { repeats: 1 }), 2.6)).toMatchObject({ interval: null, verdict: 'inconclusive' });
});

test('faster by the compression ratio is reproduced, and no faster on data that do not compress', () => {
  const record = modelledRun(FREE);
  expect(written(record, 2.6)).toMatchObject({ different: true, verdict: 'reproduced' });
  expect(written(withGains(record, 1, [0.99, 1, 1.01]), 1)).toMatchObject({ different: false, verdict: 'reproduced' });
  expect(lawOf(record)?.knees).toEqual([]);
});

test('past the knee the gain is the measured knee, held against network ÷ disk', () => {
  const record = withGains(modelledRun(BASELINE_MBPS * 2), 2.6, [1.95, 1.96, 1.97]);
  expect(written(record, 2.6)).toMatchObject({ limitedBy: 'server_network', verdict: 'reproduced' });
  const knee = lawOf(record)?.knees.find(({ operation }) => operation === 'write');
  expect(knee).toMatchObject({ arm: 'lz4', expected: 2 });
  expect(knee?.errorPercent).toBeCloseTo(-2, 1);
});

test('of several ratios past the knee, the furthest says where it is', () => {
  const past = modelledRun(BASELINE_MBPS * 2, { compressibilities: [1, 2.6, 3.5] });
  const record = withGains(withGains(past, 2.6, [1.87, 1.88, 1.89]), 3.5, [1.95, 1.96, 1.97]);
  const knee = lawOf(record)?.knees.find(({ operation }) => operation === 'write');
  expect(knee?.measured).toBeCloseTo(1.96, 2);
});
