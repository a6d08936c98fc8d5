import fc from 'fast-check';
import { compressionBench } from '../../lib/benchmark/compression';
import { renderPlan } from '../../lib/cli/render/renderPlan';
import { defaultPlan, makePlan, type PlanRequest } from '../../lib/plan/plan';
import type { Action, Plan, Step } from '../../lib/schema/plan';
import { DATA_WORKLOADS, idsOf } from '../../lib/workload/lookup';

const arms = [
  { name: 'none', description: 'PERSISTENT_1 200, NONE' },
  { name: 'lz4', description: 'PERSISTENT_1 200, LZ4' },
];
const directories = arms.map((arm) => ({ ...arm, configuration: { kind: 'directory' } }));
const published: PlanRequest = {
  benchmark: compressionBench,
  plan: 'paired',
  scale: 'published',
  arms,
  fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 18 },
  hourlyUsd: 27,
};
const plan = (change: Partial<PlanRequest> = {}): Plan => makePlan({ ...published, ...change });
const workloads = (steps: readonly Step[]) =>
  steps.flatMap((step) =>
    step.tasks.flatMap(({ arm, group, action }) => (action.kind === 'workload' ? [{ step, arm, group, action }] : [])),
  );
const commandOf = (action: Extract<Action, { kind: 'workload' }>): string => action.command.join(' ');

describe('the paired plan', () => {
  const paired = plan();
  const measured = workloads(paired.steps.filter((step) => step.phase === 'measure'));

  test('measures both arms in the same step, on different clients', () => {
    for (const step of paired.steps.filter((each) => each.phase === 'measure')) {
      expect(step.tasks.map((task) => task.arm)).toEqual(['none', 'lz4']);
      expect(new Set(step.tasks.map((task) => task.group))).toEqual(new Set(['A', 'B']));
    }
  });

  test('swaps the halves of the fleet between arms from repeat to repeat', () => {
    const groups = [1, 2, 3, 4, 5].map(
      (repeat) => measured.find(({ step, arm }) => step.repeat === repeat && arm === 'lz4')?.group,
    );
    expect(groups).toEqual(['A', 'B', 'A', 'B', 'A']);
  });

  test('lets no client read what it wrote itself', () => {
    for (const { step, arm, group } of measured.filter(({ action }) => action.operation === 'write')) {
      const read = measured.find(
        (other) => other.step.unit === step.unit && other.arm === arm && other.action.operation === 'read',
      );
      expect(read?.group).not.toBe(group);
    }
  });

  test('without reads, writes and reads space back, and drops no caches', () => {
    const { steps } = plan({ set: ['reads=false'] });
    expect(new Set(workloads(steps).map(({ action }) => action.operation))).toEqual(new Set(['write']));
    const kinds = new Set(steps.flatMap(({ tasks }) => tasks.map(({ action }) => action.kind)));
    expect(kinds).toContain('measure-ratio');
    expect(kinds).not.toContain('drop-caches');
  });

  test('goes through the compressibility axis in an order that rotates, so that repeats of one target lie far apart', () => {
    const targets = (repeat: number) => [
      ...new Set(measured.filter(({ step }) => step.repeat === repeat).map(({ step }) => step.compressibility)),
    ];
    expect(targets(1)).toEqual([1, 1.65, 2.6, 3.5]);
    expect(targets(2)).toEqual([1.65, 2.6, 3.5, 1]);
    expect(targets(5)).toEqual([1, 1.65, 2.6, 3.5]);
  });

  test('writes the same data on both arms', () => {
    for (const step of paired.steps.filter((each) => each.phase === 'measure')) {
      const commands = new Set(workloads([step]).map(({ action }) => commandOf(action)));
      expect(commands.size).toBe(1);
    }
  });

  test('reads space back between write and read, and drops caches before the read', () => {
    const unit = paired.steps
      .filter((step) => step.unit === 'r3-c1.65')
      .map((step) => step.id.replace('r3-c1.65-', ''));
    expect(unit).toEqual([
      'directory',
      'capacity-before',
      'write',
      'space',
      'capacity',
      'drop-caches',
      'read',
      'remove',
    ]);
  });

  test('warms up on both arms without measuring', () => {
    const warm = paired.steps.filter((step) => step.phase === 'warm-up');
    expect(warm.map((step) => step.repeat)).toEqual([0, 0]);
    expect(warm[0]?.tasks).toHaveLength(2);
  });

  test('takes IOR for what its own buffers compress to, fio for the rest, and says so', () => {
    const tools = Object.fromEntries(
      measured.map(({ step, action }) => [String(step.compressibility), `${action.tool} ${action.pattern}`]),
    );
    expect(tools).toEqual({
      '1': 'ior ior-incompressible',
      '1.65': 'fio fio-42',
      '2.6': 'fio fio-64',
      '3.5': 'ior ior-default',
    });
    expect(paired.issues.map((issue) => issue.id)).toContain('tools-differ-between-targets');
    expect(plan({ set: ['tool=fio'] }).issues.map((issue) => issue.id)).not.toContain('tools-differ-between-targets');
  });

  test('has fsync and a file per process in every IOR command, and O_DIRECT on Lustre', () => {
    for (const { action } of measured.filter((each) => each.action.tool === 'ior')) {
      expect(action.command).toEqual(expect.arrayContaining(['-F', '-e', '--posix.odirect']));
    }
    expect(
      workloads(plan({ set: ['direct=false'] }).steps).some(({ action }) => action.command.includes('--posix.odirect')),
    ).toBe(false);
  });

  test('gives every step an id of its own and more time than it expects', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.uniqueArray(fc.integer({ min: 10, max: 80 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (repeats, tenths, simultaneous) => {
          const { steps } = plan({
            set: [
              `repeats=${repeats}`,
              `compressibilities=${tenths.map((tenth) => tenth / 10).join(',')}`,
              `simultaneous=${simultaneous}`,
            ],
          });
          expect(new Set(steps.map((step) => step.id)).size).toBe(steps.length);
          expect(steps.every((step) => step.deadlineSeconds > step.expectedSeconds)).toBe(true);
          expect(steps.filter((step) => step.phase === 'measure')).toHaveLength(
            repeats * tenths.length * 2 * (simultaneous ? 1 : 2),
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('on one client', () => {
  const lab = plan({ scale: 'lab', fleet: { clients: 1, instanceType: null, ranksPerClient: 2 } });

  test('the arms take turns, each arm first in every second repeat', () => {
    const first = [1, 2, 3].map(
      (repeat) => workloads(lab.steps).find(({ step }) => step.repeat === repeat && step.phase === 'measure')?.arm,
    );
    expect(first[0]).toBe(first[2]);
    expect(first[0]).not.toBe(first[1]);
    expect(lab.issues.map((issue) => issue.id)).toContain('arms-take-turns');
  });
});

test('the published plan is the blog’s own command for 12 hours with all OSTs', () => {
  const { steps, totals } = plan({
    plan: 'published',
    fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 144 },
  });
  const [none, lz4] = workloads(steps);
  expect(none && commandOf(none.action)).toBe(
    'ior --posix.odirect -t 1m -b 1m -s 12000 -g -v -w -i 1000 -F -k -D 0 -T 720 -o {dir}/ior.bin',
  );
  expect(none?.action.ranksPerClient).toBe(144);
  expect([none?.group, lz4?.group]).toEqual(['A', 'B']);
  expect(steps.flatMap((step) => step.tasks).find(({ action }) => action.kind === 'make-directory')?.action).toEqual({
    kind: 'make-directory',
  });
  expect(totals.expectedSeconds).toBeGreaterThan(12 * 3600);
  expect(totals.bytesWritten).toBeNull();
});

test('a layout that is set goes into each new directory, and one that is not stays as it is deployed', () => {
  const made = (set: string[]) => {
    const { steps, parameters } = plan({ set });
    const actions = steps.flatMap(({ tasks }) => tasks.map(({ action }) => action));
    const layouts = actions.flatMap((action) => (action.kind === 'make-directory' ? [JSON.stringify(action)] : []));
    return { layouts: [...new Set(layouts)], recorded: parameters.stripeCount };
  };
  expect(made(['stripeCount=4'])).toEqual({ layouts: ['{"kind":"make-directory","stripeCount":4}'], recorded: 4 });
  for (const set of [[], ['stripeCount=null']])
    expect(made(set)).toEqual({ layouts: ['{"kind":"make-directory"}'], recorded: undefined });
});

describe('a program of one’s own', () => {
  const program = ['cp', '-r', '/a', '{dir}/b'];
  const own = (change: Partial<PlanRequest> = {}) => plan({ plan: 'command', program, ...change });

  test('is run by a plan of its own, and after dropping caches unless one says not to', () => {
    expect([[], program].map((words) => defaultPlan(compressionBench, words).name)).toEqual(['paired', 'command']);
    const drops = (set: string[]) => JSON.stringify(own({ set }).steps).includes('"drop-caches"');
    expect([[], ['dropCaches=false']].map(drops)).toEqual([true, false]);
  });

  test('waits for free space where the file system frees it later, whatever the arm is mounted by, and never in a lab’s stand-in', () => {
    const configuration = { kind: 'lustre', deploymentType: 'PERSISTENT_1', storageCapacityGiB: 14_400 };
    const seconds = (change: Partial<PlanRequest>) =>
      own({ arms: arms.map((arm) => ({ ...arm, configuration })), ...change }).totals.expectedSeconds;
    const lab = { environment: { lab: true } };
    const mounted = (type: string) => ({ mountedAs: { none: type, lz4: type } });
    const on = seconds({});
    const off = seconds({ arms });
    expect(on).toBeGreaterThan(off);
    expect([lab, mounted('xfs'), { ...lab, ...mounted('lustre') }].map(seconds)).toEqual([off, off, on]);
  });
});

test('costs are those of the whole time; without a price the reason tells the known part, and no source of prices is named', () => {
  const { expectedSeconds, measuredSeconds, ...of } = plan({ hourlyUsd: 36, costBasis: 'a list' }).totals;
  expect(of).toMatchObject({ costUsd: expectedSeconds / 100, costBasis: 'a list', costReason: undefined });
  expect(expectedSeconds).toBeGreaterThan(measuredSeconds ?? expectedSeconds);
  const usd = (expectedSeconds / 3600).toFixed(2);
  expect(
    plan({ hourlyUsd: null, knownHourlyUsd: 1, costBasis: 'a list', costReason: 'no price of x' }).totals,
  ).toMatchObject({
    costUsd: null,
    costBasis: undefined,
    costReason: `more than ${usd} USD while the plan runs; no price of x`,
  });
});

describe('wrong parameters', () => {
  test.each([
    [
      ['second=9'],
      "there is no parameter 'second'; allowed: repeats, seconds, compressibilities, tool, iorVersion, ranksPerClient, maxMiBPerArm, direct, simultaneous, reads, warmUpSeconds, smallestDifferencePercent, precision, stripeCount; did you mean seconds?",
    ],
    [
      ['repeats'],
      "a parameter must be key=value, got 'repeats'; keys: repeats, seconds, compressibilities, tool, iorVersion, ranksPerClient, maxMiBPerArm, direct, simultaneous, reads, warmUpSeconds, smallestDifferencePercent, precision, stripeCount",
    ],
    [['stripeCount=-2'], "'stripeCount' must be a whole number from -1 to 2000, got '-2'"],
    [['stripeCount=many'], "'stripeCount' must be a whole number from -1 to 2000, got 'many'"],
    [['smallestDifferencePercent=51'], "'smallestDifferencePercent' must be from 0 to 50, got '51'"],
    [['repeats=0'], "'repeats' must be a whole number from 1 to 1000, got '0'"],
    [['repeats=many'], "'repeats' must be a whole number from 1 to 1000, got 'many'"],
    [
      ['compressibilities=0.5'],
      "'compressibilities' must be compression ratios from 1 to 8, separated by commas, each once, got '0.5'",
    ],
    [['tool=dd'], `'tool' must be one of auto, ${idsOf(DATA_WORKLOADS).join(', ')}, got 'dd'`],
    [
      ['tool=ior'],
      "IOR 3.3.0 cannot write data that compress 1.65:1: set tool=auto or tool=fio, or take this compressibility out of 'compressibilities'",
    ],
  ])('%j are refused in one line', (set, message) => {
    expect(() => plan({ set })).toThrow(message);
  });

  test('a fleet that cannot be cut into equal parts is refused', () => {
    expect(() => plan({ fleet: { ...published.fleet, clients: 7 } })).toThrow(
      "'clients' must be a multiple of the 2 arms, which share them equally, got 7",
    );
  });
});

describe('the plan’s checks', () => {
  const ids = (change: Partial<PlanRequest>) => plan(change).issues.map((issue) => issue.id);
  const GIB = 2 ** 30;

  test.each([
    ['phase-too-short', { set: ['seconds=60'] }, { set: ['seconds=300'] }],
    // The lab publishes metrics every few seconds.
    ['phase-too-short', { set: ['seconds=60'] }, { set: ['seconds=5'], environment: { lab: true } }],
    // No service counts what is done in directories of one computer.
    ['phase-too-short', { set: ['seconds=60'] }, { set: ['seconds=5'], arms: directories }],
    ['phase-too-short', { set: ['seconds=60'] }, { set: ['seconds=5'], environment: { uncounted: true } }],
    ['few-repeats', { set: ['repeats=2'] }, { set: ['repeats=5'] }],
    // One arm is compared with nothing.
    ['few-repeats', { set: ['repeats=2'] }, { set: ['repeats=2'], arms: published.arms.slice(0, 1) }],
    // Power is known of rates that are held; two repeats are too few whatever they vary by.
    ['few-repeats', { set: ['repeats=3'] }, { set: ['repeats=3'], environment: { variation: 0.01 } }],
    ['few-repeats', { set: ['repeats=2'], environment: { variation: 0.01 } }, { set: ['repeats=5'] }],
    ['few-repeats', { set: ['repeats=3'] }, { set: ['repeats=3', 'compressibilities=3.5', 'tool=fio', 'repeats=4'] }],
    [
      'oversubscribed-clients',
      { set: ['ranksPerClient=9'], environment: { clientCpus: 8 } },
      { set: ['ranksPerClient=8'], environment: { clientCpus: 8 } },
    ],
    [
      'data-fit-in-memory',
      { environment: { clientMemoryBytes: 96 * GIB, serverMemoryBytes: 127 * GIB, documentedBytesPerSecond: 1e9 } },
      { environment: { clientMemoryBytes: 96 * GIB, serverMemoryBytes: 127 * GIB, documentedBytesPerSecond: 3.456e9 } },
    ],
    // It is reads that a cache answers.
    [
      'data-fit-in-memory',
      { environment: { clientMemoryBytes: 96 * GIB }, set: ['seconds=5', 'maxMiBPerArm=1024'] },
      { environment: { clientMemoryBytes: 96 * GIB }, set: ['seconds=5', 'maxMiBPerArm=1024', 'reads=false'] },
    ],
    [
      'data-exceed-capacity',
      { environment: { capacityBytes: 1200 * GIB } },
      { environment: { capacityBytes: 14_400 * GIB } },
    ],
    ['lab-run', { environment: { lab: true } }, {}],
  ])('%s is found where it is, and only there', (id, bad, good) => {
    expect(ids(bad)).toContain(id);
    expect(ids(good)).not.toContain(id);
  });

  test('a cache of servers is spoken of only where an arm has servers', () => {
    const memory = (serverMemoryBytes?: number) =>
      plan({ set: ['maxMiBPerArm=1024'], environment: { clientMemoryBytes: GIB, serverMemoryBytes } }).issues.find(
        ({ id }) => id === 'data-fit-in-memory',
      );
    expect(memory(8 * GIB)).toMatchObject({ expected: 'more than 12 GiB (clients and servers)' });
    expect(memory(8 * GIB)?.suggestion).toMatch(/but a server’s cannot be$/);
    for (const none of [undefined, 0]) {
      expect(memory(none)).toMatchObject({ expected: 'more than 4 GiB' });
      expect(JSON.stringify(memory(none))).not.toContain('server');
    }
  });

  test('the smallest difference that a plan finds is known before anything is spent', () => {
    const of = (set: readonly string[]) => plan({ set }).detectable;
    expect(of([])).toMatchObject({ comparisons: 8, repeats: 5, variation: 0.05, power: 0.8 });
    expect(of([])?.difference).toBeCloseTo(0.234, 3);
    expect(of(['repeats=3'])?.difference).toBeCloseTo(0.924, 3);
    expect(of(['compressibilities=2.6'])?.difference).toBeCloseTo(0.156, 3);
    expect(of(['repeats=1'])?.difference).toBeNull();
    expect(plan({ plan: 'published' }).detectable).toBeUndefined();
    expect(renderPlan(plan({}))).toContain(
      "detects    differences of 23 % with 80 % power, if an arm's repeats vary by 5 % (8 comparisons of 5 pairs, 30 min 36 s apart)",
    );
    expect(plan({ set: ['repeats=3'] }).issues.find(({ id }) => id === 'few-repeats')).toMatchObject({
      expected: 'at least 5 repeats, which detect 23 % with 80 % power if an arm varies by 5 %',
      actual: '3, which detect 92 %',
      suggestion: '--set repeats=5',
    });
  });

  test('repeats of one target are as far apart as the order allows, and the plan says so, and from when on independence is tested', () => {
    const of = (set: readonly string[]) => plan({ set }).detectable;
    // Three other targets lie between; in an order that went backwards in every second repeat it was none.
    expect(of([])?.apartSeconds).toBeGreaterThan(3 * 2 * 300);
    expect(of(['repeats=1'])).not.toHaveProperty('apartSeconds');
    expect(of(['repeats=7'])).toMatchObject({ independence: 'assumed' });
    expect(renderPlan(plan({ set: ['repeats=7'] }))).toContain(
      'if repeats do not depend on the ones before: 8 or more test that, and their intervals are wider for it: --set repeats=8',
    );
    expect(of(['repeats=8'])).toMatchObject({ independence: 'tested' });
    expect(renderPlan(plan({ set: ['repeats=8'] }))).not.toContain('if repeats do not depend');
  });

  test('two pairs of many comparisons detect nothing, and the plan says so', () => {
    const two = plan({ set: ['repeats=2'] });
    expect(two.issues.find(({ id }) => id === 'few-repeats')?.actual).toBe('2, which detect more than a factor of ten');
    expect(renderPlan(two)).toContain('detects    nothing with certainty: 8 comparisons of 2 pairs');
  });

  test('on scale models a difference must be larger than that to which they are alike, and the plan says so', () => {
    const environment = { variation: 0.02, systematic: 0.05 };
    const model = plan({ environment: environment });
    const { difference = null } = plan({ environment: { variation: 0.02 } }).detectable ?? {};
    expect(model.detectable?.difference).toBeCloseTo((1 + (difference ?? 0)) / 0.95 - 1, 12);
    expect(renderPlan(model)).toContain(
      "detects    differences of 15 % with 80 % power, if an arm's repeats vary by 2 % and scale models are alike to within 5 % (8",
    );
  });

  test('a full file system has room for nothing', () => {
    expect(ids({ environment: { capacityBytes: 0 } })).toContain('data-exceed-capacity');
  });

  test('a small file system is too small in a unit that says so', () => {
    const { issues } = plan({ environment: { capacityBytes: 3 * 2 ** 20 }, set: ['maxMiBPerArm=16'] });
    expect(issues.find(({ id }) => id === 'data-exceed-capacity')).toMatchObject({
      expected: 'at most 2.40 MiB (80 % of the free space)',
      actual: '16 MiB',
    });
  });

  test('only what would spoil the run is an error', () => {
    expect(
      plan({ environment: { capacityBytes: 1200 * GIB } })
        .issues.filter((issue) => issue.severity === 'error')
        .map((issue) => issue.id),
    ).toEqual(['data-exceed-capacity']);
  });
});
