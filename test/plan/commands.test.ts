import fc from 'fast-check';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { commandIssues, planIssues } from '../../lib/benchmark/common/checks';
import { compressionBench } from '../../lib/benchmark/compression';
import { benchmarkOrNone } from '../../lib/benchmark/lookup';
import { metadataBench } from '../../lib/benchmark/metadata';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { documentedPlan } from '../../lib/cli/plan';
import { makePlan, type PlanRequest } from '../../lib/plan/plan';
import { runTime } from '../../lib/plan/runTime';
import { withDescriptions } from '../../lib/run/manifest';
import type { Deployment } from '../../lib/schema/deployment';
import { PHASES, type Plan, type Step } from '../../lib/schema/plan';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';

const named = (name: string) => {
  const found = BENCHMARKS.find((benchmark) => benchmark.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const planOf = (name: string, plan: string, scale: string, set: readonly string[] = []): Plan =>
  documentedPlan(named(name), { plan, scale, set });
const checkedOf = (made: Plan) => ({ ...made, asStudied: made.plan === 'published', environment: {} });
const linted = (made: Plan) => commandIssues(checkedOf(made));

/** The plan with a word of its commands in another form. */
function withWords(made: Plan, change: (words: readonly string[]) => readonly string[]): Plan {
  const steps = made.steps.map((step) => ({
    ...step,
    tasks: step.tasks.map((task) =>
      task.action.kind === 'workload'
        ? { ...task, action: { ...task.action, command: change(task.action.command) } }
        : task,
    ),
  }));
  return { ...made, steps };
}

test.each([
  ['iorVersion=4.0.0', ['CompressionBench', 'MetadataBench']],
  ['tool=fio', ['CompressionBench', 'MetadataBench']],
  ['fileBytes=4096', ['MetadataBench']],
])('the linter warns of no command of the paired plan with %s', (setting, benchmarks) => {
  for (const name of benchmarks) {
    expect(
      linted(planOf(name, 'paired', 'published', [setting])).filter(({ severity }) => severity !== 'note'),
    ).toEqual([]);
  }
});

test('what a published plan does as its study did is told as a note, and why it is kept', () => {
  const blog = linted(planOf('CompressionBench', 'published', 'published'));
  expect(blog.map(({ id, severity }) => `${severity} ${id}`)).toEqual([
    'note ior-time-limit-without-stonewall',
    'note ior-time-limit-cuts-repetitions',
    'note ior-pattern-depends-on-version',
  ]);
  expect(blog[0]?.message).toMatch(/The study did so, and this plan reproduces it\.$/);
  const metadata = linted(planOf('MetadataBench', 'published', 'published'));
  expect(metadata.map(({ id }) => id)).toEqual(['mdtest-stat-cached', 'mdtest-read-opens-only']);
});

test('every command that a plan will run is looked at, and what is wrong with it stands among the plan’s issues', () => {
  const made = planOf('CompressionBench', 'paired', 'published');
  const without = withWords(made, (words) => words.filter((word) => word !== 'stoneWallingWearOut=1'));
  const [issue] = planIssues(checkedOf(without), []).filter(({ id }) => id === 'ior-status-file-without-wear-out');
  expect(issue).toMatchObject({ severity: 'error', expected: 'a command without lint findings' });
  expect(issue?.actual).toMatch(/^mpirun -npernode 18 ior -a POSIX /);
  expect(issue?.where).toMatch(/^warm-up-write and \d+ more$/);
  expect(issue?.suggestion).toContain('-O stoneWallingWearOut=1');
});

test.each([
  [
    'a buffered write without fsync',
    'ior-missing-fsync',
    (word: string) => (['-e', '--posix.odirect'].includes(word) ? '' : word),
  ],
  [
    'a write of zeros by fio',
    'fio-constant-data',
    (word: string) => (word.startsWith('--buffer_c') ? '--zero_buffers' : word),
  ],
  [
    'data that repeat themselves',
    'fio-missing-refill-buffers',
    (word: string) => (word === '--refill_buffers' ? '' : word),
  ],
])('%s would be found', (_, id, change) => {
  const made = withWords(planOf('CompressionBench', 'paired', 'published'), (words) =>
    words.map(change).filter((word) => word !== ''),
  );
  expect(linted(made).map((issue) => issue.id)).toContain(id);
});

test('arms count: zeros on an arm without compression are no fault of it', () => {
  const made = withWords(planOf('CompressionBench', 'paired', 'published'), (words) =>
    words.map((word) => (word.startsWith('--buffer_c') ? '--zero_buffers' : word)),
  );
  const steps = made.steps.map((step) => ({ ...step, tasks: step.tasks.filter(({ arm }) => arm === 'none') }));
  expect(linted({ ...made, steps }).map(({ id }) => id)).not.toContain('fio-constant-data');
});

test('parameters count: stripe count −1 under mdtest, IOR’s version against its pattern', () => {
  const wide = planOf('MetadataBench', 'paired', 'published', ['stripeCount=-1']);
  expect(wide.issues.find(({ id }) => id === 'mdtest-wide-stripes')?.severity).toBe('warning');
  const four = withWords(planOf('CompressionBench', 'paired', 'published', ['iorVersion=4.0.0']), (words) =>
    words.map((word) => (word === 'random' ? 'incompressible' : word)),
  );
  expect(linted(four).map(({ id }) => id)).toContain('ior-incompressible-compresses');
});

const lustre: LustreStorage = { kind: 'lustre', deploymentType: 'PERSISTENT_1', storageCapacityGiB: 14_400 };

/** The published paired plan, which takes hours, and its issue about maintenance. */
function issueOf(weekly: string | undefined, change: Partial<PlanRequest> = {}) {
  const configuration = weekly === undefined ? lustre : { ...lustre, weeklyMaintenanceStartTime: weekly };
  const plan: Plan = makePlan({
    benchmark: compressionBench,
    plan: 'paired',
    scale: 'published',
    arms: ['none', 'lz4'].map((name) => ({ name, description: name, configuration })),
    fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 18 },
    hourlyUsd: 27,
    // A Sunday.
    environment: { startsAt: new Date('2026-11-22T05:00:00Z') },
    ...change,
  });
  expect(plan.totals.expectedSeconds).toBeGreaterThan(2 * 3600);
  return plan.issues.find(({ id }) => id === 'maintenance-window');
}

test('a run that would meet the window if it started now is warned of, with the time from which it would not', () => {
  expect(issueOf('7:06:00')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining('A run started now would overlap the weekly maintenance of none and lz4'),
    actual: expect.stringContaining('none: Sunday 06:00 UTC, next at 22 Nov 2026, 06:00:00 UTC'),
    suggestion: 'start it after 22 Nov 2026, 06:30:00 UTC, or set weeklyMaintenanceStartTime',
  });
});

test('of two windows that a run would meet, it starts after the later one', () => {
  const arms = ['7:06:30', '7:06:00'].map((weekly) => ({
    ...{ name: weekly, description: '' },
    configuration: { ...lustre, weeklyMaintenanceStartTime: weekly },
  }));
  expect(issueOf(undefined, { arms })?.suggestion).toContain('start it after 22 Nov 2026, 07:00:00 UTC,');
});

test('a window that the run does not meet is no word', () => {
  expect(issueOf('7:03:00')).toBeUndefined();
  expect(issueOf('7:06:00', { environment: {} })).toBeUndefined();
});

test('where AWS chooses the window the chance is told; a short run, and the lab, hear nothing', () => {
  expect(issueOf(undefined)).toMatchObject({
    severity: 'note',
    message: expect.stringMatching(/overlaps that of a file system in [1-9]\d? % of cases/),
  });
  expect(issueOf(undefined, { environment: { lab: true } })).toBeUndefined();
  expect(
    issueOf('7:06:00', { environment: { lab: true, startsAt: new Date('2026-11-22T05:00:00Z') } }),
  ).toBeUndefined();
});

test('plans about metadata are warned, too', () => {
  const fleet = { clients: 4, instanceType: 'c5.9xlarge', ranksPerClient: 4 };
  const benchmark = { benchmark: metadataBench, fleet };
  expect(issueOf('7:06:00', benchmark)?.severity).toBe('warning');
});

test('a run takes the window that FSx reports, which is known where AWS chose it', () => {
  const arm = (name: string) => ({ name, fileSystemId: `fs-${name}`, configuration: lustre });
  const deployment = { arms: [arm('none'), arm('lz4'), arm('gone')] } as unknown as Deployment;
  const { arms } = withDescriptions(
    deployment,
    new Map([
      ['fs-none', { FileSystemId: 'fs-none', LustreConfiguration: { WeeklyMaintenanceStartTime: '4:11:30' } }],
      ['fs-lz4', { FileSystemId: 'fs-lz4' }],
      ['fs-gone', null],
    ]),
  );
  expect(arms.map(({ configuration }) => (configuration as LustreStorage).weeklyMaintenanceStartTime)).toEqual([
    '4:11:30',
    undefined,
    undefined,
  ]);
});

test('measured and other time are all of the time', () => {
  const kinds = ['drop-caches', 'make-directory', 'measure-ratio', 'measure-capacity', 'remove-data', 'workload'];
  const steps = fc.array(
    fc.record({ phase: fc.constantFrom(...PHASES), kind: fc.constantFrom(...kinds), seconds: fc.nat(10_000) }),
  );
  fc.assert(
    fc.property(steps, fc.nat(100_000), (made, between) => {
      const planned = made.map(
        ({ phase, kind, seconds }) =>
          ({ phase, expectedSeconds: seconds, tasks: [{ action: { kind } }] }) as unknown as Step,
      );
      const inSteps = made.reduce((sum, { seconds }) => sum + seconds, 0);
      const time = runTime(planned, ({ expectedSeconds }) => expectedSeconds, inSteps + between);
      const others = time.others.reduce((sum, { seconds }) => sum + seconds, 0);
      expect(time.measuredSeconds + others).toBe(inSteps + between);
      if (time.perMeasured !== null) expect(time.perMeasured * time.measuredSeconds).toBeCloseTo(inSteps + between, 6);
      expect(time.others.every(({ seconds }) => seconds > 0)).toBe(true);
    }),
  );
});

test.each(['CompressionBench', 'MetadataBench'])('%s pays at most 1.15 minutes for each that it measures', (name) => {
  const { steps, totals } = documentedPlan(benchmarkOrNone(name) as Benchmark, { scale: 'published', set: [] });
  const { perMeasured, measuredSeconds } = runTime(steps, ({ expectedSeconds }) => expectedSeconds);
  expect(perMeasured).toBeGreaterThan(1);
  expect(perMeasured).toBeLessThanOrEqual(1.15);
  expect(totals.measuredSeconds).toBe(measuredSeconds);
});

test('the bytes of a plan are the most of each write, in MiB', () => {
  const { steps, totals, parameters } = documentedPlan(benchmarkOrNone('CompressionBench') as Benchmark, {
    scale: 'smoke',
    set: ['maxMiBPerArm=64'],
  });
  const writes = steps.flatMap(({ tasks }) =>
    tasks.filter(({ action }) => action.kind === 'workload' && action.operation === 'write'),
  );
  expect([writes.length > 0, parameters.maxMiBPerArm]).toEqual([true, 64]);
  expect([totals.bytesWritten, totals.bytesRead]).toEqual([writes.length * 2 ** 26, writes.length * 2 ** 26]);
});

test.each([
  [['measure', 'workload'], null],
  [['warm-up', 'workload'], 'warming up'],
  [['prepare', 'workload'], 'preparing data'],
  [['measure', 'drop-caches'], 'dropping caches'],
  [['prepare', 'make-directory'], 'making directories'],
  [['measure', 'verify-spread'], 'counting directories by target'],
  [['measure', 'measure-ratio'], 'reading compression back'],
  [['measure', 'measure-capacity'], 'waiting for free space to settle'],
  [['prepare', 'remove-data'], 'removing data'],
] as const)('the time of a step %j is that of %s', ([phase, kind], purpose) => {
  // The first task of a step says what it is for.
  const tasks = [{ action: { kind } }, { action: { kind: 'sleep' } }];
  const time = runTime(
    [
      { phase, tasks },
      { phase: 'measure', tasks: [] },
    ] as unknown as Step[],
    () => 4,
    10,
  );
  const rest = [
    { purpose: 'nothing', seconds: 4 },
    { purpose: 'between steps', seconds: 2 },
  ];
  const own = purpose === null ? [] : [{ purpose, seconds: 4 }];
  expect(time).toEqual({
    ...{ seconds: 10, measuredSeconds: purpose === null ? 4 : 0, perMeasured: purpose === null ? 2.5 : null },
    others: [...own, ...rest],
  });
});
