import { advise } from '../../lib/advise';
import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { predict } from '../../lib/predict';
import { answers } from '../../lib/report/answers';
import { purchaseSentences } from '../../lib/report/purchase';
import type { Sample } from '../../lib/schema/sample';
import { type SyntheticOptions, syntheticRun } from './syntheticRun';

const inWords = (summary: RunSummary): string[] =>
  purchaseSentences(summary).map((sentence) =>
    sentence.map((part) => (typeof part === 'string' ? part : part.arm)).join(''),
  );
const sentences = (options: SyntheticOptions = {}): string[] => inWords(summarise(syntheticRun(options)));

test('what to buy is what the adviser ranks first for the rates and the ratio of the fastest arm', () => {
  const [first, second] = sentences({ variation: 0 });
  const { options } = advise({ writeMBps: 11_410, readMBps: 12_550, ratio: 3.36, region: 'us-east-1' });
  expect(first).toMatch(
    /^For what lz4 reached \(11,407 MB\/s written, 12,548 MB\/s read, data at 3\.36:1\), the cheapest/,
  );
  expect(first).toContain(`: $${(options[0]?.monthlyUsd ?? 0).toLocaleString('en-US')} a month`);
  expect(first).toContain(', against $4,176 for lz4.');
  expect(second).toBe(
    'Add --capacity with the size of your data: npx fsxbench advise --write 11.41 --read 12.55 --ratio 3.36',
  );
});

test('a run of rates and of creations asks for both, in a command that works as it is printed', () => {
  const record = syntheticRun({ variation: 0 });
  const created = (arm: string, value: number): Sample[] =>
    record.samples
      .filter((sample) => sample.arm === arm && sample.metric === 'throughput' && sample.phase === 'measure')
      .map((sample) => ({
        ...sample,
        operation: 'file_create',
        metric: 'rate',
        unit: 'op/s',
        compressibility: null,
        value,
      }));
  const samples = [...record.samples, ...created('lz4', 4968.4), ...created('none', 9000)];
  const [first, second] = inWords(summarise({ ...record, samples }));
  expect(first).toContain('data at 3.36:1, 4,968 files created per second), the cheapest');
  expect(second).toMatch(/: npx fsxbench advise --write 11\.41 --read 12\.55 --ratio 3\.36 --metadata 4968$/);
  // Creations alone are those of the arm that made most of them.
  const alone = [...created('lz4', 4968.4), ...created('none', 9000)];
  expect(inWords(summarise({ ...record, samples: alone })).at(-1)).toMatch(/: npx fsxbench advise --metadata 9000$/);
});

test('what is named really does it, by its documented limits', () => {
  const [option] = advise({ writeMBps: 11_410, readMBps: 12_550, ratio: 3.36 }).options;
  if (option === undefined) throw new Error('nothing was found');
  const { throughputMBps } = predict({ configuration: option.configuration, ratio: 3.36 });
  expect(throughputMBps.baseline).toBeGreaterThanOrEqual(11_410);
});

test('a lab run names no file system', () => {
  expect(sentences({ lab: true })).toEqual([
    'Not available for a run on local file systems: npx fsxbench advise ranks what AWS documents.',
  ]);
});

test('a run without a rate says nothing of it', () => {
  expect(sentences({ stopAfter: 0 })).toEqual([]);
});

test('it is a result, so that an INVALID run marks it', () => {
  const summary = summarise(syntheticRun({ failing: ['r1-c1-write', 'r2-c1-write', 'r3-c1-write'] }));
  expect(summary.validity).toBe('INVALID');
  expect(answers(summary).find(({ question }) => question === 'What to buy')?.isResult).toBe(true);
});
