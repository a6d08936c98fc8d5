import { planIssues } from '../../lib/benchmark/common/checks';
import { metadataBench } from '../../lib/benchmark/metadata';
import { CHECKS } from '../../lib/benchmark/metadata/plan/paired';
import { makePlan, type PlanRequest } from '../../lib/plan/plan';
import type { Plan, PlanArm, Step } from '../../lib/schema/plan';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { describeLustre } from '../../lib/storage/lustre/documented';
import { FILES_WORKLOADS } from '../../lib/workload/lookup';

const arms: PlanArm[] = metadataBench
  .arms('published')
  .map(({ name, storage }) => ({
    name,
    description: describeLustre(storage as LustreStorage),
    configuration: storage,
  }));
const published: PlanRequest = {
  benchmark: metadataBench,
  plan: 'paired',
  scale: 'published',
  arms,
  fleet: { clients: 200, instanceType: 'c5.9xlarge', ranksPerClient: 4 },
  hourlyUsd: 400,
};
const plan = (change: Partial<PlanRequest> = {}): Plan => makePlan({ ...published, ...change });
const workloads = (steps: readonly Step[]) =>
  steps.flatMap((step) =>
    step.tasks.flatMap(({ arm, group, action }) => (action.kind === 'workload' ? [{ step, arm, group, action }] : [])),
  );
const names = (steps: readonly Step[], unit: string, arm: string): string[] =>
  steps
    .filter((step) => step.unit === unit && step.tasks.some((task) => task.arm === arm))
    .map((step) => step.id.replace(`${unit}-`, '').replace(`-${arm}`, ''));
const idsOf = (made: Plan): string[] => made.issues.map(({ id }) => id);
const issue = (made: Plan, id: string) => made.issues.find((each) => each.id === id);

describe('the paired plan of metadata', () => {
  const paired = plan();
  const measured = workloads(paired.steps.filter(({ phase }) => phase === 'measure'));

  test('makes each operation a step of its own, with caches dropped between', () => {
    expect(names(paired.steps, 'r1-s0', 'p1000-192000')).toEqual(
      'directory create spread drop-caches-1 stat drop-caches-2 read drop-caches-3 remove clean'.split(' '),
    );
  });

  test('lets all clients work on one arm at a time, another arm first in each repeat', () => {
    expect(new Set(measured.map(({ group }) => group))).toEqual(new Set(['all']));
    expect(measured.every(({ step }) => step.tasks.length === 1)).toBe(true);
    const first = [1, 2, 3].map((repeat) => measured.find(({ step }) => step.repeat === repeat)?.arm);
    expect(new Set(first).size).toBe(3);
  });

  test('lasts 300 s in every measured phase, whatever the arm', () => {
    expect(measured.every(({ action }) => action.rounds?.seconds === 300)).toBe(true);
    expect(idsOf(paired)).not.toContain('phase-too-short');
  });

  test.each([
    ['p250-12000', 3000],
    ['p250-192000', 48_000],
    // No number is published without a metadata configuration: what 12,000 GiB would get automatically is taken.
    ['p250-none', 3000],
  ])('gives %s rounds of what its documented rate creates in 100 s: %i files a rank', (arm, files) => {
    const create = measured.find((each) => each.arm === arm && each.action.operation === 'create');
    expect(create?.action.command.join(' ')).toBe(`mdtest -F -v -C -u -n ${files} -d {dirs}`);
  });

  test('gives a scale model rounds of what its part of the documented rate creates', () => {
    const create = workloads(plan({ set: ['modelScale=100'] }).steps).find(({ arm }) => arm === 'p250-192000');
    expect(create?.action.command.join(' ')).toContain('-n 480 ');
  });

  test('begins each repeat with another size, and expects removals of files to take twice as long', () => {
    const sized = workloads(plan({ set: ['fileBytes=0,4096'] }).steps).filter(({ step }) => step.phase === 'measure');
    const firsts = [1, 2, 3].map((repeat) => sized.find(({ step }) => step.repeat === repeat)?.step.fileBytes);
    expect(firsts).toEqual([0, 4096, 0]);
    const removing = (made: Plan) =>
      workloads(made.steps).find(({ action }) => action.operation === 'remove')?.step.expectedSeconds;
    expect([removing(paired), removing(plan({ set: ['operations=directories'] }))]).toEqual([600, 300]);
  });

  test('does the same to the same files in every operation', () => {
    const commands = ['create', 'stat', 'read', 'remove'].map((operation) =>
      measured
        .find(({ arm, action }) => arm === 'p250-12000' && action.operation === operation)
        ?.action.command.join(' '),
    );
    expect(commands).toEqual(['-C', '-T', '-E', '-r'].map((only) => `mdtest -F -v ${only} -u -n 3000 -d {dirs}`));
  });

  test('writes and reads small files where sizes are asked for', () => {
    const sized = workloads(plan({ set: ['fileBytes=0,4096'] }).steps).filter(({ step }) => step.fileBytes === 4096);
    const words = (operation: string) => sized.find(({ action }) => action.operation === operation)?.action.command;
    expect(words('create')?.join(' ')).toContain('-w 4096');
    expect(words('read')?.join(' ')).toContain('-e 4096');
    expect(words('stat')?.join(' ')).not.toContain('4096');
  });

  test('asks for a directory on each metadata target, in an empty directory', () => {
    const made = paired.steps.flatMap(({ tasks }) => tasks).filter(({ action }) => action.kind === 'make-directory');
    expect(new Set(made.map(({ action }) => JSON.stringify(action)))).toEqual(
      new Set(['{"kind":"make-directory","fresh":true,"spread":true}']),
    );
  });

  test('can compare the arms in the same minutes, on disjoint groups that swap', () => {
    const together = plan({ set: ['simultaneous=true'] });
    const creates = workloads(together.steps).filter(({ action }) => action.operation === 'create');
    const groups = creates.filter(({ step }) => step.repeat === 1).map(({ group }) => group);
    expect(new Set(groups).size).toBe(arms.length);
    const first = creates.filter(({ arm }) => arm === arms[0]?.name).map(({ group }) => group);
    expect(new Set(first).size).toBe(3);
    // A sixth of the clients must create as many files as all of them would.
    expect(creates.find(({ arm }) => arm === 'p250-12000')?.action.command).toContain(
      String(Math.round(2_400_000 / (33 * 4))),
    );
  });

  test('leaves the clients over that six equal groups have no place for, and says so', () => {
    const together = plan({ set: ['simultaneous=true'] });
    expect(issue(together, 'idle-clients')).toMatchObject({
      severity: 'note',
      message: '2 of 200 clients have nothing to do: each of the 6 arms gets 33.',
      suggestion: 'clients=198 costs less and measures the same; or set simultaneous=false',
    });
    expect(idsOf(plan())).not.toContain('idle-clients');
    const even = { clients: 198, instanceType: 'c5.9xlarge', ranksPerClient: 4 };
    expect(idsOf(plan({ fleet: even, set: ['simultaneous=true'] }))).not.toContain('idle-clients');
  });

  test('cannot compare more arms at the same time than there are clients', () => {
    const few = { clients: 4, instanceType: 'c5.large', ranksPerClient: 2 };
    expect(() => plan({ fleet: few, set: ['simultaneous=true'] })).toThrow(
      "'clients' must be at least the 6 arms to work on them at the same time, got 4: set simultaneous=false",
    );
  });

  test('falls back to fio, without the reading that it has no engine for', () => {
    const fallback = plan({ set: ['tool=fio', 'fileBytes=0'] });
    expect(new Set(workloads(fallback.steps).map(({ action }) => `${action.tool} ${action.operation}`))).toEqual(
      new Set(['fio create', 'fio stat', 'fio remove']),
    );
    expect(idsOf(fallback)).toContain('fio-instead-of-mdtest');
    expect(() => plan({ set: ['tool=fio', 'fileBytes=0,4096'] })).toThrow(
      "fio's engines create empty files only: 'fileBytes' must be 0 with tool=fio, got 0,4096; set tool=mdtest",
    );
  });
});

describe('operations on directories', () => {
  const only = plan({ set: ['operations=directories'] });
  const commands = (made: Plan, arm: string) =>
    workloads(made.steps)
      .filter((each) => each.arm === arm && each.step.repeat === 1)
      .map(({ action }) => action.command.join(' '));

  test('are steps of their own, as many directories a round as the documented rate makes in 100 s', () => {
    // 0.1 directories a second for each of 192,000 metadata IOPS, by 800 ranks.
    expect(commands(only, 'p250-192000')).toEqual(
      ['-C', '-T', '-r'].map((option) => `mdtest -D -v ${option} -u -n 2400 -d {dirs}`),
    );
    expect(commands(only, 'p250-12000')[0]).toContain('-n 150 ');
  });

  test('stand beside those on files where both are asked for', () => {
    const both = commands(plan({ set: ['operations=both'] }), 'p250-12000');
    expect(both.filter((line) => line.includes(' -F '))).toHaveLength(4);
    expect(both.filter((line) => line.includes(' -D '))).toHaveLength(3);
    expect(commands(plan(), 'p250-12000').every((line) => line.includes(' -F '))).toBe(true);
  });

  test('have a size no more than directories have', () => {
    expect(workloads(only.steps).every(({ step }) => !('fileBytes' in step))).toBe(true);
  });

  test('are refused with fio, which has no engine for them', () => {
    for (const operations of ['directories', 'both']) {
      expect(() => plan({ set: ['tool=fio', `operations=${operations}`] })).toThrow(
        `fio has no engine for directories: 'operations' must be files with tool=fio, got ${operations}; install mdtest`,
      );
    }
  });

  test.each([
    ['files', '-F -v'],
    ['directories', '-D -v'],
    ['both', '-v'],
  ])('can be %s in the published form', (operations, option) => {
    const blog = plan({ plan: 'published', set: [`operations=${operations}`] });
    expect(commands(blog, 'p250-12000')).toEqual([`mdtest ${option} -n 4000 -i 3 -u -d {dir}`]);
  });

  test('leave renaming out where mdtest has none, and say so', () => {
    expect(issue(only, 'no-rename')?.severity).toBe('note');
    const blog = (version: string) =>
      plan({ plan: 'published', set: ['operations=directories', `iorVersion=${version}`] });
    expect(idsOf(blog('3.3.0'))).toContain('no-rename');
    expect(idsOf(blog('4.0.0'))).not.toContain('no-rename');
    expect(idsOf(plan())).not.toContain('no-rename');
  });
});

describe('the published plan of metadata', () => {
  const blog = plan({ plan: 'published' });

  test('is the blog’s command, once on each file system, by all 800 ranks', () => {
    const runs = workloads(blog.steps);
    expect(runs.map(({ arm }) => arm)).toEqual(arms.map(({ name }) => name));
    expect(new Set(runs.map(({ action }) => action.command.join(' ')))).toEqual(
      new Set(['mdtest -F -v -n 4000 -i 3 -u -d {dir}']),
    );
    expect(runs.every(({ group, action }) => group === 'all' && action.ranksPerClient === 4)).toBe(true);
  });

  test('says with the blog’s own numbers that it is over before the metrics can see it', () => {
    expect(issue(blog, 'creation-too-short')).toMatchObject({
      severity: 'warning',
      message:
        '3,200,000 creates take 8.3 s on p250-192000, at the documented 2 per second for each of its 192,000 metadata IOPS. The service’s metrics have one point per minute.',
      actual: '8.3 s',
    });
    expect(idsOf(plan())).not.toContain('creation-too-short');
  });

  test('expects the slow arm to take sixteen times as long as the fast one', () => {
    const seconds = (arm: string) =>
      workloads(blog.steps).find((each) => each.arm === arm)?.step.expectedSeconds ?? Number.NaN;
    expect(seconds('p1000-12000') / seconds('p1000-192000')).toBeCloseTo(16, 1);
  });

  test.each([
    // 9.6 million of each, by 384,000 creates of files and 19,200 of directories a second.
    ['files', 125],
    ['directories', 1250],
    ['both', 1375],
  ])('expects %s to take %d s', (operations, seconds) => {
    const own = workloads(plan({ plan: 'published', set: [`operations=${operations}`] }).steps);
    expect(own.find(({ arm }) => arm === 'p250-192000')?.step.expectedSeconds).toBe(seconds);
  });
});

describe('what is wrong with a plan of metadata', () => {
  test('more files than a directory should have', () => {
    expect(issue(plan({ plan: 'published', set: ['filesPerRank=100000'] }), 'files-per-directory')?.actual).toBe(
      '100,000',
    );
    const large = plan({ set: ['filesPerRank=150000', 'filesPerDirectory=200000'] });
    expect(issue(large, 'files-per-directory')?.actual).toBe('150,000');
    // 384,000 creates a second on the fastest arm, for 300 s, by 800 processes.
    const byRate = plan({ set: ['roundSeconds=300', 'filesPerDirectory=200000'] });
    expect(issue(byRate, 'files-per-directory')?.actual).toBe('144,000');
    expect(idsOf(plan())).not.toContain('files-per-directory');
  });

  test('iterations that mdtest 3.3.0 would crash over, and 4.0.0 would not', () => {
    const crashing = plan({ plan: 'published', set: ['iterations=132'] });
    expect(issue(crashing, 'mdtest-stack')).toMatchObject({
      severity: 'error',
      expected: 'at most 131 iterations with 800 ranks under a stack of 8 MiB',
    });
    expect(idsOf(plan({ plan: 'published', set: ['iterations=131'] }))).not.toContain('mdtest-stack');
    expect(idsOf(plan({ plan: 'published', set: ['iterations=132', 'iorVersion=4.0.0'] }))).not.toContain(
      'mdtest-stack',
    );
  });

  test('mdtest without a directory for each rank', () => {
    const blog = plan({ plan: 'published' });
    const shared = blog.steps.map((step) => ({
      ...step,
      tasks: step.tasks.map((task) =>
        task.action.kind === 'workload'
          ? { ...task, action: { ...task.action, command: task.action.command.filter((word) => word !== '-u') } }
          : task,
      ),
    }));
    const checked = { ...blog, environment: {} };
    const found = (steps: readonly Step[]) => planIssues({ ...checked, steps }, CHECKS).map(({ id }) => id);
    expect(found(shared)).toContain('mdtest-missing-unique-directory');
    expect(found(blog.steps)).not.toContain('mdtest-missing-unique-directory');
  });

  test('ranks that the metadata targets cannot share evenly', () => {
    expect(idsOf(plan())).not.toContain('uneven-spread');
    const uneven = plan({ fleet: { clients: 5, instanceType: 'c5.large', ranksPerClient: 2 } });
    expect(issue(uneven, 'uneven-spread')).toMatchObject({
      severity: 'warning',
      expected: 'a multiple of 16 ranks',
      where: 'p250-192000',
    });
  });

  test('phases that one-minute metrics cannot see, and more processes than CPUs', () => {
    expect(issue(plan({ set: ['seconds=60'] }), 'phase-too-short')?.suggestion).toBe('--set seconds=300');
    expect(idsOf(plan({ set: ['ranksPerClient=64'], environment: { clientCpus: 36 } }))).toContain(
      'oversubscribed-clients',
    );
  });

  test('arms one after the other are told, as a choice on a fleet and a need on one computer', () => {
    expect(idsOf(plan())).toContain('one-arm-at-a-time');
    const lab = plan({ scale: 'lab', fleet: { clients: 1, instanceType: null, ranksPerClient: 2 } });
    expect(idsOf(lab)).toEqual(expect.arrayContaining(['arms-take-turns']));
    expect(idsOf(lab)).not.toContain('one-arm-at-a-time');
  });

  test.each([
    ['fileBytes=-1', "'fileBytes' must be sizes in bytes from 0 to 1048576, separated by commas, each once, got '-1'"],
    ['fileBytes=0,4096,0', "separated by commas, each once, got '0,4096,0'"],
    ['operations=dirs', "'operations' must be one of files, directories, both, got 'dirs'"],
    [
      'phases=stat',
      "'phases' must be create, alone or with some of stat, read, remove, separated by commas, each once, got 'stat'",
    ],
    ['phases=create,open', "separated by commas, each once, got 'create,open'"],
    ['phases=create,create', "separated by commas, each once, got 'create,create'"],
    ['tool=ior', `'tool' must be ${FILES_WORKLOADS.map(({ id }) => id).join(' or ')}, got 'ior'`],
    [
      'compressibilities=1',
      "there is no parameter 'compressibilities'; allowed: repeats, seconds, fileBytes, operations, phases, tool, iorVersion, ranksPerClient, filesPerRank, roundSeconds, modelScale, filesPerDirectory, maxRounds, spread, simultaneous, smallestDifferencePercent, precision, stripeCount",
    ],
  ])('%s is refused in one line', (set, message) => {
    expect(() => plan({ set: [set] })).toThrow(message);
  });

  test('phases that are left out are no steps', () => {
    const kinds = new Set(
      plan({ set: ['phases=create,remove'] }).steps.flatMap(({ phase, tasks }) =>
        phase === 'measure' ? tasks.flatMap(({ action }) => ('operation' in action ? action.operation : [])) : [],
      ),
    );
    expect(kinds).toEqual(new Set(['create', 'remove']));
  });
});
