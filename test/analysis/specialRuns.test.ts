import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareRuns } from '../../lib/analysis/compare/compare';
import { type RunSummary, summarise, summarise as summariseRun } from '../../lib/analysis/summary';
import { answerOf } from '../../lib/report/answers';
import { figuresOf } from '../../lib/report/findings';
import { toJson } from '../../lib/report/json';
import { loadBetween } from '../../lib/run/clients/clientLoad';
import { type LoadReading, loadReadingSchema } from '../../lib/schema/environment';
import { readRun } from '../../lib/store/readRun';
import type { RunRecord } from '../../lib/store/record';
import { syntheticRun } from '../report/syntheticRun';
import { ROOT } from '../support/sources';
import { withLoad } from './faultyRuns';
import { soundRun, withSamples } from './runs';

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
    expect({ known, reason }).toEqual({ known: [], reason: expect.stringContaining('replaced') });
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

describe('a local run is not the lab’s', () => {
  const local = (actually: string): RunRecord => {
    const record = soundRun();
    if (record.manifest === null) throw new Error('a sound run has a manifest');
    const arms = record.manifest.arms.map((arm) => ({
      ...arm,
      kind: 'directory' as const,
      fileSystemId: null,
      describe: null,
      hourlyUsd: null,
      hourlyReason: 'a directory of this computer has no list price',
      actually,
    }));
    return { ...record, manifest: { ...record.manifest, stack: null, region: null, arms } };
  };
  const everyWord = (record: RunRecord): string => {
    const { limits, costs, verdicts, checks, predicted } = toJson(summariseRun(record)).analysis;
    return [
      toJson(summariseRun(record)).answers,
      limits,
      costs,
      verdicts,
      checks,
      predicted,
      toJson(summariseRun(record)).issues,
    ]
      .map((part) => JSON.stringify(part))
      .join('\n');
  };

  test('nothing speaks of the lab, on a disk of this computer', () => {
    const record = local('ext4 on /dev/nvme1n1');
    expect(toJson(summariseRun(record)).place).toBe('directories');
    expect(everyWord(record)).not.toMatch(/the lab|local file systems replaced/);
    expect(everyWord(record)).toContain('Nothing was rented');
  });

  test('on mounted Lustre, which may be Amazon’s, nothing says that it is not, nor that it costs nothing', () => {
    const record = local('lustre on 10.0.0.15@tcp:/abcdefgh');
    expect(toJson(summariseRun(record)).place).toBe('mounted');
    expect(everyWord(record)).not.toMatch(
      /the lab|local file systems|[Nn]othing was rented|directories of one computer/,
    );
    expect(everyWord(record)).toContain('cost of the mounted file systems is not known');
    expect(figuresOf(summariseRun(record)).platform).toBe('Lustre mounted on one computer');
  });

  test('a deployment and the lab stay what they were', () => {
    expect([soundRun(), soundRun({ lab: true })].map((record) => toJson(summariseRun(record)).place)).toEqual([
      'aws',
      'lab',
    ]);
  });
});

/** A run of so many arms, half of them compressing, which counts how often the arm of a sample is read. */
function runOfArms(count: number): { readonly record: RunRecord; readonly reads: () => number } {
  const record = syntheticRun({ repeats: 2, compressibilities: [1, 2.6], withMetrics: false });
  const { plan, manifest } = record;
  const all = Array.from({ length: count }, (_, index) => ({
    name: `a${index}`,
    of: index % 2 === 0 ? 'none' : 'lz4',
  }));
  const like = <T extends { readonly name: string }>(arms: readonly T[]): T[] =>
    all.map(({ name, of }) => ({ ...(arms.find((arm) => arm.name === of) as T), name }));
  let reads = 0;
  const counting = (arm: string): PropertyDescriptor => ({
    enumerable: true,
    get: () => {
      reads += 1;
      return arm;
    },
  });
  const samples = all.flatMap(({ name, of }) =>
    record.samples.flatMap((sample) =>
      sample.arm === of ? [Object.defineProperty({ ...sample }, 'arm', counting(name))] : [],
    ),
  );
  return {
    record: {
      ...record,
      plan: plan && { ...plan, arms: like(plan.arms) },
      manifest: manifest && { ...manifest, arms: like(manifest.arms) },
      samples,
    },
    reads: () => reads / samples.length,
  };
}

test('an analysis looks at each sample as often with many arms as with few', () => {
  const [few, many] = [10, 80].map((count) => {
    const { record, reads } = runOfArms(count);
    expect(summarise(record).comparisons).toHaveLength(4 * (count - 1));
    return reads();
  }) as [number, number];
  expect(many).toBeLessThan(1.2 * few);
});

const FOLDER = join(__dirname, '../fixtures/load');

/** Output of client-load on one computer of two processors: nearly idle, and while others compiled on it at a load of 14. */
const reading = (name: string): LoadReading =>
  loadReadingSchema.parse(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));

/** The same run, on clients that are all as one was recorded. */
function measuredOn(machine: 'idle' | 'busy'): RunSummary {
  const load = loadBetween(null, reading(`${machine}-before`), reading(`${machine}-after`));
  const run = withSamples(withLoad(load), ({ load: own = [], ...sample }) => ({
    ...sample,
    load: Array.from({ length: sample.clients }).flatMap(() => own),
  }));
  return summarise(run);
}

const outcomeOf = ({ analysis: { checks } }: RunSummary) => checks.find(({ id }) => id === 'busy-client');

test('of two runs alike, the one on a busy machine says what was wrong, and the other that nothing was', () => {
  const [idle, busy] = [measuredOn('idle'), measuredOn('busy')];
  expect(outcomeOf(idle)).toMatchObject({ state: 'passed', issues: [] });
  expect(idle.validity).toBe('VALID');
  expect(outcomeOf(busy)?.state).toBe('found');
  const { validity, faults } = answerOf(busy);
  expect(validity).toBe('WARN');
  expect(faults).toContainEqual(
    expect.stringMatching(
      /ran other work during \d+ measured phases.*just before or after, others took 78\.4 % of its CPU time \(tsc, apt-get/,
    ),
  );
  const [issue] = outcomeOf(busy)?.issues ?? [];
  expect(issue?.actual).toMatch(/^load average 14\.1 on 2 CPUs, 99\.\d % busy, .* with the tool, processes waited/);
  expect(issue?.suggestion).toContain('stop all other work on the clients');
  // The client that did not answer may be the busy one.
  expect(outcomeOf(summarise(withLoad({})))?.reason).toMatch(/^32 of 32 phases: not every client’s load was sampled/);
});

test('compare says which run was made on a busy machine', () => {
  const { cautions } = compareRuns(measuredOn('idle'), measuredOn('busy'));
  expect(cautions).toEqual([expect.stringMatching(/^\S+ is WARN: busy-client$/)]);
});
