import { join } from 'node:path';
import { summarise } from '../../lib/analysis/summary';
import { readRun } from '../../lib/store/readRun';
import type { RunRecord } from '../../lib/store/record';
import { ROOT } from '../support/sources';

let model: RunRecord;
beforeAll(async () => {
  model = await readRun(join(ROOT, 'test/fixtures/model/compression'));
});

const errors = (record: RunRecord) =>
  summarise(record)
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ id, where, actual }) => ({ id, where, actual }));

test('a run whose limits held in each repeat has no error', () => {
  expect(errors(model)).toEqual([]);
});

test('what the kernel lets through before a limit holds is no lost limit in a phase of a third of a second', () => {
  const short = (seconds: number): RunRecord => ({
    ...model,
    samples: model.samples.flatMap((sample) => {
      if (sample.arm !== 'none' || sample.repeat !== 3 || sample.phase !== 'measure') return [sample];
      return sample.metric === 'throughput'
        ? [
            { ...sample, value: (sample.value ?? 0) * 1.3 },
            { ...sample, metric: 'total_time', value: seconds, unit: 's' },
          ]
        : [sample];
    }),
  });
  expect(errors(short(0.33)).map(({ id }) => id)).not.toContain('faster-than-documented');
  expect(errors(short(5)).map(({ id }) => id)).toContain('faster-than-documented');
});

test('beside longer repeats, the shortest one says how much the kernel let through', () => {
  const samples = model.samples.flatMap((sample) => {
    if (sample.arm !== 'none' || sample.phase !== 'measure' || sample.metric !== 'throughput') return [sample];
    const [factor, seconds] = sample.repeat === 3 ? [1.3, 0.33] : [1, 30];
    const rate = { ...sample, value: (sample.value ?? 0) * factor };
    return [rate, { ...sample, metric: 'total_time', value: seconds, unit: 's' }];
  });
  expect(errors({ ...model, samples }).map(({ id }) => id)).not.toContain('faster-than-documented');
});

test('a disk limit that is lost in one repeat spoils a run on the model, though the median looks right', () => {
  const lost = (sample: RunRecord['samples'][number]): boolean =>
    sample.arm === 'none' && sample.repeat === 3 && sample.phase === 'measure' && sample.metric === 'throughput';
  const samples = model.samples.map((sample) =>
    lost(sample) && sample.value !== null ? { ...sample, value: sample.value * 3.6 } : sample,
  );
  expect(samples).not.toEqual(model.samples);
  expect(errors({ ...model, samples })).toEqual([
    { id: 'faster-than-documented', where: 'none', actual: expect.stringMatching(/MB\/s, 3\d\d % of it$/) },
  ]);
});

test('of an arm of which the lab held nothing, no limit is named and nothing is predicted beside a model of another', () => {
  const { manifest } = model;
  if (manifest === null) throw new Error('the run has no manifest');
  const arms = manifest.arms.map(({ model: held, ...arm }) => (arm.name === 'lz4' ? arm : { ...arm, model: held }));
  const { limits, predicted } = summarise({ ...model, manifest: { ...manifest, arms } }).analysis;
  const of = (arm: string) => limits.filter((limit) => limit.arm === arm);
  expect(of('none').map(({ binding }) => binding?.baseline)).toEqual(of('none').map(() => 'disk'));
  expect(of('lz4').length).toBeGreaterThan(0);
  for (const { limits: known, reason } of of('lz4'))
    expect({ known, reason }).toEqual({ known: [], reason: expect.stringContaining('stood in') });
  const rates = predicted.rates.filter(({ arm }) => arm === 'lz4');
  expect(rates.map(({ predictedMBps }) => predictedMBps)).toEqual(of('lz4').map(() => null));
});

test.each([
  ['held', 63, []],
  ['lost in one repeat', 300, [{ id: 'faster-than-documented', where: 'none', actual: '300 op/s, 500 % of it' }]],
] as const)('a limit of creations that is %s is judged by the fastest repeat', (_, fastest, expected) => {
  const samples = model.samples.flatMap((sample) =>
    sample.arm === 'none' && sample.compressibility === 1 && sample.metric === 'throughput' && sample.value !== null
      ? [
          {
            ...sample,
            operation: 'file_create',
            metric: 'rate',
            unit: 'op/s',
            value: sample.repeat === 2 ? fastest : 59,
          },
        ]
      : [],
  );
  expect(samples.length).toBeGreaterThan(2);
  const metadata = { setCreatesPerSecond: 60 };
  const arms = model.manifest?.arms.map((arm) => ({ ...arm, model: { ...arm.model, metadata } }));
  const manifest = { ...model.manifest, arms } as unknown as RunRecord['manifest'];
  const found = errors({ ...model, samples, manifest }).filter(({ id }) => id === 'faster-than-documented');
  expect(found).toEqual(expected);
});
