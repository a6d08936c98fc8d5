import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { renderMarkdown } from '../../lib/report';
import { figuresOf, findings } from '../../lib/report/findings';
import { forestPlot } from '../../lib/report/forest';
import { notice, runSummaryLine, sideBySide } from '../../lib/report/overview';
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

describe('each sentence, by what it is told of', () => {
  const run = summarise(syntheticRun({ compressibilities: [1, 2] }));
  const [first] = run.comparisons;
  type Compared = RunSummary['comparisons'][number];
  const of = (change: object = {}) => {
    const work = { compressibility: 2, operation: 'write', kind: { id: 'write' }, negligible: false, count: 3 };
    const figures = { estimate: 1.5, median: 1.5, different: true, interval: { low: 1.4, high: 1.6 } };
    return { ...first, ...work, ...figures, ...change } as Compared;
  };
  const reads = (change: object = {}) => of({ operation: 'read', kind: { id: 'read' }, ...change });
  const took = (operation: string, times: number, change: object = {}) =>
    of({
      better: 'lower',
      operation,
      kind: { id: operation },
      compressibility: null,
      estimate: times,
      median: times,
      ...change,
    });
  const changed = (change: object) => ({ ...run, ...change }) as RunSummary;
  const reached = (ratio: number) => ({ space: run.space.map((one) => ({ ...one, median: ratio })) });
  const measured = '1.50 × (1.40–1.60)';

  test.each<[string, Compared[], object?]>([
    [`On data that compressed 1.9:1, lz4 wrote ${measured} as fast as none, in 3 pairs: a real difference.`, [of()]],
    [`On data made to compress 2:1, which here did not compress, lz4 wrote ${measured}`, [of()], reached(1.01)],
    [`On data that did not compress, lz4 wrote ${measured}`, [of({ compressibility: 1 })], reached(1.01)],
    [`On data made to compress 2:1 (not measured), lz4 wrote ${measured}`, [of()], { space: [] }],
    [`On the data written, lz4 wrote ${measured}`, [of({ compressibility: null })]],
    [`lz4 wrote ${measured} and read ${measured} as fast as none, in 3 pairs: real differences.`, [of(), reads()]],
    [
      'in 3 and 2 pairs: a real difference in write, and in read inconclusive.',
      [of(), reads({ different: false, count: 2 })],
    ],
    [
      'wrote 1.5 × and read 1.50 × (1.40–1.60) as fast as none, in 3 pairs: no meaningful difference in read, and in write too few to rule out chance.',
      [of({ different: null, interval: null }), reads({ negligible: true })],
    ],
    [
      'a real difference; read was not measured in pairs (lost).',
      [of(), reads({ median: null, pairs: [{ reason: 'lost' }, { reason: 'lost' }] })],
    ],
    ['a real difference; read was not measured on both.', [of(), reads({ median: null, pairs: [] })]],
    ['lz4 against none: write was not measured on both.', [of({ median: null, pairs: [] })]],
    [
      `lz4 took ${measured} as long as none in a and 0.50 × (1.40–1.60) in b, in 3 pairs: real differences.`,
      [took('a', 1.5), took('b', 0.5)],
    ],
    [
      'real difference in a, b and c, and in d inconclusive.',
      [...['a', 'b', 'c'].map((name) => took(name, 1)), took('d', 1, { different: false })],
    ],
    [
      'lz4 took from 0.50 × (1.40–1.60) as long as none in b to 1.50 × (1.40–1.60) in a, of 5 operations, in 3 pairs: a real difference in 4 of them, and in 1 of them inconclusive.',
      [took('a', 1.5), took('b', 0.5), took('c', 1), took('d', 1), took('e', 1, { different: false })],
    ],
    ['none wrote 3,455 MB/s on incompressible data (median of 3).', []],
    ['none wrote 3,498 MB/s on data made to compress 2:1 (median of 3).', []],
    ['lz4 stored 400 GiB in 208 GiB: 1.9:1 by du, on data made for 2:1.', []],
    ['lz4: its used space was not measured: the run holds no reading.', [], { space: [] }],
    ['No rate was measured.', [], { cells: run.cells.map((cell) => ({ ...cell, median: null })) }],
    ['Nothing was measured.', [], { cells: [], space: [] }],
  ])('finding: %s', (words, comparisons, change = {}) => {
    const told = findings(changed({ comparisons, ...change })).map(plainText);
    expect(told.join(' ')).toContain(words);
    expect(told).not.toContain('');
  });

  test('one sentence each for rates and for times, and none for what is neither', () => {
    expect(
      findings(changed({ comparisons: [of(), took('a', 1.5), of({ metric: 'iops' })], space: [] })).map(plainText),
    ).toEqual([
      expect.stringMatching(/^On data made to compress 2:1 .* wrote/),
      expect.stringMatching(/^lz4 took 1\.50 × /),
      expect.stringMatching(/^lz4: its used space/),
    ]);
  });

  test('what the marks of the picture show', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => of({ operation: `w${index}` }));
    const parameters = { ...run.record.plan?.parameters, smallestDifferencePercent: 3 };
    const caption = (comparisons: Compared[], change: object = {}): string =>
      plainText(forestPlot(changed({ comparisons, ...change }))?.charts[0]?.caption).replace(/^.*?axis\. /, '');
    const clear =
      'The mark is the ratio; its line holds the true ratio in at least 95 of 100 such runs, and one that stays clear of 1 shows a real difference.';
    expect(caption([of()])).toBe(clear);
    expect(caption([of({ interval: null })])).toBe(
      'The mark is the ratio; with fewer than two repeats nothing says how far it is off by chance.',
    );
    expect(caption([took('a', 1)])).toBe(`${clear} For a time, lower is better.`);
    expect(caption([of()], { place: 'model' })).toContain('stays clear of 1 ± 5 % shows');
    expect(caption([of()], { record: { ...run.record, plan: { ...run.record.plan, parameters } } })).toBe(
      `${clear} Within the grey band, differences are smaller than the 3 % that matter.`,
    );
    expect([caption(many(8)), caption(many(9)), caption(many(14))]).toEqual([
      clear,
      ...Array(2).fill(`${clear} A narrow screen shows the most informative ones.`),
    ]);
    expect(caption(many(15))).toBe(
      `${clear} Shown are the most informative of 15 comparisons: real differences first, then the narrowest intervals.`,
    );
  });

  test.each<[string, object]>([
    ['paired plan · published scale · 21 Nov 2026, 09:00:00 UTC · ran 1 h 2 min', {}],
    [
      '1 h 2 min in 2 sessions, with 1 min 30 s of interruption between them',
      { sessions: [1, 2], interruptedSeconds: 90 },
    ],
    ['1 h 2 min in 3 sessions, with an unknown time of interruption between them', { sessions: [1, 2, 3] }],
    ['ran 1 h 2 min · interrupted', { state: 'interrupted' }],
    ['paired plan · sized for one computer · ', { scale: 'lab', place: 'directories' }],
    ['paired plan · lab scale · ', { scale: 'lab', place: 'lab' }],
    ['', { plan: null, scale: null, startedAt: null, seconds: null, state: null }],
  ])('below the title: %s', (words, change) => {
    const line = runSummaryLine(changed({ interruptedSeconds: null, ...change })).join(' · ');
    if (words === '') expect(line).toBe('');
    expect(`${line}\n`).toContain(/between|min$|interrupted$/.test(words) ? `${words}\n` : words);
  });

  test('what is said of the place, and what the table of arms shows', () => {
    const note = (change: object) => {
      const { title, brief, isWhole } = notice(changed(change)) ?? {};
      return title && [title, plainText(brief).slice(0, 11), isWhole];
    };
    expect(note({})).toBeUndefined();
    expect(note({ notices: ['a'] })).toEqual(['Please note', 'a', true]);
    expect(note({ notices: ['a', 'b'] })).toEqual(['Please note', 'a', false]);
    expect(note({ lab: true, place: 'lab' })).toEqual(['Lab run', 'Local file ', false]);
    expect(note({ lab: true, place: 'model', notices: ['m'] })).toEqual(['Lab run', 'Rates are t', false]);
    const caption = (comparisons: Compared[], change: object = {}) =>
      sideBySide(changed({ comparisons, ...change }))?.caption.replace('Arms side by side: ', '');
    expect(caption([of()])).toBe('geometric means over the pairs and their ratio with its interval');
    expect(caption([of({ interval: null })])).toBe('geometric means over the pairs and their ratio');
    expect(caption([of(), of({ estimate: null })])).toContain(' pairs (medians if there is no ratio) and their ratio');
    expect(caption([of({ estimate: null })])).toBe('medians of the samples');
    expect(caption([of()], { arms: run.arms.slice(0, 1) })).toBe('medians of the samples');
    expect(caption([of()], { validity: 'INVALID' })).toMatch(/^INVALID\. geometric/);
  });

  test('where it ran and what that cost, as the list of runs shows it', () => {
    const { manifest } = run.record;
    const figures = (change: object) => {
      const { platform, costUsd, costReason } = figuresOf(changed(change));
      return [platform, costUsd === null ? costReason : Math.round(costUsd)];
    };
    expect(figures({})).toEqual(['AWS us-east-1', 28]);
    expect(figures({ place: 'lab', lab: true })).toEqual(['lab', 'nothing was rented: it is a lab run']);
    expect(figures({ place: 'model', lab: true })[0]).toBe('scale model in the lab');
    expect(['machines', 'directories', 'mounted'].map((place) => figures({ place })[0])).toEqual([
      ...['clients that existed already', 'directories of one computer', 'Lustre mounted on one computer'],
    ]);
    expect(figures({ record: { ...run.record, manifest: null } })[0]).toBe('unknown platform');
    expect(figures({ record: { ...run.record, manifest: { ...manifest, region: null } } })[0]).toBe(
      'AWS in an unknown Region',
    );
    expect(figures({ cost: { ...run.cost, runUsd: null, reason: 'no price' } })[1]).toBe('no price');
    expect(figures({ cost: { ...run.cost, runUsd: null, reason: undefined } })[1]).toBe('unknown');
  });
});
