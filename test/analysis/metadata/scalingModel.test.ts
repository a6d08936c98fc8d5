import type { Comparison } from '../../../lib/analysis/compare/comparisons';
import type { IopsScalingModel } from '../../../lib/analysis/metadata';
import { metadataResults } from '../../../lib/analysis/metadata';
import type { RunSummary } from '../../../lib/analysis/summary';
import { iopsFindings, iopsSentences } from '../../../lib/report/scaleModel';
import { plainText } from '../../../lib/report/shown';
import type { ThrottledMetadata } from '../../../lib/schema/model';
import { type Change, fileSystem, rateSamples, series, subject } from './subject';

function lawsOf(change: Change = {}): readonly IopsScalingModel[] {
  return metadataResults(subject(change))?.scalingModels ?? [];
}

const held = (iops: number): ThrottledMetadata => ({
  iops,
  documentedCreatesPerSecond: 2 * iops,
  setCreatesPerSecond: iops / 50,
  measuredCreatesPerSecond: iops / 50.5,
  writesPerCreate: 4,
  writesPerSecond: iops / 12.5,
  source: 'guide/performance',
});
const modelled = (rates: Readonly<Record<number, number>>): Change => ({
  lab: true,
  arms: Object.keys(rates).map((iops) => ({
    name: `p250-${iops}`,
    planned: fileSystem(Number(iops)),
    hourlyUsd: null,
    held: held(Number(iops)),
  })),
  counted: Object.entries(rates).flatMap(([iops, rate]) => rateSamples(`p250-${iops}`, 'file_create', [rate])),
});

describe('the scaling model of metadata IOPS', () => {
  test('does not hold where twice the IOPS do not create twice the files', () => {
    expect(lawsOf(modelled({ 3000: 60, 6000: 90 }))).toMatchObject([{ verdict: 'not reproduced', furthest: 0.75 }]);
    expect(lawsOf(modelled({ 3000: 60, 6000: 120, 12000: 300 }))).toMatchObject([
      { verdict: 'not reproduced', furthest: 1.25 },
    ]);
    expect(lawsOf(modelled({ 3000: 60, 6000: 90, 12000: 300 }))).toMatchObject([{ furthest: 0.75 }]);
  });

  test('holds where operations for each of the IOPS are within a tenth, from the least IOPS to the most', () => {
    const [law] = lawsOf(modelled({ 12000: 243, 3000: 61, 6000: 118 }));
    expect(law).toMatchObject({ operation: 'file_create', fileBytes: 0, verdict: 'reproduced', reason: null });
    expect(law?.points).toEqual([
      { arm: 'p250-3000', iops: 3000, perSecond: 61 },
      { arm: 'p250-6000', iops: 6000, perSecond: 118 },
      { arm: 'p250-12000', iops: 12_000, perSecond: 243 },
    ]);
  });

  test('is not told by an operation without a documented rate, by arms that differ in more, nor outside a scale model', () => {
    const model = modelled({ 3000: 60, 6000: 120 });
    const stats = ['p250-3000', 'p250-6000'].flatMap((arm) => rateSamples(arm, 'file_stat', [1]));
    expect(lawsOf({ ...model, counted: stats })).toEqual([]);
    const arms = (model.arms ?? []).map((arm, index) => ({
      ...arm,
      planned: arm.planned && { ...arm.planned, perUnitStorageThroughput: [250, 1000][index] },
    }));
    expect(lawsOf({ ...model, arms })).toEqual([]);
    expect(metadataResults(subject())).not.toHaveProperty('scalingModels');
    expect(metadataResults(subject({ lab: true }))).not.toHaveProperty('scalingModels');
  });

  test('is inconclusive where one rate alone is known, or the clients set the pace', () => {
    const model = modelled({ 3000: 60, 6000: 90 });
    const failed = [
      ...rateSamples('p250-3000', 'file_create', [60]),
      ...rateSamples('p250-6000', 'file_create', [null]),
    ];
    expect(lawsOf({ ...model, counted: failed })).toMatchObject([
      { verdict: 'inconclusive', reason: 'fewer than two arms have a rate for it' },
    ]);
    const idle = [
      ...['DiskReadOperations', 'DiskWriteOperations'].map((metric) =>
        series('p250-6000', metric, { StorageTargetId: 'MDT0000' }, () => 60),
      ),
      series('p250-6000', 'CPUUtilization', { FileServer: 'MDS0000' }, () => 5),
    ];
    expect(lawsOf({ ...model, metrics: idle })).toMatchObject([
      { verdict: 'inconclusive', reason: 'the clients were the bottleneck on p250-6000' },
    ]);
  });

  test('is said with its figures, and that it is the model’s', () => {
    const summary = (rates: Readonly<Record<number, number>>) =>
      ({ metadata: metadataResults(subject(modelled(rates))), comparisons: [] }) as unknown as RunSummary;
    const said = (rates: Readonly<Record<number, number>>): string =>
      iopsSentences(summary(rates)).map(plainText).join();
    expect(said({ 3000: 60, 6000: 120 })).toBe(
      'Operations per second should rise in proportion to the metadata IOPS: reproduced in the lab for file create (60 op/s with 3,000 IOPS, 120 with 6,000).',
    );
    expect(said({ 3000: 60, 6000: 60 })).toContain('not reproduced in the lab for file create');
    expect(iopsFindings(summary({ 3000: 60, 6000: 120 })).map(plainText)).toEqual([
      'With 2 × the metadata IOPS, p250-6000 created files 2.00 × as fast as p250-3000: proportional scaling is reproduced in the lab.',
    ]);
    // Of the comparisons, that of the most IOPS with the fewest counts, and of this operation alone.
    const compared = (arm: string, baseline: string, operation: string, estimate: number) =>
      ({ arm: `p250-${arm}`, baseline: `p250-${baseline}`, operation, estimate }) as Comparison;
    const comparisons = [
      compared('12000', '6000', 'file_create', 3),
      compared('6000', '3000', 'file_create', 4),
      compared('12000', '3000', 'file_stat', 5),
      compared('12000', '3000', 'file_create', 3.9),
    ];
    const three = { ...summary({ 3000: 60, 6000: 120, 12000: 240 }), comparisons };
    expect(iopsFindings(three).map(plainText).join()).toContain(
      'With 4 × the metadata IOPS, p250-12000 created files 3.90 ×',
    );
  });
});

describe('in the scale model', () => {
  const results = metadataResults(
    subject({
      ...modelled({ 3000: 60, 6000: 114 }),
      metrics: [
        ...['DiskReadOperations', 'DiskWriteOperations'].map((metric, index) =>
          series('p250-6000', metric, { StorageTargetId: 'MDT0000' }, () => index * 60 * 470),
        ),
        series('p250-6000', 'FileCreateOperations', { StorageTargetId: 'MDT0000' }, () => 60 * 114),
      ],
    }),
  );
  const of = <T extends { readonly arm: string }>(list: readonly T[] = []): T | undefined =>
    list.find(({ arm }) => arm === 'p250-6000');

  test('efficiency is held against what is held', () =>
    expect(of(results?.rates)).toMatchObject({ documented: { value: 120 }, efficiency: { value: 0.95 } }));

  test('an operation that is not held is not scored', () => {
    const counted = rateSamples('p250-6000', 'file_remove', [240]);
    const [rate] = metadataResults(subject({ ...modelled({ 6000: 114 }), counted }))?.rates ?? [];
    expect(rate?.efficiency).toEqual({ value: null, reason: 'the scale model limits only file creates' });
  });

  test('the disk of the metadata server says who set the pace', () =>
    expect(of(results?.bounds)).toMatchObject({ by: 'server', iops: { value: 470 / 480 } }));

  test('its one target has its count, and nothing to balance', () =>
    expect(of(results?.balance)).toMatchObject({
      targets: [{ target: 'MDT0000', operations: 5 * 60 * 114, share: 1 }],
      evenness: { value: null, reason: 'there is one metadata target: nothing to balance' },
    }));

  test('its rates buy no IOPS', () =>
    expect(results?.needs[0]?.iops).toEqual({
      value: null,
      reason: 'rates in a scale model are those of the model, not of your workload',
    }));
});
