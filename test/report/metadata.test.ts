import { JSDOM } from 'jsdom';
import { summarise as summariseRun } from '../../lib/analysis/summary';
import { metadataBench } from '../../lib/benchmark/metadata';
import { makePlan } from '../../lib/plan/plan';
import { findings } from '../../lib/report/findings';
import { toJson } from '../../lib/report/json';
import { renderMarkdown } from '../../lib/report/markdown';
import { renderHtml } from '../../lib/report/page';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { describeLustre } from '../../lib/storage/lustre/documented';
import type { RunRecord } from '../../lib/store/record';
import { rateSamples, START, series } from '../analysis/metadata/subject';
import { deployedArm, manifestOf, recordOf } from '../support/records';

const ARMS = ['p250-12000', 'p250-192000'];

/** A run on AWS in which the large arm creates 12.5 times as fast, on 16 targets of which one has half of its share. */
function metadataRun(lab = false): RunRecord {
  const arms = metadataBench
    .arms('published')
    .filter(({ name }) => ARMS.includes(name))
    .map(({ name, storage }) => ({
      name,
      description: describeLustre(storage as LustreStorage),
      configuration: storage,
    }));
  const plan = makePlan({
    benchmark: metadataBench,
    plan: 'paired',
    scale: 'published',
    arms,
    fleet: { clients: 200, instanceType: 'c5.9xlarge', ranksPerClient: 4 },
    set: ['repeats=1', 'fileBytes=0,4096'],
    hourlyUsd: 330,
  });
  const samples = [
    ...rateSamples('p250-12000', 'file_create', [23_000, 24_000, 24_000]),
    ...rateSamples('p250-192000', 'file_create', [300_000, 310_000, 290_000]),
    ...rateSamples('p250-12000', 'file_stat', [90_000], 300),
    ...rateSamples('p250-192000', 'file_stat', [400_000], 300),
    ...rateSamples('p250-12000', 'file_create', [12_000], 600, 4096),
    ...rateSamples('p250-192000', 'file_create', [150_000], 600, 4096),
  ];
  const target = (index: number) => ({ StorageTargetId: `MDT${index.toString(16).padStart(4, '0')}` });
  const metrics = ARMS.map((arm) => ({
    schema: 'fsxbench.metrics/1' as const,
    run: 'test',
    window: { from: new Date(START).toISOString(), to: new Date(START + 900_000).toISOString() },
    series: Array.from({ length: arm === 'p250-12000' ? 1 : 16 }, (_, index) =>
      series(arm, 'FileCreateOperations', target(index), () => (index === 15 ? 600_000 : 1_200_000)),
    ),
  }));
  const manifest = manifestOf({
    run: 'test',
    benchmark: 'MetadataBench',
    lab,
    region: 'us-east-1',
    arms: arms.map(({ name, description }, index) =>
      deployedArm({ name, description, fileSystemId: `fs-${index}`, hourlyUsd: index === 0 ? 3.5 : 17 }),
    ),
    fleet: { autoScalingGroup: null, instanceType: 'c5.9xlarge', image: null, clients: [], hourlyUsd: 306 },
  });
  return recordOf({ run: 'test', plan, manifest, samples, metrics });
}

const textOf = (node: Element | null | undefined): string => (node?.textContent ?? '').replace(/\s+/g, ' ').trim();

describe('the report of a run about metadata', () => {
  let document: Document;
  beforeAll(async () => {
    document = new JSDOM(await renderHtml(summariseRun(metadataRun()))).window.document;
  });
  const table = (caption: string): Element | undefined =>
    [...document.querySelectorAll('table')].find((each) => textOf(each.querySelector('caption')).startsWith(caption));
  /** What a table shows of an operation on an arm. */
  const row = (caption: string, operation: string, arm: string): string => {
    const rows = [...(table(caption)?.querySelectorAll('tbody tr') ?? [])].map((each) =>
      [...each.children].map(textOf),
    );
    const [, , ...shown] = rows.find(([first, second]) => first === operation && second === arm) ?? [];
    return shown.join(' | ');
  };

  test('says in plain words how much faster, how near to the promise, and what the extra rate costs', () => {
    const said = [...document.querySelectorAll('.findings')].map(textOf).join(' ');
    expect(said).toContain(
      'p250-192000 created files 13 × and ran stat on files 4.4 × as fast as p250-12000, in 1 pair: too few to rule out chance.',
    );
    expect(said).toContain('p250-192000 created files of 4 KiB 13 × as fast as p250-12000');
    expect(said).toContain(
      'p250-192000 created files at 0.78 of the documented rate of its metadata IOPS; each extra thousand per second costs $35.71 per month.',
    );
    expect(said).not.toMatch(/space|compress/);
  });

  test('says once what arms did alike', () => {
    const summary = summariseRun(metadataRun());
    const { metadata } = summary;
    const rates = metadata?.rates.map((rate) => ({ ...rate, efficiency: { ...rate.efficiency, value: 1 } })) ?? [];
    const alike = findings({ ...summary, metadata: metadata && { ...metadata, rates, prices: [] } });
    expect(
      alike.map((sentence) => sentence.map((part) => (typeof part === 'string' ? part : part.arm)).join('')),
    ).toEqual(
      expect.arrayContaining([
        'p250-12000 and p250-192000 created files at 1.00 of the documented rate of their metadata IOPS.',
        'p250-12000 and p250-192000 created files of 4 KiB at 1.00 of the documented rate of their metadata IOPS.',
      ]),
    );
  });

  test('shows rate, documented rate and efficiency of each operation, arm and size', () => {
    const caption = 'Metadata efficiency';
    expect(row(caption, 'file create', 'p250-192000')).toBe('300,000 | 290,000 | 310,000 | 3 | 384,000 | 0.78');
    expect(row(caption, 'file create of 4 KiB', 'p250-12000')).toBe('12,000 | 12,000 | 12,000 | 1 | 24,000 | 0.50');
    expect(row(caption, 'file stat', 'p250-12000')).toMatch(/ \| – \| –$/);
  });

  test('holds each operation against the rate predicted for its metadata IOPS, with the error', () => {
    const caption = 'Metadata: the documented rate';
    expect(row(caption, 'file create', 'p250-192000')).toBe('384,000 | 300,000 | +28 % | the metadata servers | ');
    expect(row(caption, 'file create', 'p250-12000')).toMatch(/^24,000 \| 24,000 \| 0 % \| /);
    expect(row(caption, 'file stat', 'p250-12000')).toBe('– | 90,000 | – |  | AWS publishes no rate for stat');
    const { operations } = toJson(summariseRun(metadataRun())).analysis.predicted;
    expect(operations[0]).toEqual({
      arm: 'p250-12000',
      operation: 'file_create',
      fileBytes: 0,
      predictedPerSecond: 24_000,
      measuredPerSecond: 24_000,
      errorPercent: 0,
      boundBy: null,
      reason: null,
    });
    expect(renderMarkdown(summariseRun(metadataRun()))).toContain('384,000 | 300,000 | +28 %');
    expect(toJson(summariseRun(metadataRun(true))).analysis.predicted).toMatchObject({ operations: [], rates: [] });
  });

  test('shows what operations cost, and how many IOPS they need', () => {
    expect(row('Cost of operations', 'file create', 'p250-192000')).toBe('3,343,653 | $0.30 | $41.37 | $35.71');
    expect(row('Metadata IOPS that this workload needs', 'file create', 'p250-192000')).toBe(
      '300,000 | 156,000 | not known',
    );
  });

  test('gives each reason for a missing figure once, and says of what', () => {
    const section = textOf(document.querySelector('section[aria-labelledby="metadata"]'));
    expect(section).toContain('efficiency: AWS publishes no rate for stat (file stat)');
    expect(section.match(/AWS publishes no rate for stat/g)).toHaveLength(1);
    expect(section).not.toMatch(/undefined|NaN|null|Infinity/);
  });

  test('leaves a table without any figure out, and says why', () => {
    expect(table('Bottleneck')).toBeUndefined();
    expect(textOf(document.querySelector('section[aria-labelledby="metadata"]'))).toContain(
      'bottleneck: CPUUtilization: not collected; run npx fsxbench collect',
    );
  });

  test('draws no axis of compressibility', () => {
    expect(textOf(document.querySelector('main'))).not.toContain('compressibility');
  });
});

test('a lab run has every rate, and no figure that would be Amazon’s', async () => {
  const { metadata } = toJson(summariseRun(metadataRun(true)));
  expect(metadata?.rates.every(({ rate }) => rate.value !== null)).toBe(true);
  const figures = [
    ...(metadata?.rates.map(({ efficiency }) => efficiency) ?? []),
    ...(metadata?.prices.flatMap(({ perDollar, perMillion, perThousandMonthly }) => [
      perDollar,
      perMillion,
      perThousandMonthly,
    ]) ?? []),
    ...(metadata?.balance.map(({ evenness }) => evenness) ?? []),
    ...(metadata?.needs.map(({ iops }) => iops) ?? []),
  ];
  expect(figures.every(({ value, reason }) => value === null && reason !== null)).toBe(true);
});

describe('the same as Markdown', () => {
  test('asks how many IOPS the workload needs only where it has an answer', () => {
    expect(renderMarkdown(summariseRun(metadataRun()))).toContain('Metadata IOPS that this workload needs');
    expect(renderMarkdown(summariseRun(metadataRun(true)))).not.toContain('Metadata IOPS that this workload needs');
  });
});
