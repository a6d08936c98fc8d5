import { summarise, summarise as summariseRun } from '../../../lib/analysis/summary';
import { aroundChange } from '../../../lib/benchmark/metadata/plan/paired';
import { makePlan } from '../../../lib/plan/plan';
import { renderCsv } from '../../../lib/report/csv';
import { renderMarkdown } from '../../../lib/report/markdown';
import { renderHtml } from '../../../lib/report/page';
import { beforeAfter } from '../../../lib/scale/beforeAfter';
import type { Manifest } from '../../../lib/schema/run';
import { describeLustre } from '../../../lib/storage/lustre/documented';
import type { RunRecord } from '../../../lib/store/record';
import { fileSystem, rateSamples } from '../../analysis/metadata/subject';

const ID = 'fs-0a1b2c3d4e5f60718';
const arms = [
  { name: 'before', configuration: fileSystem(12_000) },
  { name: 'after', configuration: fileSystem(48_000) },
].map((arm) => ({ ...arm, description: describeLustre(arm.configuration) }));

/** A run on AWS around a raise from 12,000 to 48,000 metadata IOPS. */
function record(after: readonly number[]): RunRecord {
  const around = beforeAfter(aroundChange, 'MetadataBench', { fileSystemId: ID, iops: 48_000, expectedSeconds: 900 });
  const plan = makePlan({
    benchmark: { name: 'MetadataBench', plans: [around] },
    plan: around.name,
    scale: 'published',
    arms,
    fleet: { clients: 1, instanceType: null, ranksPerClient: 4 },
    hourlyUsd: null,
  });
  const manifest: Manifest = {
    schema: 'fsxbench.manifest/1',
    run: 'test',
    benchmark: 'MetadataBench',
    lab: false,
    stack: null,
    region: 'us-east-1',
    account: null,
    bucket: null,
    document: null,
    dashboard: null,
    arms: arms.map(({ name, description }) => ({
      name,
      description,
      kind: 'lustre',
      fileSystemId: ID,
      describe: null,
      actually: null,
      hourlyUsd: name === 'before' ? 3 : 7,
    })),
    fleet: { autoScalingGroup: null, instanceType: null, image: null, clients: [], hourlyUsd: 1 },
    metricsPeriodSeconds: 60,
    tools: {},
    notices: [],
  };
  const samples = [
    ...[23_000, 24_000, 22_000].flatMap((rate, at) => repeated(rateSamples('before', 'file_create', [rate]), at + 1)),
    ...after.flatMap((rate, at) => repeated(rateSamples('after', 'file_create', [rate], 900), at + 1)),
  ];
  return { run: 'test', plan, manifest, status: null, samples, metrics: [], environment: [], raw: [], problems: [] };
}

const repeated = <T extends { step: string; repeat: number }>(samples: readonly T[], repeat: number): T[] =>
  samples.map((sample) => ({ ...sample, repeat, step: `${sample.step}-${repeat}` }));

test('a difference is that of the means over repeats, with an interval for sides that are no pairs', () => {
  const { comparisons } = summarise(record([60_000, 64_000, 62_000]));
  expect(comparisons).toHaveLength(1);
  const [one] = comparisons;
  expect(one).toMatchObject({ design: 'before-after', repeats: [3, 3], different: true, minimumDetectable: null });
  expect(one?.estimate).toBeCloseTo(Math.cbrt((60 * 64 * 62) / (23 * 24 * 22)), 6);
  expect(one?.interval?.low).toBeGreaterThan(2);
  expect(one?.interval?.high).toBeLessThan(3.5);
});

test('the table for spreadsheets counts the repeats of each side, and no pairs', () => {
  const [head = [], ...rows] = renderCsv([record([60_000, 64_000])].map(summariseRun), 'summary')
    .split('\r\n')
    .map((line) => line.split(','));
  const compared = rows.find((row) => row[head.indexOf('design')] === 'before-after') ?? [];
  expect(['baseline_repeats', 'repeats', 'pairs'].map((name) => compared[head.indexOf(name)])).toEqual(['3', '2', '']);
});

test('one repeat after the raise has a quotient and no interval, and the words say so', async () => {
  const alone = record([60_000]);
  const [one] = summarise(alone).comparisons;
  expect(one).toMatchObject({ repeats: [3, 1], interval: null, different: null });
  expect(renderMarkdown(summariseRun(alone))).toContain('one repeat tells nothing');
  expect(await renderHtml(summariseRun(alone))).toContain('one repeat tells nothing');
});

test('without a value after the raise nothing is compared, and nothing is said of pairs', async () => {
  const half = record([]);
  const [one] = summarise(half).comparisons;
  expect(one?.estimate ?? null).toBeNull();
  for (const text of [renderMarkdown(summariseRun(half)), await renderHtml(summariseRun(half))]) {
    expect(text).not.toMatch(/in pairs|Paired differences|NaN|undefined/);
    expect(text).toContain('order-is-time');
  }
});

test('the file system is paid for once, at the price after the raise', () => {
  expect(summarise(record([60_000])).cost.hourlyUsd).toBe(7 + 1);
});

test('each side is held against what is documented for its own metadata IOPS', () => {
  const rates = summarise(record([60_000, 64_000, 62_000])).metadata?.rates ?? [];
  expect(rates.map(({ arm, documented }) => [arm, documented.value])).toEqual([
    ['before', 24_000],
    ['after', 96_000],
  ]);
});
