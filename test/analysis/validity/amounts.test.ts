import { join } from 'node:path';
import type { Subject } from '../../../lib/analysis/subject';
import { summarise, summarise as summariseRun } from '../../../lib/analysis/summary';
import type { MeasuredTask } from '../../../lib/analysis/task';
import { missingBytes } from '../../../lib/analysis/validity/phases';
import { renderMarkdown } from '../../../lib/report/markdown';
import type { NodeEnvironment } from '../../../lib/schema/environment';
import type { RecordedTarget, Sample } from '../../../lib/schema/sample';
import { readRun } from '../../../lib/store/readRun';
import type { RunRecord } from '../../../lib/store/record';
import { ROOT } from '../../support/sources';
import { soundRun, withUsedSpace } from '../runs';

const GIB = 2 ** 30;

/** Four processes on each of two clients, each to write one GiB within a minute. */
const COMMAND = ['fio', '--size=1g', '--runtime=60'];
const WHOLE = 8 * GIB;

/** A write that ended after ten seconds with all of its bytes. */
const written: MeasuredTask = {
  arm: 'lz4',
  step: 'write-1',
  operation: 'write',
  name: 'write',
  kind: { id: 'write' },
  phase: 'measure',
  repeat: 1,
  compressibility: 1,
  fileBytes: null,
  threads: null,
  plannedNodes: null,
  tool: 'fio',
  clients: 2,
  ranks: 8,
  nodes: 2,
  group: 'all',
  superseded: false,
  from: 0,
  to: 10_000,
  bytes: WHOLE,
  iterations: 1,
  operations: null,
  seconds: 10,
  rateMBps: null,
  ratedBytes: null,
  failed: false,
  load: [],
  targets: [],
};
const read: MeasuredTask = { ...written, step: 'read-1', operation: 'read', name: 'read', kind: { id: 'read' } };

function subjectOf(measured: readonly MeasuredTask[], command: readonly string[] = COMMAND): Subject {
  const record = soundRun({ repeats: 1, compressibilities: [1] });
  const [some] = record.plan?.steps.filter(({ tasks }) => tasks[0]?.action.kind === 'workload') ?? [];
  if (record.plan === null || some === undefined) throw new Error('the run has no plan');
  const steps = measured.map(({ step: id, arm, operation }) => ({
    ...some,
    id,
    tasks: [
      {
        arm,
        group: 'all' as const,
        action: { kind: 'workload' as const, tool: 'fio', operation, command, ranksPerClient: 4, pattern: 'zero' },
      },
    ],
  }));
  const plan = { ...record.plan, fleet: { ...record.plan.fleet, clients: 2 }, steps };
  return { ...record, plan, measured } as unknown as Subject;
}

const answerOf = (measured: readonly MeasuredTask[], command?: readonly string[]) =>
  missingBytes.check(subjectOf(measured, command));
/** Expected, actual and where of each error; of no judgement its state. */
const errorsOf = (...given: Parameters<typeof answerOf>) => {
  const answer = answerOf(...given);
  if (answer.state !== 'judged') return answer.state;
  return answer.findings.map(({ severity, expected, actual, where }) => [severity, expected, actual, where]);
};

test('a phase that moved all of its bytes passes, and so does one that is less off than rounding', () => {
  expect(errorsOf([written])).toEqual([]);
  expect(errorsOf([{ ...written, bytes: WHOLE * 0.96 }])).toEqual([]);
});

test('a phase that ended early without all of its bytes is an error, by clients, processes and iterations', () => {
  const lost = ['error', '8 GiB by the plan, within 5 %', '7.50 GiB', 'write-1'];
  expect(errorsOf([{ ...written, bytes: 7.5 * GIB }])).toEqual([lost]);
  // Of two iterations twice as much was to be moved, in twice the time.
  expect(errorsOf([{ ...written, iterations: 2, bytes: 2 * WHOLE }])).toEqual([]);
  expect(errorsOf([{ ...written, iterations: 2, bytes: WHOLE, seconds: 60 }])).toHaveLength(1);
});

test('a phase whose time was up may have moved less, but not less than its own rate and time', () => {
  const timed = { ...written, bytes: WHOLE / 2, seconds: 58 };
  expect(errorsOf([timed])).toEqual([]);
  expect(errorsOf([{ ...timed, seconds: 56 }])).toHaveLength(1);
  expect(errorsOf([{ ...timed, ratedBytes: WHOLE * 0.52 }])).toEqual([]);
  expect(errorsOf([{ ...timed, ratedBytes: WHOLE }])).toEqual([
    ['error', '8 GiB by its rate and its time, within 5 %', '4 GiB', 'write-1'],
  ]);
});

test('a read to the end of its files is to move what the same repeat wrote, or what the plan names, the less of them', () => {
  const TO_THE_END = ['fio', '--rw=read'];
  const half = { ...read, bytes: WHOLE / 2 };
  expect(errorsOf([written, half], TO_THE_END)).toEqual([
    ['error', '8 GiB by what was written, within 5 %', '4 GiB', 'read-1'],
  ]);
  // The write itself lost them: the read has all that there was.
  expect(errorsOf([{ ...written, bytes: WHOLE / 2 }, half])).toEqual([
    ['error', '8 GiB by the plan, within 5 %', '4 GiB', 'write-1'],
  ]);
  // Another repeat, compressibility, arm or size of files wrote for others.
  for (const other of [{ repeat: 2 }, { compressibility: 2 }, { arm: 'none' }, { fileBytes: 4096 }, { threads: 8 }])
    expect(errorsOf([{ ...written, ...other }, half], TO_THE_END)).toBe('inconclusive');
});

test('a read of what two iterations wrote is to move what one of them left behind', () => {
  const twice = { ...written, iterations: 2, bytes: 2 * WHOLE, seconds: 20 };
  expect(errorsOf([twice, read], ['fio', '--rw=read'])).not.toContainEqual(expect.arrayContaining(['read-1']));
  expect(errorsOf([twice, { ...read, bytes: WHOLE / 2 }], ['fio', '--rw=read'])).toEqual([
    ['error', '8 GiB by what was written, within 5 %', '4 GiB', 'read-1'],
  ]);
});

test('what printed no bytes, or was bounded by nothing, cannot be told, and what failed is no loss', () => {
  expect(errorsOf([{ ...written, bytes: null }])).toBe('inconclusive');
  expect(errorsOf([{ ...written, seconds: null }])).toBe('inconclusive');
  expect(answerOf([written, { ...read, bytes: null }])).toEqual({
    state: 'inconclusive',
    reason: '1 of 2 phases: fio printed no bytes or no time',
  });
  expect(errorsOf([written], ['fio', '--rw=write'])).toBe('inconclusive');
  expect(errorsOf([{ ...written, failed: true, bytes: 0 }])).toBe('does not apply');
  expect(errorsOf([{ ...written, operation: 'stat' }])).toBe('does not apply');
});

test('phases of an arm, an operation and a compressibility are one error, with the worst of them', () => {
  const second = { ...written, step: 'write-2', repeat: 2, bytes: WHOLE / 4 };
  expect(errorsOf([{ ...written, bytes: WHOLE / 2 }, second])).toEqual([
    ['error', '8 GiB by the plan, within 5 %', '2 GiB', 'write-1, write-2'],
  ]);
  expect(
    errorsOf([
      { ...written, bytes: WHOLE / 2 },
      { ...second, compressibility: 2 },
    ]),
  ).toHaveLength(2);
});

test('a pass says how many phases were held against what, and how many against their own time only', () => {
  const timed = { ...written, step: 'write-2', repeat: 2, bytes: WHOLE / 2, seconds: 60 };
  expect(answerOf([written, timed])).toMatchObject({
    couldFind: expect.stringMatching(
      /more than 5 % fewer bytes than planned in any of 1 phase, or than rate × time in any of 1 phase that reached their time limit$/,
    ),
  });
});

const GB = 1e9;

const outcome = (record: RunRecord) =>
  summarise(record).analysis.checks.find(({ id }) => id === 'free-space-disagrees');

test('agrees with du within a tenth', () => {
  expect(outcome(withUsedSpace(({ allocated }) => ({ grown: 1.05 * allocated })))).toMatchObject({ state: 'passed' });
});

test.each([
  ['data removed before were still being freed', -300 * GB, 'grew by'],
  ['more was freed than written', -800 * GB, 'shrank by'],
  ['somebody else wrote', 100 * GB, 'grew by'],
])('says so where %s', (_, foreign, word) => {
  const record = withUsedSpace(({ arm, allocated }) => ({ grown: allocated + (arm === 'none' ? foreign : 0) }));
  const found = outcome(record);
  expect(found?.state).toBe('found');
  expect(new Set(found?.issues.map(({ where, severity }) => `${severity} ${where}`))).toEqual(
    new Set(['warning none']),
  );
  expect(found?.issues[0]?.message).toContain(`the used space of the file system ${word}`);
  expect(found?.issues[0]?.suggestion).toContain('trust du');
});

test.each([0, -5])('data that let the used space grow by %d bytes have no ratio by it', (grown) => {
  const { space } = summarise(withUsedSpace(() => ({ grown })));
  expect(space.map(({ byFreeSpace }) => byFreeSpace)).toEqual([null, null]);
  expect(space.flatMap(({ readings }) => readings.map(({ ratio }) => Number.isFinite(ratio)))).not.toContain(false);
});

test('a reading that did not settle is no figure: the reason stands in the report', () => {
  const reason = 'used space was still changing after 900 s, by -100 MiB in the last 15 s';
  const record = withUsedSpace(() => ({ reason }));
  const summary = summarise(record);
  expect(renderMarkdown(summariseRun(record))).toContain(`by free space: ${reason}`);
  expect(summary.space.map(({ byFreeSpace, freeSpaceReasons }) => [byFreeSpace, freeSpaceReasons])).toEqual([
    [null, [reason]],
    [null, [reason]],
  ]);
  expect(summary.analysis.checks.find(({ id }) => id === 'free-space-disagrees')).toMatchObject({
    state: 'not checked',
    reason: `free space was not read: ${reason}`,
  });
});

/** A run of a real Lustre 2.15.8: 17,825,792 bytes took 6,645,248 by du and by ZFS, and `lfs df`, which counts in MiB, went from 22 to `after`. */
function inMebibytes(after: number): RunRecord {
  const mebi = 2 ** 20;
  const record = withUsedSpace(() => ({ grown: 0 }));
  const values: Readonly<Record<string, number>> = {
    apparent_bytes: 17_825_792,
    allocated_bytes: 6_645_248,
    compression_ratio: 17_825_792 / 6_645_248,
  };
  // As recorded, each reading comes with the seconds that it took to settle.
  const samples = record.samples.flatMap((sample): Sample[] =>
    sample.metric === 'used_bytes'
      ? [
          { ...sample, value: (sample.phase === 'prepare' ? 22 : after) * mebi },
          { ...sample, metric: 'settle_seconds', unit: 's', value: 15 },
        ]
      : [{ ...sample, value: values[sample.metric] ?? sample.value }],
  );
  return { ...record, samples };
}

test('a growth of a few of the steps that space is reported in is a caution: 2.43 where it was 2.68', () => {
  const summary = summarise(inMebibytes(29));
  for (const { median, byFreeSpace, freeSpaceStepBytes } of summary.space) {
    expect([median?.toFixed(2), byFreeSpace?.toFixed(2)]).toEqual(['2.68', '2.43']);
    expect(freeSpaceStepBytes).toBe(2 ** 20);
  }
  expect(renderMarkdown(summary)).toContain('in steps of 1 MiB');
});

test('a growth of some hundred steps is none', () => {
  expect(renderMarkdown(summarise(inMebibytes(323)))).not.toContain('in steps of');
});

test('does not apply where nobody read it', () => {
  expect(outcome(soundRun({ compressibilities: [2.6] }))).toMatchObject({ state: 'does not apply' });
});

test('is no figure on the scale model, whose servers report it late: the reason stands in the report', async () => {
  const summary = summarise(await readRun(join(ROOT, 'test/fixtures/model/compression')));
  expect(summary.space.length).toBeGreaterThan(0);
  for (const { byFreeSpace, freeSpaceReasons } of summary.space)
    expect([byFreeSpace, freeSpaceReasons]).toEqual([null, [expect.stringContaining('many seconds late')]]);
  const report = renderMarkdown(summary);
  expect(report).toContain('No ratio by free space: the model’s servers report their free space many seconds late.');
  expect(report).not.toContain('By free space');
});

test('one arm whose clients compress is counted by what they were given, the other by what it has: 2.5 and 1.25', () => {
  const record = withUsedSpace(({ arm }) => ({ grown: (arm === 'lz4' ? 200 : 500) * GB }));
  const values: Readonly<Record<string, number>> = {
    ...{ apparent_bytes: 500 * GB, allocated_bytes: 400 * GB, compression_ratio: 1.25 },
  };
  const samples = record.samples.flatMap((sample): Sample[] => {
    const found = { ...sample, value: values[sample.metric] ?? sample.value };
    if (sample.metric !== 'bytes' || sample.operation !== 'write') return [found];
    const given = { ...sample, value: 1000 * GB };
    return sample.arm === 'lz4' ? [given, { ...sample, metric: 'stored_bytes', value: 500 * GB }] : [given];
  });
  const space = summarise({ ...record, samples }).space.map(({ arm, median, byFreeSpace, readings }) => [
    ...[arm, median, byFreeSpace],
    ...new Set(readings.map(({ logicalBytes }) => logicalBytes)),
  ]);
  expect(space).toEqual([
    ['none', 1.25, 1, 500 * GB],
    ['lz4', 2.5, 5, 1000 * GB],
  ]);
});

const target = (name: string, own: Partial<RecordedTarget> = {}): RecordedTarget => ({
  name,
  before: 'active',
  after: own.before ?? 'active',
  objects: name.includes('MDT') ? null : 4,
  ...own,
});

/** A run on two Lustre file systems with two object targets each; the second targets are given, for each phase or only for a read. */
function runWith(
  second: Record<'none' | 'lz4', Partial<RecordedTarget>>,
  arms?: NodeEnvironment['arms'],
  operations = /write|read/,
) {
  const record = soundRun({ compressibilities: [1] });
  const samples = record.samples.map((sample): Sample => {
    if (sample.source !== 'client') return sample;
    const arm = sample.arm as 'none' | 'lz4';
    const own = operations.test(sample.operation) ? second[arm] : {};
    return { ...sample, targets: [target(`${arm}-MDT0000`), target(`${arm}-OST0000`), target(`${arm}-OST0001`, own)] };
  });
  const environment = arms === undefined ? [] : [{ node: 'n1', facts: { arms } }];
  const { analysis, validity } = summarise({ ...record, samples, environment });
  const of = (id: string) => analysis.checks.find((check) => check.id === id);
  return { missing: of('missing-targets'), changed: of('target-changed'), validity };
}

test('figures of all targets are not blamed', () => {
  const { missing, changed } = runWith({ none: {}, lz4: {} });
  expect([missing?.state, changed?.state]).toEqual(['passed', 'passed']);
});

test.each<[string, Partial<RecordedTarget>]>([
  ['inactive', { before: 'inactive', objects: 0 }],
  ['disconnected', { before: 'disconnected', objects: 0 }],
  ['nearly full', { before: 'nearly full', objects: 0 }],
  ['without data', { objects: 0 }],
])('a target that is %s is named: a warning on both arms, an error on one', (why, own) => {
  const both = runWith({ none: own, lz4: own });
  expect(both.missing?.issues.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  expect(both.missing?.issues[0]?.message).toContain(`none-OST0001 (${why})`);
  expect(both.validity).toBe('WARN');
  const one = runWith({ none: {}, lz4: own });
  expect(one.missing?.issues).toEqual([
    expect.objectContaining({ severity: 'error', message: expect.stringContaining(`lz4-OST0001 (${why})`) }),
  ]);
  expect(one.validity).toBe('INVALID');
});

test('a nearly full target that has data of the run is measured', () => {
  const own = { before: 'nearly full', objects: 2 } as const;
  expect(runWith({ none: own, lz4: own }).missing?.state).toBe('passed');
});

test.each<[RecordedTarget['after'], string]>([
  ['inactive', 'lz4-OST0001 was active before and inactive after'],
  ['evicted', 'lz4-OST0001 evicted this client'],
])('a target that becomes %s within a phase is named with the phase', (after, words) => {
  const { changed, missing } = runWith({ none: {}, lz4: { after } }, undefined, /read/);
  expect(changed?.issues).toEqual([
    expect.objectContaining({
      severity: 'warning',
      message: expect.stringContaining(words),
      where: expect.stringMatching(/read/),
    }),
  ]);
  expect(missing?.state).toBe('passed');
});

test('a target that one client alone cannot reach, as recorded, is read from its description', () => {
  const line =
    "lfs check: error: check 'lz4-OST0001-osc-ff110001221fe800': Cannot send after transport endpoint shutdown (108)";
  const { missing } = runWith({ none: {}, lz4: {} }, { lz4: { type: 'lustre', inactive: [line] } });
  expect(missing?.issues[0]).toMatchObject({ severity: 'error', message: expect.stringContaining('lz4-OST0001') });
});

test('a run on Lustre without a record of targets is not checked, and others have none', () => {
  const record = soundRun({ compressibilities: [1] });
  const state = (environment: typeof record.environment) =>
    summarise({ ...record, environment }).analysis.checks.find(({ id }) => id === 'missing-targets')?.state;
  expect(state([])).toBe('does not apply');
  expect(state([{ node: 'n1', facts: { arms: { none: { type: 'lustre' } } } }])).toBe('not checked');
});
