import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report';
import { forestPlot } from '../../lib/report/forest';
import { iopsSentences, scalingSentences } from '../../lib/report/scaleModel';
import { plainText } from '../../lib/report/shown';
import type { RunRecord } from '../../lib/store/record';
import { labRun } from './labRuns';
import { modelledRun, withGains } from './modelledRun';
import { BASELINE_MBPS, syntheticRun } from './syntheticRun';

/** A run of one repeat, on one client with one process where two took part. */
function oneOfEach(): RunRecord {
  const { plan, samples, ...run } = syntheticRun({ repeats: 1, compressibilities: [2.6] });
  if (plan === null) throw new Error('the run has no plan');
  const steps = plan.steps.map((step) => ({
    ...step,
    tasks: step.tasks.map(({ action, ...task }) => ({
      ...task,
      action: action.kind === 'workload' ? { ...action, ranksPerClient: 1 } : action,
    })),
  }));
  return {
    ...run,
    plan: { ...plan, steps, fleet: { ...plan.fleet, clients: 1 } },
    samples: samples.map((sample) => ({ ...sample, clients: 1, ranks: sample.ranks === null ? null : 2 })),
  };
}

test('one of a kind is told as one', () => {
  const page = renderMarkdown(summarise(oneOfEach()));
  expect(page).toContain('Expected 1 client, 1 process, as the plan says; found 1 client; fio counted 2 processes');
  expect(page).toContain('1 value cannot show a fall');
  expect(page).toContain('at most 1 value of one kind');
  expect(page.match(/(?<![\d.,:])1 (clients|processes|values|phases|steps|sessions|pairs|repeats)\b/g)).toBeNull();
});

test('one missing value is one, and so is a last step', () => {
  const [step = ''] =
    syntheticRun({ compressibilities: [2.6] })
      .plan?.steps.slice(-1)
      .map(({ id }) => id) ?? [];
  const failing = renderMarkdown(summarise(syntheticRun({ compressibilities: [2.6], failing: [step] })));
  expect(failing).toContain('lz4, read at 2.6:1: 1 of 3 values is missing.');
  const steps = syntheticRun({ compressibilities: [2.6] }).plan?.steps.length ?? 0;
  const stopped = renderMarkdown(summarise(syntheticRun({ compressibilities: [2.6], stopAfter: steps - 1 })));
  expect(stopped).toContain(`1 step of ${steps} was not reached`);
});

test('of an operation with one pair beside one with more, nothing is said to be shown', () => {
  const failing = ['r1-c2.6-write', 'r2-c2.6-write'];
  expect(renderMarkdown(summarise(syntheticRun({ compressibilities: [2.6], failing })))).toContain(
    'in 1 and 3 pairs: a real difference in read, and in write too few to rule out chance.',
  );
});

describe('times of several operations, as of the loops of a study', () => {
  /** Loops that took 100 s on one arm and so many times as long on the other, by so many threads. */
  const looped = (times: Readonly<Record<string, readonly number[]>>): string => {
    const run = syntheticRun({ repeats: 1, compressibilities: [1], withMetrics: false });
    const [template] = run.samples.filter(({ phase, metric }) => phase === 'measure' && metric === 'throughput');
    if (template === undefined) throw new Error('the run has no rate');
    const samples = Object.entries(times).flatMap(([operation, factors]) =>
      factors.flatMap((factor, index) =>
        ['none', 'lz4'].map((arm) => ({
          ...template,
          arm,
          operation,
          tool: 'dd',
          compressibility: null,
          threads: index + 1,

          step: `${operation}-${index}-${arm}`,
          metric: 'seconds',
          unit: 's',
          value: arm === 'none' ? 100 : 100 * factor,
        })),
      ),
    );
    return renderMarkdown(summarise({ ...run, plan: null, samples }));
  };

  test('are told by the names of the operations', () => {
    expect(looped({ create_large_file: [1.6], read_large_file: [1.3] })).toContain(
      '**lz4** took 1.6 × as long as **none** in create large file by 1 thread and 1.3 × in read large file by 1 thread, in 1 pair: too few to rule out chance.',
    );
  });

  test('are told by the least and the most where they are many', () => {
    expect(looped({ create_large_file: [1.6, 4.2, 2], read_large_file: [1.9, 1.3, 3] })).toContain(
      '**lz4** took from 1.3 × as long as **none** in read large file by 2 threads to 4.2 × in create large file by 2 threads, of 6 operations, in 1 pair: too few to rule out chance.',
    );
  });
});

test('a table of ratios without an interval promises none', () => {
  const caption = (repeats: number): string =>
    /Arms side by side: .*/.exec(renderMarkdown(summarise(syntheticRun({ repeats, compressibilities: [2.6] }))))?.[0] ??
    '';
  expect(caption(1)).toBe('Arms side by side: geometric means over the pairs and their ratio:');
  expect(caption(2)).toBe('Arms side by side: geometric means over the pairs and their ratio with its interval:');
});

test('a time between sessions that the clock does not tell is an unknown one', () => {
  const run = syntheticRun({ compressibilities: [2.6] });
  if (run.status === null) throw new Error('the run has no status');
  const sessions = [
    { startedAt: '2026-11-21T09:00:00.000Z', endedAt: '2026-11-21T09:20:00.000Z' },
    { startedAt: '2026-11-21T09:10:00.000Z', endedAt: '2026-11-21T09:32:00.000Z' },
  ];
  const page = renderMarkdown(summarise({ ...run, status: { ...run.status, sessions } }));
  expect(page).toContain('ran 42 min in 2 sessions, with an unknown time of interruption between them');
  expect(page).toContain('2 sessions of 42 min in all, with an unknown time between them.');
});

test('only servers whose memory is documented are said to be allowed for', () => {
  const run = syntheticRun({ compressibilities: [2.6] });
  const small = {
    ...run,
    samples: run.samples.map((one) => (one.metric === 'bytes' ? { ...one, value: (one.value ?? 0) / 100 } : one)),
  };
  const expected = (record: RunRecord) =>
    summarise(record).issues.find(({ id }) => id === 'data-fit-in-memory')?.expected;
  expect(expected(small)).toContain('(4 clients and the servers)');
  const efs = { kind: 'efs', throughputMode: 'elastic' };
  const plan = small.plan && { ...small.plan, arms: small.plan.arms.map((arm) => ({ ...arm, configuration: efs })) };
  const manifest = small.manifest && {
    ...small.manifest,
    arms: small.manifest.arms.map((arm) => ({ ...arm, kind: 'efs', describe: null })),
  };
  expect(expected({ ...small, plan, manifest } as RunRecord)).toContain('(4 clients)');
});

describe('on scale models', () => {
  const model = (gains: readonly number[], repeats = 5): RunSummary =>
    summarise(withGains(modelledRun(BASELINE_MBPS * 20, { repeats }), 1, gains));

  test('a difference that repeats show beyond chance is not put down to chance alone', () => {
    const [chart] = forestPlot(model([1.029, 1.03, 1.031]))?.charts ?? [];
    expect(chart?.description).toContain('write, incompressible: 1.03 × (1.03–1.03), inconclusive.');
    const [onAws] = forestPlot(summarise(syntheticRun({ compressibilities: [1] })))?.charts ?? [];
    expect(onAws?.description).toContain(', inconclusive.');
  });

  test('a scaling model that is inconclusive is not put down to few repeats', () => {
    const turns = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 0.9 : 5));
    const law = scalingSentences(summarise(withGains(modelledRun(BASELINE_MBPS * 20, { repeats: 20 }), 2.6, turns)));
    expect(law.map(plainText).join(' ')).toMatch(/inconclusive at 2\.6:1/);
    const open = { operation: 'file_create', fileBytes: null, verdict: 'inconclusive', furthest: null };
    const iops = (points: readonly { arm: string; iops: number; perSecond: number }[], reason: string) =>
      iopsSentences({ metadata: { scalingModels: [{ ...open, points, reason }] } } as unknown as RunSummary).map(
        plainText,
      );
    expect(iops([], 'fewer than two arms have a rate for it')).toEqual([
      'Operations per second should rise in proportion to the metadata IOPS: inconclusive for file create (fewer than two arms have a rate for it).',
    ]);
    expect(iops([{ arm: 'a', iops: 3000, perSecond: 60 }], 'the clients were the bottleneck on a')).toEqual([
      'Operations per second should rise in proportion to the metadata IOPS: inconclusive for file create (60 op/s with 3,000 IOPS; the clients were the bottleneck on a).',
    ]);
  });
});

test('a gain has one figure, whichever sentence tells it', async () => {
  const summary = summarise(await labRun('MetadataBench'));
  const created = summary.comparisons.find(({ arm, operation }) => arm === 'p250-12000' && operation === 'file_create');
  const gain = `${created?.estimate?.toFixed(2)} ×`;
  const page = renderMarkdown(summary);
  expect(page).toContain(`With 4 × the metadata IOPS, **p250-12000** created files ${gain} as fast as **p250-3000**`);
  expect(page).toContain(`**p250-12000** created files ${gain} (`);
});

test('without a pair none is said to be there', async () => {
  const page = renderMarkdown(summarise(await labRun('OffloadBench')));
  expect(page).toMatch(/\| client-zstd-3 \| – \| – \| no pair \|/);
});

test('only where a burst is documented is a rate called one', async () => {
  const rows = (page: string) => page.match(/^\| write .*\|$/gm)?.join('\n') ?? '';
  const held = rows(renderMarkdown(summarise(await labRun('StorageBench'))));
  expect(held).toMatch(/\*\*109 %\*\* \| disk \|/);
  expect(held).not.toContain('bursting');
  const withoutBurst = syntheticRun({ compressibilities: [1] });
  const plan = withoutBurst.plan && {
    ...withoutBurst.plan,
    arms: withoutBurst.plan.arms.map((arm) => ({
      ...arm,
      configuration: {
        ...arm.configuration,
        deploymentType: 'PERSISTENT_2',
        perUnitStorageThroughput: 500,
        storageCapacityGiB: 7200,
      },
    })),
  };
  const page = renderMarkdown(summarise({ ...withoutBurst, plan, manifest: null } as RunRecord));
  expect(page).toMatch(
    /\*\*none\*\* wrote at 9\d % of what the disks sustain; read at 107 % of what the disks sustain\./,
  );
});

test('an arm that is slower by less than what matters is not called indistinguishable', async () => {
  const page = renderMarkdown(summarise(await labRun('StorageBench')));
  expect(page).toContain(
    'Arms whose paired repeats do not show them to be meaningfully slower are listed with the fastest arm.',
  );
  expect(page).toContain('not shown to be slower: ');
  expect(page).not.toContain('indistinguishable');
});
