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
