import { advise } from '../../lib/advise';
import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { predict } from '../../lib/predict';
import { renderMarkdown } from '../../lib/report';
import { answerOf, answers, purchaseSentences } from '../../lib/report/answers';
import { findings, labSentences } from '../../lib/report/findings';
import { plainText } from '../../lib/report/shown';
import { type StoodIn, substituteSentences } from '../../lib/report/substitutes';
import { SETTLED } from '../../lib/schema/plan';
import type { Sample } from '../../lib/schema/sample';
import type { RunRecord } from '../../lib/store/record';
import { soundRun } from '../analysis/runs';
import { clientLoad } from '../support/records';
import { modelledRun, withGains } from './modelledRun';
import { BASELINE_MBPS, type SyntheticOptions, syntheticRun } from './syntheticRun';

const told = (summary: RunSummary, about: string): string =>
  (answers(summary).find(({ question }) => question === about)?.sentences ?? []).flat().map(String).join('');

const BUSY = clientLoad({ busy: 1, tool: 0.97, loadAverage: 9, cpuStall: null, memoryStall: null });

/** The run at a tenth of its rates, below every documented limit, on clients whose CPUs are full. */
function slowOnBusyClients(): RunRecord {
  const record = soundRun();
  const samples = record.samples.map((one) => ({
    ...one,
    load: [BUSY],
    value: one.metric === 'throughput' && one.value !== null ? one.value / 10 : one.value,
  }));
  return { ...record, metrics: [], samples };
}

test('a limit without a documented rate is told by how busy it was, and not as a share of nothing', () => {
  const words = told(summarise(slowOnBusyClients()), 'What limited it');
  expect(words).toContain('with the clients’ CPUs 97 % busy, which limited the rate');
  expect(words).not.toContain('– %');
});

test('a limit that was busy at a low rate is not said to be confirmed by a share of it, nor to burst', () => {
  const record = soundRun({ compressibilities: [1] });
  const busy = record.metrics.map((file) => ({
    ...file,
    series: file.series.map((one) =>
      one.metric === 'NetworkThroughputUtilization'
        ? { ...one, points: one.points.map(([at]) => [at, 95] as const) }
        : one,
    ),
  }));
  const summary = summarise({ ...record, metrics: busy });
  const [none] = summary.analysis.limits.filter(({ arm, operation }) => arm === 'none' && operation === 'write');
  expect([none?.limitedBy, none?.because]).toEqual(['server_network', 'utilisation']);
  expect(told(summary, 'What limited it')).toContain(
    ' wrote with the file servers’ network 95 % busy, which limited the rate, though at 32 % of what the file servers’ network sustains',
  );
  expect(told(summary, 'What limited it')).not.toMatch(/network sustains[^;.]*(?:confirm|bursting)/);
});

type Limited = RunSummary['analysis']['limits'][number];
const limited = (share: number, change: Partial<Limited> = {}): Limited => {
  const disk = { name: 'disk', baselineMBps: 1000, burstMBps: 2000, source: '', efficiency: share, burstEfficiency: 0 };
  const base = {
    arm: 'none',
    operation: 'write',
    kind: { id: 'write' },
    compressibility: 1,
    ratio: null,
    reason: null,
  };
  const found = { evidence: [], limitedBy: 'disk', because: 'documented limit', aboveBaseline: false } as const;
  const measuredMBps = share * 1000;
  return { ...base, ...found, limits: [disk], binding: { baseline: 'disk', burst: 'disk' }, measuredMBps, ...change };
};
const seen = (value: number): Partial<Limited> => ({
  because: 'utilisation',
  evidence: [{ metric: 'FileServerDiskThroughputUtilization', limit: 'disk', value, reason: null }],
});
const threads = (count: number) => ({ kind: { id: 'write', threads: count } });
const others = (count: number): Limited[] =>
  Array.from({ length: count }, (_, index) => limited(0.9, threads(index + 1)));

const none = { limitedBy: null, because: null };
const read: Partial<Limited> = { operation: 'read', kind: { id: 'read' } };

test.each<[words: string, ...limits: Limited[]]>([
  [' wrote at 90–96 % of what the disks sustain.', limited(0.9), limited(0.96, { compressibility: 2 })],
  [
    ' wrote at 90–96 % of what the disks sustain, which the service’s metrics confirm.',
    ...[limited(0.9, seen(0.95)), limited(0.96, { compressibility: 2, ...seen(0.98) })],
  ],
  [' wrote at 90–96 % of what the disks sustain.', limited(0.9, seen(0.95)), limited(0.96, { compressibility: 2 })],
  [
    ' wrote at 30–96 % of what the disks sustain, which the service’s metrics confirm.',
    ...[limited(0.3, seen(0.95)), limited(0.96, { compressibility: 2, ...seen(0.98) })],
  ],
  [
    ' wrote with the disks 95–98 % busy, which limited the rate, though at 30–40 % of what the disks sustain.',
    ...[limited(0.3, seen(0.95)), limited(0.4, { compressibility: 2, ...seen(0.98) })],
  ],
  [
    ' wrote at 1:1 at 90 % of what the disks sustain; wrote at 2:1 at 250 % of what the disks sustain, well above their documented burst, so the bottleneck is elsewhere.',
    ...[limited(0.9), limited(2.5, { compressibility: 2, ...none })],
  ],
  [' wrote at 90–150 % of what the disks sustain (bursting).', limited(0.9), limited(1.5, { compressibility: 2 })],
  [
    ' wrote at 90 % of what the disks sustain; read at 90 % of what the disks sustain, the lowest documented limit, which was not reached.',
    ...[limited(0.9), limited(0.9, { ...read, ...none })],
  ],
  [
    ' wrote at 90 % of what the disks sustain.',
    ...[limited(0.9), limited(0.9, { compressibility: 2, measuredMBps: null, reason: 'it is not described' })],
  ],
  ['Not available: it is not described.', limited(0.9, { reason: 'it is not described' })],
  [' wrote at 90 % of what the disks sustain.', ...others(6)],
  [': the disks limited 7 of 7 operations.', ...others(7)],
  [
    ': the disks limited 5 of 7 operations; no documented limit was reached in 2.',
    ...[...others(5), limited(0.5, { ...threads(8), ...none }), limited(2.5, { ...threads(9), ...none })],
  ],
])('what limited an arm: %s', (words, ...limits) => {
  const run = summarise(soundRun());
  const said = answers({ ...run, analysis: { ...run.analysis, limits } })[0]?.sentences ?? [];
  expect(said.map(plainText).join(' ').replace(/^none/, '')).toBe(words);
});

test('what a run cost, as far as it is known', () => {
  const run = summarise(syntheticRun());
  const [one, other] = run.analysis.costs.map((each) => ({ ...each, perTerabyteUsd: null as number | null }));
  const costs = [{ ...one, perTerabyteUsd: 3 }, other] as (typeof run)['analysis']['costs'];
  const said = (change: object, { lab = false, known = 1 } = {}): string => {
    const cost = { ...run.cost, hourlyUsd: 27, hours: 2, runUsd: 54, ...change };
    return told({ ...run, lab, cost, analysis: { ...run.analysis, costs: costs.slice(1 - known) } }, 'Cost');
  };
  const first = '$54.00 at list price for 2 h.';
  const idle = ' The 1 h between its sessions cost $27.00 more if all stayed deployed.';
  expect(said({}, { lab: true })).toBe('Nothing. On AWS this deployment lists at $27.00 per hour.');
  expect(said({ hourlyUsd: null }, { lab: true })).toBe('Nothing. On AWS this deployment has no complete list price.');
  expect(said({ hourlyUsd: null })).toBe('Not known as a whole: a price is missing.');
  expect(said({ runUsd: null, hours: null })).toMatch(
    /^The deployment lists at \$27.00 per hour; how long .* not known\.$/,
  );
  expect(said({ idleHours: 1, idleUsd: 27 }, { known: 0 })).toBe(first + idle);
  expect(said({ idleHours: 0, idleUsd: 0 }, { known: 0 })).toBe(first);
  expect(said({})).toMatch(/^\$54\.00 at list price for 2 h\.,?Moving a TB cost ,?\$3\.00 on/);
});

test('a run that repeats no study is not told of figures that it cannot be compared with', () => {
  const summary = summarise(soundRun());
  const apart = summary.analysis.verdicts.map((one) => ({ ...one, verdict: 'not comparable' as const }));
  const alone = { ...summary, analysis: { ...summary.analysis, verdicts: apart } };
  expect(told(alone, 'Published figures')).toMatch(
    /^None of the \d+ figures of the AWS compression blog can be compared/,
  );
  expect(told({ ...alone, benchmark: 'MountBench' }, 'Published figures')).toBe('');
  const [first, ...others] = apart.filter(({ claim }) => claim.study === 'AWS compression blog');
  const still = first && { ...first, verdict: 'reproduced' as const, documented: true };
  const one = [
    ...(still ? [still] : []),
    ...others.map((each) => ({ ...each, because: 'it is old', differences: [] })),
  ];
  expect(told({ ...alone, analysis: { ...alone.analysis, verdicts: one } }, 'Published figures')).toBe(
    `None of the ${others.length} figures of the AWS compression blog can be compared because it is old; 1 figure is what AWS documents today.`,
  );
});

test.each([
  ['MB/s', 2600, 1250, '2,600 MB/s to 1,250 MB/s'],
  ['x', 1.2, 0.6, '120 % to 60 % of its usual rate'],
] as const)(
  'a burst in %s is told by when the rate first fell, though it had risen before',
  (unit, burst, baseline, fell) => {
    const run = summarise(soundRun());
    const at = '2026-11-21T10:00:00.000Z';
    const change = { at, between: [at, at] as const, before: 1, after: 1, probability: 1 };
    const level: RunSummary['analysis']['levels'][number] = {
      arm: 'none',
      operation: 'write',
      compressibility: 1,
      source: 'service',
      unit,
      values: 300,
      drift: null,
      burst,
      baseline,
      ends: null,
      valuesNeeded: null,
      changes: [
        { ...change, hours: 2, relative: 0.1 },
        { ...change, hours: 5, relative: -0.4 },
        { ...change, hours: 7, relative: -0.2 },
      ],
    };
    const summary = { ...run, analysis: { ...run.analysis, levels: [level] } };
    expect(told(summary, 'Burst')).toContain(`: write fell from ${fell} after 5 h`);
  },
);

const inWords = (summary: RunSummary): string[] =>
  purchaseSentences(summary).map((sentence) =>
    sentence.map((part) => (typeof part === 'string' ? part : part.arm)).join(''),
  );
const sentences = (options: SyntheticOptions = {}): string[] => inWords(summarise(syntheticRun(options)));

test('what to buy is what the adviser ranks first for the rates and the ratio of the fastest arm', () => {
  const [first, second] = sentences({ variation: 0 });
  const { options } = advise({ writeMBps: 11_410, readMBps: 12_550, ratio: 3.36, region: 'us-east-1' });
  expect(first).toMatch(/^lz4 reached 11,407 MB\/s written, 12,548 MB\/s read, data at 3\.36:1\. The cheapest/);
  expect(first).toContain(`: $${(options[0]?.monthlyUsd ?? 0).toLocaleString('en-US')} per month`);
  expect(first).toContain(', against $4,176 for lz4.');
  expect(second).toBe(
    'Add --capacity with the size of your data: npx fsxbench advise --write 11.41 --read 12.55 --ratio 3.36',
  );
});

/** The run with other rates, in MB/s, and another ratio of the data that compress best. */
const reaching = (rate: number, ratio = 1, region = 'us-east-1'): string[] => {
  const run = summarise(syntheticRun({ variation: 0, compressibilities: [1] }));
  const cells = run.cells.map((one) => ({ ...one, median: one.metric === 'throughput' ? rate : one.median }));
  return inWords({ ...run, region, cells, space: run.space.map((one) => ({ ...one, median: ratio })) });
};

test('what to buy is priced in the Region of the run, leaves out what is too little to ask for, and says if nothing does it', () => {
  const [best] = advise({ writeMBps: 2000, readMBps: 2000, region: 'eu-central-1' }).options;
  const usd = Math.round(best?.monthlyUsd ?? 0).toLocaleString('en-US');
  expect(reaching(2000, 1, 'eu-central-1')[0]).toContain(`: $${usd} per month`);
  expect(reaching(2000, 1, 'sa-east-1')[0]).toMatch(/^No price is known for what sustains what none reached/);
  expect(reaching(2000, 1.019)[1]).toMatch(/--write 2 --read 2$/);
  expect(reaching(2000, 1.02)[1]).toMatch(/--write 2 --read 2 --ratio 1\.02$/);
  expect(reaching(9)).toEqual([]);
  expect(reaching(10)[1]).toMatch(/--write 0\.01 --read 0\.01$/);
});

test('a terminal shows the answers of a run, and of an INVALID one nothing but its faults', () => {
  const [sound, invalid] = [
    syntheticRun(),
    syntheticRun({ failing: ['r1-c1-write', 'r2-c1-write', 'r3-c1-write'] }),
  ].map((record) => answerOf(summarise(record)));
  expect(sound?.answers.map(([question]) => question)).toEqual(['What limited it', 'Cost']);
  expect(sound?.findings).not.toEqual([]);
  expect(invalid).toMatchObject({ validity: 'INVALID', findings: [], answers: [] });
  expect(invalid?.faults[0]).toMatch(/^error: /);
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
  const samples = [...record.samples, ...created('lz4', 4968.6), ...created('none', 9000)];
  const [first, second] = inWords(summarise({ ...record, samples }));
  expect(first).toContain('data at 3.36:1, 4,968 files created per second. The cheapest');
  expect(second).toMatch(/: npx fsxbench advise --write 11\.41 --read 12\.55 --ratio 3\.36 --metadata 4968$/);
  // Creations alone are those of the arm that made most of them.
  const alone = [...created('lz4', 4968.6), ...created('none', 9000)];
  expect(inWords(summarise({ ...record, samples: alone })).at(-1)).toMatch(/: npx fsxbench advise --metadata 9000$/);
  expect(inWords(summarise({ ...record, samples: created('none', 1e8) }))).toEqual([
    'No single file system is documented to sustain what none reached (100,000,000 files created per second).',
  ]);
});

test('what is named really does it, by its documented limits', () => {
  const [option] = advise({ writeMBps: 11_410, readMBps: 12_550, ratio: 3.36 }).options;
  if (option === undefined) throw new Error('nothing was found');
  const { throughputMBps } = predict({ configuration: option.configuration, ratio: 3.36 });
  expect(throughputMBps.baseline).toBeGreaterThanOrEqual(11_410);
});

test('a lab run names no file system', () => {
  expect(sentences({ lab: true })).toEqual([
    'Not available, since it is a lab run, whose rates are those of local file systems. To rank what AWS documents: npx fsxbench advise',
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

/** A run of ten repeats with a precision, of which data made for 2.6:1 were settled after so many. */
function report(settledAfter: number): string {
  const run = syntheticRun({ repeats: 10, compressibilities: [1, 2.6] });
  const samples = run.samples.flatMap((sample) => {
    const isLeftOut = sample.compressibility === 2.6 && sample.repeat > settledAfter;
    if (!isLeftOut) return [sample];
    if (sample.phase !== 'measure') return [];
    return [
      { ...sample, operation: 'task', metric: 'seconds', unit: 's', source: 'driver', value: 0, cautions: [SETTLED] },
    ];
  });
  const plan = run.plan && { ...run.plan, parameters: { ...run.plan.parameters, repeats: 10, precision: 2 } };
  return renderMarkdown(summarise({ ...run, plan, samples } as RunRecord));
}

test('the report says what was left out, after how many repeats, and at which level its intervals are', () => {
  const page = report(8);
  expect(page).toContain(
    'The plan asks for ± 2 % in at most 10 repeats. Work stopped once all of its intervals were that narrow: **lz4** on 2.6:1 after 8 repeats. Other work got all repeats.',
  );
  expect(page).toMatch(
    /After every repeat from 8 on, an interim analysis .* has 97\.\d+ % confidence \(Pocock’s boundary\)/,
  );
  expect(page).not.toMatch(/says “settled”|missing-samples/);
});

test('and that nothing was', () => {
  expect(report(10)).toContain('± 2 % in at most 10 repeats. No work reached that precision earlier.');
});

const model = (name: string, option: string): StoodIn => ({
  name,
  actually: `MooseFS onto Btrfs ${option} on a throttled disk: a 1:100 model of Lustre, ${name}`,
});

/** The section as plain text. */
const said = (arms: readonly StoodIn[]): string[] =>
  substituteSentences(arms).map((parts) => parts.map((part) => (typeof part === 'string' ? part : part.arm)).join(''));

test('two arms are told one by one, in full', () => {
  expect(said([model('none', 'compress=no'), model('lz4', 'compress=lzo')])).toEqual([
    'none ran on MooseFS onto Btrfs compress=no on a throttled disk: a 1:100 model of Lustre, none.',
    'lz4 ran on MooseFS onto Btrfs compress=lzo on a throttled disk: a 1:100 model of Lustre, lz4.',
  ]);
});

test('many that ran on the same say it once', () => {
  const arms = [
    { name: 'xfs', actually: 'XFS on a loop device' },
    { name: 'xfs-2', actually: 'XFS on a loop device' },
    { name: 'moosefs', actually: 'MooseFS through FUSE' },
  ];
  expect(said(arms)).toEqual(['xfs and xfs-2 ran on XFS on a loop device.', 'moosefs ran on MooseFS through FUSE.']);
});

const answer = (record: RunRecord, question: string): string =>
  (answers(summarise(record)).find((one) => one.question === question)?.sentences ?? []).map(plainText).join(' ');

test('a scaling model that the run breaks is not reproduced in the lab, and the figures stand beside it', () => {
  // The network held no one up: what stopped LZ4 short of the ratio is not in the model.
  const record = withGains(modelledRun(BASELINE_MBPS * 20), 2.6, [1.19, 1.2, 1.21]);
  expect(answer(record, 'The scaling model of compression')).toMatch(
    /With LZ4, a write .*not reproduced in the lab at .*2\.6:1 \(1\.2\d? ×, expected 2\.5\d? ×\)/,
  );
});

test('a scaling model that holds is reproduced in the lab, and no absolute rate is compared', () => {
  const record = modelledRun(BASELINE_MBPS * 20);
  const law = answer(record, 'The scaling model of compression');
  expect(law).toMatch(/With LZ4, a write .*reproduced in the lab at .*2\.6:1/);
  expect(law).not.toMatch(/a write should [^.]*not reproduced/);
  expect(answer(record, 'Published figures')).toMatch(
    /^None of .* because the run took place in the lab’s scale model/,
  );
});

test('says first what was held and what was free, and nothing of local file systems without limits', () => {
  const summary = summarise(modelledRun(10_800));
  const said = labSentences(summary).map(plainText).join(' ');
  expect(said).toContain('Limits applied to none and lz4: writes to disk 3,500 MB/s (calibrated 3,465)');
  expect(said).toContain('Not limited: bursts: no credits are published; latency.');
  const page = renderMarkdown(summary);
  expect(page).not.toMatch(/local file systems/);
  expect(page).toContain('the throttled limits');
});

test('without a model there is no scaling model to judge', () => {
  expect(answer(syntheticRun({ lab: true }), 'The scaling model of compression')).toBe('');
  expect(answer(syntheticRun(), 'The scaling model of compression')).toBe('');
});

test('the first sentence tells what compression gained, and which limit was met on each side of the knee', () => {
  const record = withGains(
    modelledRun(BASELINE_MBPS * 3, { compressibilities: [1, 2.6, 6.4] }),
    6.4,
    [2.95, 2.96, 2.97],
  );
  const [first] = findings(summarise(record)).map(plainText);
  expect(first).toMatch(
    /^On data that compressed 2\.50?:1, lz4 \(here Btrfs with LZO\) wrote 2\.\d+ × \([^)]+\) as fast as none, a real difference, and the disk was the limit; on data that compressed 6\.14:1, 2\.96 × \([^)]+\), a real difference, and the network was the limit\.$/,
  );
});

test('of several ratios below the knee the first sentence has the highest', () => {
  const record = modelledRun(BASELINE_MBPS * 20, { compressibilities: [1, 1.6, 2.6] });
  const [first] = findings(summarise(record)).map(plainText);
  expect(first).toMatch(/^On data that compressed 2\.50?:1, lz4 .* wrote/);
});

test('a gain that was not found is not claimed in the first sentence', () => {
  const [first] = findings(summarise(withGains(modelledRun(BASELINE_MBPS * 20), 2.6, [0.98, 1, 1.02]))).map(plainText);
  expect(first).toMatch(/lz4 \(here Btrfs with LZO\) wrote 1(\.00)? × \([^)]+\) as fast as none, inconclusive/);
});

test('no rate on a model is put down to a burst', () => {
  const limited = answer(withGains(modelledRun(BASELINE_MBPS * 20), 1, [1.04, 1.05, 1.06]), 'What limited it');
  expect(limited).toContain('105 % of what the disks');
  expect(limited).not.toContain('bursting');
});
