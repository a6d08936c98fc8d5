import { claimById, conversion, judge, type Observation, type RunConditions, TOLERANCE } from '../../lib/claims';

/** A run exactly as the study was made. */
const blog: RunConditions = {
  elsewhere: null,
  validity: 'VALID',
  deploymentType: 'PERSISTENT_1',
  storageType: 'SSD',
  capacityGiB: 14_400,
  perUnitMBps: 200,
  compression: 'NONE',
  clients: 4,
  instanceType: 'c5n.9xlarge',
  ranks: 576,
  tool: 'ior',
  toolVersion: '3.3.0',
  operation: 'write',
  pattern: 'ior-default',
  stripeCount: -1,
  window: 'whole',
  arguments: '-w -v -g --posix.odirect -t 1m -b 1m -s 12000 -i 1000 -F -k -D 0 -T 720 -o /fsx/none/ior.bin',
};
const none = claimById('compression.none.sustained');
const seen = (low: number, value: number, high: number, unit = 'MB/s'): Observation => ({
  value,
  unit,
  interval: { low, high, confidence: 0.95 },
});

test.each([
  ['inside the interval', seen(3500, 3550, 3600), 'reproduced'],
  ['at the edge of the widened interval', seen(3300, 3350, 3391), 'reproduced'],
  ['just outside of it', seen(3300, 3350, 3390), 'not reproduced'],
  ['above it', seen(3700, 3700, 3740), 'reproduced'],
  ['far above it', seen(3800, 3900, 4000), 'not reproduced'],
  ['in another unit', seen(3500 / 1.048576, 3550 / 1.048576, 3600 / 1.048576, 'MiB/s'), 'reproduced'],
  ['without an interval', { value: 3400, unit: 'MB/s', interval: null }, 'reproduced'],
  ['without an interval, and off', { value: 3300, unit: 'MB/s', interval: null }, 'not reproduced'],
] as const)('a figure %s of the run is %s', (_, observation, verdict) => {
  expect(judge(none, observation, blog).verdict).toBe(verdict);
});

test.each([
  ['half of it', seen(1700, 4200, 6700)],
  ['twice as much', seen(-44_454, 5100, 54_654)],
])('a figure that the run is off, and meets by an interval that would meet %s, is not judged', (_, observation) => {
  const { verdict, because } = judge(none, observation, blog);
  expect(verdict).toBe('not comparable');
  expect(because).toMatch(
    / is too wide: it meets the published 3560 MB\/s, and would also meet half or twice as much$/,
  );
});

test.each([
  [3560, 3560, 'reproduced'],
  [3560, 3000, 'not reproduced'],
  [3000, 3560, 'not reproduced'],
])('a row of 3,560 MB/s twice is of %d and %d MB/s %s', (value, further, verdict) => {
  const claim = { ...none, figures: [{ quantity: 'further', value: 3560, unit: 'MB/s' as const }] };
  expect(judge(claim, { ...seen(value, value, value), figures: { further } }, blog).verdict).toBe(verdict);
});

test('a figure that the run’s own value meets is reproduced, however wide the interval is', () => {
  expect(judge(none, seen(100, 3600, 7100), blog).verdict).toBe('reproduced');
});

test('the tolerance is 5 % unless another is stated, and stands in the reason', () => {
  expect(TOLERANCE).toBe(0.05);
  const observation = seen(3500, 3500, 3500);
  expect(judge(none, observation, blog).because).toContain('widened by 5 %');
  expect(judge(none, observation, blog, 0).verdict).toBe('not reproduced');
  expect(() => judge(none, observation, blog, 5)).toThrow("'tolerance' must be from 0 to below 1, got 5");
});

test('what was measured is told in the unit of the claim, with its deviation', () => {
  const judgement = judge(none, seen(3000, 3738, 4000), blog);
  expect(judgement.measured).toBe(3738);
  expect(judgement.deviation).toBeCloseTo(0.05, 6);
  expect(judge(none, seen(1000, 1000, 1000, 'MiB/s'), blog).measured).toBeCloseTo(1048.576, 6);
});

test.each<[string, RunConditions, string]>([
  ['a lab run', { ...blog, elsewhere: 'the run is the lab’s' }, 'the run is the lab’s'],
  ['an invalid run', { ...blog, validity: 'INVALID' }, 'the run is INVALID'],
  ['another tier', { ...blog, perUnitMBps: 50 }, 'the throughput in MB/s per TiB is 50 (study: 200)'],
  ['another arm', { ...blog, compression: 'LZ4' }, 'the compression is LZ4 (study: NONE)'],
  ['another size', { ...blog, capacityGiB: 1200 }, 'the capacity in GiB is 1200 (study: 14400)'],
  [
    'another fleet',
    { ...blog, clients: 2, instanceType: 'c5n.large' },
    'the number of clients is 2 (study: 4); the instance type is c5n.large (study: c5n.9xlarge)',
  ],
  ['another IOR', { ...blog, toolVersion: '4.0.0' }, "the tool's version is 4.0.0 (study: 3.3.0)"],
  ['something unknown', { ...blog, ranks: undefined }, 'the number of processes of the run is not known (study: 576)'],
])('%s is not comparable, and the difference is named', (_, run, because) => {
  expect(judge(none, seen(3500, 3550, 3600), run)).toMatchObject({ verdict: 'not comparable', because });
});

test('other arguments are not comparable, their order and the place of the data do not matter', () => {
  const other = { ...blog, arguments: `${blog.arguments} -e` };
  expect(judge(none, seen(3500, 3550, 3600), other).verdict).toBe('not comparable');
  expect(judge(none, seen(3500, 3550, 3600), blog).verdict).toBe('reproduced');
});

test.each([
  ['GiB', 'MiB', 1024],
  ['TB', 'GB', 1000],
  ['TiB', 'B', 2 ** 40],
  ['GB/s', 'MiB/s', 1e9 / 2 ** 20],
  ['GiB/s', 'B/s', 2 ** 30],
  ['h', 'min', 60],
  ['h', 's', 3600],
  ['x', 'n:1', 1],
  ['s', 'MB', null],
  ['op/s', 'IOPS', null],
])('a figure in %s becomes one in %s by %d', (from, to, factor) => {
  expect(conversion(from, to)).toBe(factor);
  const back = conversion(to, from);
  expect(back === null ? null : back * (factor ?? 1)).toBe(factor === null ? null : 1);
});

test('a study without numbers cannot be reproduced, whatever was measured', () => {
  const judgement = judge(claimById('metadata.results'), seen(1, 1, 1, 'op/s'), blog);
  expect(judgement).toMatchObject({ verdict: 'not comparable', measured: 1, deviation: null });
  expect(judgement.because).toContain('published as pictures only');
});

test('what was not measured, or in another dimension, is not comparable', () => {
  expect(judge(none, null, blog)).toMatchObject({ verdict: 'not comparable', because: 'the run did not measure it' });
  expect(judge(none, seen(1, 1, 1, 'op/s'), blog)).toMatchObject({
    verdict: 'not comparable',
    because: 'the run has it in op/s, the study in MB/s',
  });
  expect(judge(none, { value: Number.NaN, unit: 'MB/s', interval: null }, blog).verdict).toBe('not comparable');
});

test('a figure that sums up others is not said to be unmeasured where those are judged', () => {
  const run = { elsewhere: null, instanceType: 'c5.2xlarge', clients: 1, tool: 'dd', storage: ['LUSTRE', 'EFS'] };
  expect(judge(claimById('cloudpipeline.read_ratio'), null, run)).toMatchObject({
    verdict: 'not comparable',
    because: 'it sums up times of the study, each of which is judged by itself',
  });
});

test('an erratum is told beside the verdict, and the corrected figure has its own', () => {
  const run = { ...blog, compression: ['NONE', 'LZ4'], window: 'burst' };
  const judgement = judge(claimById('compression.improvement.burst'), seen(245, 251, 256, '%'), run);
  expect(judgement.verdict).toBe('not reproduced');
  expect(judgement.errata[0]).toContain('(12460 − 3560) ÷ 12460');
  expect(judgement.corrected).toMatchObject({ value: 250, verdict: 'reproduced' });
});

test('what rounding leaves open counts for the claim', () => {
  const file = claimById('compression.ratio.file');
  const verdict = (ratio: number) => judge(file, { value: ratio, unit: 'x', interval: null }, blogLz4, 0).verdict;
  const blogLz4 = { ...blog, compression: 'LZ4' };
  expect([3.6, 3.67, 3.77, 3.85].map(verdict)).toEqual([
    'not reproduced',
    'reproduced',
    'reproduced',
    'not reproduced',
  ]);
});

test('a range and a lower bound are met as they say', () => {
  const synthetic = { elsewhere: null, instanceType: 'c5.2xlarge', clients: 1, tool: 'dd', storage: ['EFS', 'LUSTRE'] };
  const read = (value: number) =>
    judge(claimById('cloudpipeline.read_ratio'), seen(value, value, value, 'x'), synthetic).verdict;
  expect([1, 2, 4].map(read)).toEqual(['not reproduced', 'reproduced', 'not reproduced']);
  const dask = {
    elsewhere: null,
    storage: 'FSx for Lustre',
    instanceType: 'a small node',
    clients: 1,
    tool: 'dask',
    dataSet: 'ERA5, nearly 300 GB',
  };
  const slow = (value: number) => judge(claimById('dask.sst.single'), seen(value, value, value, 's'), dask).verdict;
  expect([900, 1500].map(slow)).toEqual(['not reproduced', 'reproduced']);
});

test.each([3.0, 3.4, 3.45, 3.5, 3.6, 3.75, 3.9, 4.0, 4.2])(
  '%d:1 is judged as the savings are that it means',
  (ratio) => {
    const [asRatio, asSavings] = [claimById('compression.ratio.file'), claimById('compression.savings.file')];
    const run = { ...blog, ...asRatio.conditions, ...asSavings.conditions };
    const verdict = (claim: typeof asRatio, value: number, unit: string) =>
      judge(claim, { value, unit, interval: null }, run).verdict;
    expect(verdict(asSavings, 100 * (1 - 1 / ratio), '%')).toBe(verdict(asRatio, ratio, 'n:1'));
  },
);
