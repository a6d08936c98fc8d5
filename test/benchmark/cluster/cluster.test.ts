import { clusterBench } from '../../../lib/benchmark/cluster';
import { importPlan } from '../../../lib/benchmark/cluster/plan/import';
import { temperature } from '../../../lib/benchmark/cluster/plan/temperature';
import { doubling } from '../../../lib/benchmark/common/scaling/parameters';
import { scaling } from '../../../lib/benchmark/common/scaling/plan';
import { makePlan, type PlanRequest } from '../../../lib/plan/plan';
import { SECONDS_FOR_METRICS } from '../../../lib/schema/metrics';
import type { Plan, Step } from '../../../lib/schema/plan';

const planOf = (plan: string, set: readonly string[] = [], change: Partial<PlanRequest> = {}): Plan =>
  makePlan({
    benchmark: clusterBench,
    plan,
    scale: 'published',
    arms: [{ name: 'scratch', description: 'SCRATCH_2' }],
    fleet: { clients: 8, instanceType: 'c5n.18xlarge', ranksPerClient: 36 },
    set,
    hourlyUsd: 0,
    ...change,
  });
/** The name of each step between the looks at the space, without arm and unit, and how long it is expected to take. */
const stepsOf = ({ steps }: Plan) =>
  steps
    .slice(1, -1)
    .map(({ id, unit, expectedSeconds }) => [id.slice(unit.length + 1).replace(/-scratch$/, ''), expectedSeconds]);
const measured = ({ steps }: Plan): Step[] => steps.filter(({ phase }) => phase === 'measure');
const commandsOf = (plan: Plan): string[] =>
  plan.steps.flatMap(({ tasks }) =>
    tasks.flatMap(({ action }) => ('command' in action ? action.command.join(' ') : [])),
  );

describe('temperatures', () => {
  test('are made once, and analysed with cold caches on one node and on all, in turns; more nodes take less time', () => {
    // Eight years of ERA5's grid: 4 B × 721 × 1440 × 24 × 365.25 × 8 are 291.2 GB, which 36 processes make at 50 MB/s each in 162 s.
    const steps = stepsOf(planOf(temperature.name, ['repeats=2'])).map((step) => step.join(' '));
    const [first, second] = [1, 2].map((repeat) => {
      const on = (nodes: number, seconds: number) => [`n${nodes}-drop-caches 2`, `n${nodes}-analyse ${seconds}`];
      const both = [on(1, 1200), on(8, 150)];
      return (repeat === 1 ? both : both.reverse()).flat().map((step) => `r${repeat}-${step}`);
    }) as [string[], string[]];
    expect(steps).toEqual(['directory 2', 'generate 162', ...first, ...second, 'remove 2']);
    const order = measured(planOf(temperature.name)).map(({ repeat, plannedNodes }) => `${repeat}:${plannedNodes}`);
    expect(order.join(' ')).toBe('1:1 1:8 2:8 2:1 3:1 3:8');
  });

  test.each([
    ['a tenth of the rows and columns', ['latitudes=72', 'longitudes=144', 'workersPerNode=1'], 59],
    ['one process', ['workersPerNode=1'], 5825],
    ['half of the years, every 6 hours', ['years=4', 'stepsPerDay=4'], 14],
  ])('making the data takes as long as there are bytes for each process: %s', (_, set, seconds) => {
    expect(Object.fromEntries(stepsOf(planOf(temperature.name, set)))).toMatchObject({ generate: seconds });
  });

  test('of your own files are not made; your partition and the memory of a worker reach the command', () => {
    const plan = planOf(temperature.name, ['source=/fsx/era5', 'partition=gpu', 'workerMiB=2048', 'nodes=2']);
    expect(stepsOf(plan).map(([name]) => name)).not.toContain('generate');
    expect(
      new Set(measured(plan).map(({ plannedNodes, expectedSeconds }) => `${plannedNodes} ${expectedSeconds}`)),
    ).toEqual(new Set(['2 600']));
    const [command] = commandsOf(plan);
    for (const part of ['/fsx/era5', 'gpu', '2048', '36']) expect(command).toContain(part);
  });

  test('need no more nodes than there are', () => {
    expect(measured(planOf(temperature.name, ['nodes=8']))).toHaveLength(3);
    expect(() => planOf(temperature.name, ['nodes=1,9'])).toThrow(
      "'nodes' must be at most the 8 clients of the fleet, got 9",
    );
  });
});

describe('an import', () => {
  test.each([
    ['lazy', 'first', 'first_read'],
    ['preload', 'preload', 'preload'],
  ])('times the metadata, then loads (%s), then reads again with cold caches', (load, phase, operation) => {
    const plan = planOf(importPlan.name, [`load=${load}`, 'seconds=400', 'processesPerClient=7']);
    expect(stepsOf(plan)).toEqual([
      ['metadata', 400],
      [phase, 400],
      ['drop-caches-second', 2],
      ['second', 400],
    ]);
    expect(
      measured(plan).map(({ tasks: [task] }) => task?.action.kind === 'workload' && task.action.operationId),
    ).toEqual(['import_metadata', operation, 'second_read']);
    // It is given up after twice the time.
    for (const command of commandsOf(plan))
      expect(command).toMatch(/ \/fsx\/scratch\/data --processes 7 --part \{client\} --of 8 --deadline 800$/);
  });
});

describe('scaling', () => {
  test.each([
    [1, [1]],
    [2, [1, 2]],
    [5, [1, 2, 4, 5]],
    [8, [1, 2, 4, 8]],
    [9, [1, 2, 4, 8, 9]],
  ])('with %i clients doubles the nodes up to all of them', (clients, nodes) => {
    expect(doubling(clients)).toEqual(nodes);
  });

  test('moves the same data per node on more and more nodes, and begins every second repeat with the most', () => {
    const plan = planOf(scaling.name, ['repeats=2', 'nodes=2,8', 'seconds=70', 'maxMiBPerNode=7200']);
    expect(
      measured(plan).map(({ id, plannedNodes, expectedSeconds, tasks: [task] }) => [
        ...[id.replace(/-scratch$/, ''), plannedNodes, expectedSeconds, task?.group],
      ]),
    ).toEqual(
      ['r1-n2', 'r1-n8', 'r2-n8', 'r2-n2'].flatMap((id) => {
        const nodes = Number(id.slice(4));
        return ['write', 'read'].map((way) => [`${id}-${way}`, nodes, 70, `first${nodes}`]);
      }),
    );
    // 7,200 MiB of a node are 200 MiB of each of its 36 processes.
    for (const command of commandsOf(plan)) expect(command).toMatch(/ -b (?:200m|209715200)\b/);
    expect(
      stepsOf(plan)
        .slice(0, 5)
        .map(([name]) => name),
    ).toEqual([...['directory', 'write', 'drop-caches-read', 'read', 'clean']]);
  });

  test('only writes where nothing is to be read', () => {
    expect(measured(planOf(scaling.name, ['reads=false', 'repeats=1', 'nodes=1'])).map(({ id }) => id)).toEqual([
      'r1-n1-write-scratch',
    ]);
    expect(() => planOf(scaling.name, ['tool=dd'])).toThrow("'tool' must be one of auto, ior, fio, got 'dd'");
  });

  test('phases of 300 s are long enough for five of the service’s points, of 299 s are not', () => {
    const configuration = { ...clusterBench.arms('smoke')[0]?.storage } as Plan['arms'][number]['configuration'];
    const arms = [{ name: 'scratch', description: '', configuration }];
    const issuesOf = (seconds: number) =>
      planOf(scaling.name, [`seconds=${seconds}`], { arms }).issues.filter(({ id }) => id === 'phase-too-short');
    expect(SECONDS_FOR_METRICS).toBe(300);
    expect(issuesOf(300)).toEqual([]);
    expect(issuesOf(299)).toMatchObject([
      { expected: 'at least 300 s', actual: '299 s', suggestion: '--set seconds=300' },
    ]);
  });

  // Mondays from 5:00, half an hour long (AWS docs, weekly maintenance windows): 2026-11-23 is one.
  test.each([
    [-1.01, false],
    [-0.99, true],
    [0, true],
  ])('a run that begins %d of its length after the maintenance window does, meets it: %s', (lengths, meets) => {
    const configuration = { ...clusterBench.arms('smoke')[0]?.storage, weeklyMaintenanceStartTime: '1:05:00' };
    const arms = [
      { name: 'scratch', description: '', configuration: configuration as Plan['arms'][number]['configuration'] },
    ];
    const issuesAt = (startsAt: Date) =>
      planOf(scaling.name, ['nodes=1'], { arms, environment: { startsAt } }).issues.filter(
        ({ id }) => id === 'maintenance-window',
      );
    const seconds = planOf(scaling.name, ['nodes=1'], { arms }).steps.reduce(
      (sum, step) => sum + step.expectedSeconds,
      0,
    );
    const startsAt = new Date(Date.UTC(2026, 10, 23, 5) + lengths * seconds * 1000);
    expect(issuesAt(startsAt)).toHaveLength(meets ? 1 : 0);
    if (meets) expect(issuesAt(startsAt)[0]?.suggestion).toContain('start it after 23 Nov 2026, 05:30:00 UTC');
  });

  test.each([
    [98_304, 'direct=false', '96 GiB'],
    [50_000, 'direct=false', '48.8 GiB'],
    [98_305, 'direct=false', null],
    [98_304, 'direct=true', null],
  ])('of clients with 96 GiB of memory, %i MiB per node may be read from it (%s): %s', (MiB, direct, actual) => {
    const environment = { clientMemoryBytes: 96 * 2 ** 30 };
    const { issues } = planOf(scaling.name, [`maxMiBPerNode=${MiB}`, direct], { environment });
    // Half as much again leaves no doubt.
    const suggestion = '--set maxMiBPerNode=147456 or --set direct=true';
    expect(issues.filter(({ id }) => id === 'data-fit-in-memory')).toEqual(
      actual === null
        ? []
        : [expect.objectContaining({ severity: 'warning', actual, expected: 'more than 96 GiB', suggestion })],
    );
  });
});
