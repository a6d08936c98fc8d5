import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadataBench } from '../../lib/benchmark/metadata';
import { makePlan } from '../../lib/plan/plan';
import type { Invocation } from '../../lib/run/clients/process';
import { type Behaviour, lustreClients, memoryFolder } from './bench';
import { driveWith as driveIn } from './driver/driveWith';

/** Output of mdtest 3.3.0 with -v for one operation on 4 ranks × 25 files at this rate. */
function mdtestOutput(label: string, rate: number): string {
  const labels = label.startsWith('File')
    ? ['File creation', 'File stat', 'File read', 'File removal']
    : ['Directory creation', 'Directory stat', 'Directory removal'];
  const of = (name: string): number => (name === label ? rate : 0);
  const phases = labels.map(
    (name) =>
      `V-1: Rank   0 Line  1223   ${name.padEnd(18)}:      ${(of(name) ? 100 / rate : 0).toFixed(3)} sec,  ${of(name).toFixed(3)} ops/sec`,
  );
  const row = (name: string): string => `   ${name.padEnd(26)}: ${Array(4).fill(of(name).toFixed(3)).join('  ')}`;
  return `-- started at 11/21/2026 09:00:00 --

mdtest-3.3.0 was launched with 4 total task(s) on 1 node(s)
Command line used: mdtest '-F' '-v'
Path: /d
4 tasks, 100 ${label.startsWith('File') ? 'files' : 'directories'}
V-1: Rank   0 Line  1651 main: * iteration 1 *
${phases.join('\n')}

SUMMARY rate: (of 1 iterations)
   Operation                      Max            Min           Mean        Std Dev
   ---------                      ---            ---           ----        -------
${[...labels, 'Tree creation', 'Tree removal'].map(row).join('\n')}

-- finished at 11/21/2026 09:00:01 --
`;
}

const LABELS = { '-C': 'File creation', '-T': 'File stat', '-E': 'File read', '-r': 'File removal' } as const;
const wordsOf = ({ argv }: Invocation): string => argv.join(' ');

/** A machine whose mdtest does 100 files in so many seconds, on a Lustre with two metadata targets. */
function machine(seconds: Partial<Record<keyof typeof LABELS, number>> = {}): Behaviour {
  return (invocation) => {
    const words = wordsOf(invocation);
    if (/mdtest -[FD]/.test(words)) {
      const only = (Object.keys(LABELS) as (keyof typeof LABELS)[]).find((option) => words.includes(` ${option} -u`));
      const label = only && (words.includes('mdtest -F') ? LABELS[only] : LABELS[only].replace('File', 'Directory'));
      return only && label ? { output: mdtestOutput(label, 100 / (seconds[only] ?? 1)) } : {};
    }
    if (words.startsWith('lfs df'))
      return {
        output:
          'fsx-MDT0000_UUID 1 1 1 1% /fsx[MDT:0]\nfsx-MDT0001_UUID 1 1 1 1% /fsx[MDT:1]\n\nfilesystem_summary: 9 1 8 1% /fsx\n',
      };
    if (words.startsWith('lfs getdirstripe')) return { output: `${words.endsWith('mdt1') ? 1 : 0}\n` };
    if (words.startsWith('find')) return { output: '0\n1\n0\n1\n' };
    return {};
  };
}

async function driveWith(
  behaviour: Behaviour,
  {
    set = [] as string[],
    folder = memoryFolder(),
    abort = new AbortController(),
    data = false,
    left = [] as string[],
  } = {},
) {
  const plan = makePlan({
    benchmark: metadataBench,
    plan: 'paired',
    scale: 'published',
    arms: [{ name: 'slow', description: 'slow' }],
    fleet: { clients: 2, instanceType: 'c5.large', ranksPerClient: 2 },
    set: ['repeats=1', 'seconds=3', 'filesPerRank=25', 'maxRounds=5', ...set],
    hourlyUsd: 0,
  });
  const { status, samples, commands } = await driveIn(behaviour, {
    plan,
    clients: lustreClients(2),
    folder,
    abort,
    dataPresent: () => data,
    list: (directory) => (directory.endsWith('test-run') ? left : ['mdt1', 'mdt0', 'other']),
    pause: async () => {},
  });
  const lines = commands.map((argv) => argv.join(' '));
  return { status, lines, samples, folder, mdtests: lines.filter((line) => line.includes('mdtest -F')) };
}

const rates = ({ samples }: Awaited<ReturnType<typeof driveWith>>, operation: string) =>
  samples.filter((sample) => sample.operation === operation && sample.metric === 'rate');
const roundsOf = (lines: readonly string[], option: string): string[] =>
  lines.filter((line) => line.includes(` ${option} -u`)).map((line) => /round\d+/.exec(line)?.[0] ?? 'none');

describe('a unit of metadata', () => {
  let result: Awaited<ReturnType<typeof driveWith>>;
  beforeAll(async () => {
    result = await driveWith(machine(), { set: ['stripeCount=1'] });
  });

  test('ends done, with every operation', () => {
    expect(result.status).toMatchObject({ state: 'done', failedSteps: [] });
    for (const operation of ['file_create', 'file_stat', 'file_read', 'file_remove']) {
      const [first] = rates(result, operation);
      expect(first).toMatchObject({
        value: 100,
        unit: 'op/s',
        iteration: 0,
        fileBytes: 0,
        tool: 'mdtest',
        toolVersion: '3.3.0',
      });
    }
  });

  test('creates rounds until it has taken as long as asked for, each in directories of its own', () => {
    expect(roundsOf(result.mdtests, '-C')).toEqual(['round1', 'round2', 'round3']);
    expect(result.mdtests[0]).toMatch(/-d mdt0\/round1@mdt1\/round1$/);
  });

  test('looks at and removes the rounds that were created, no others', () => {
    for (const option of ['-T', '-E', '-r'])
      expect(roundsOf(result.mdtests, option)).toEqual(['round1', 'round2', 'round3']);
  });

  test('lays its directory out as set, makes one on each metadata target, keeps its subdirectories there, and reads it back', () => {
    const directory = '/fsx/slow/fsxbench/test-run/r1-s0';
    const made = result.lines.slice(result.lines.indexOf(`mkdir -p ${directory}`));
    expect(made.slice(0, 8)).toEqual([
      `mkdir -p ${directory}`,
      `lfs setstripe -c 1 ${directory}`,
      `chown fsxbench ${directory}`,
      'lfs df /fsx/slow',
      `lfs mkdir -i 0 -c 1 ${directory}/mdt0`,
      `lfs setdirstripe -D -i 0 -c 1 --max-inherit -1 ${directory}/mdt0`,
      `chown fsxbench ${directory}/mdt0`,
      `lfs getdirstripe -m ${directory}/mdt0`,
    ]);
  });

  test('counts where the ranks’ directories really are', () => {
    const found = result.samples.filter(({ operation }) => operation === 'directories');
    expect(found.map(({ metric, value }) => [metric, value])).toEqual([
      ['MDT0000', 2],
      ['MDT0001', 2],
      ['evenness', 1],
    ]);
  });

  test('drops the caches of all clients between the operations', () => {
    const order = result.lines
      .filter((line) => line.includes('drop-caches') || line.includes('mdtest -F'))
      .map((line) => /mdtest -F -v (-\w)/.exec(line)?.[1] ?? 'drop');
    expect(order.join(' ').replace(/(-\w)( \1)+/g, '$1')).toBe('-C drop drop -T drop drop -E drop drop -r');
  });

  test('keeps each round’s output', () => {
    const { raw } = rates(result, 'file_create')[0] ?? {};
    expect(readFileSync(join(result.folder, `${raw}.round3.out`), 'utf8')).toContain('mdtest-3.3.0 was launched');
  });
});

test('operations on directories are samples of their own, in a unit of their own', async () => {
  const { status, samples, lines } = await driveWith(machine(), { set: ['operations=both'] });
  expect(status.state).toBe('done');
  const found = samples.filter(({ metric, operation }) => metric === 'rate' && operation.startsWith('dir_'));
  expect(new Set(found.map(({ operation }) => operation))).toEqual(new Set(['dir_create', 'dir_stat', 'dir_remove']));
  expect(found.every((one) => one.value === 100 && !('fileBytes' in one) && one.pattern === 'directories')).toBe(true);
  expect(lines).toContain('mkdir -p /fsx/slow/fsxbench/test-run/r1-dirs');
  // The same targets as those of files, verified.
  expect(lines).toContain('lfs getdirstripe -m /fsx/slow/fsxbench/test-run/r1-dirs/mdt1');
});

test('stat goes over the same files again, with caches dropped, until it has taken as long as asked for', async () => {
  const { mdtests, lines, samples } = await driveWith(machine({ '-C': 3, '-T': 1 }));
  expect(roundsOf(mdtests, '-C')).toEqual(['round1']);
  expect(roundsOf(mdtests, '-T')).toEqual(['round1', 'round1', 'round1']);
  const stats = lines.filter((line) => line.includes('drop-caches') || line.includes('-T -u'));
  const first = stats.findIndex((line) => line.includes('-T -u'));
  expect(stats.slice(first, first + 4).map((line) => (line.includes('drop') ? 'drop' : 'stat'))).toEqual([
    'stat',
    'drop',
    'drop',
    'stat',
  ]);
  const iterations = samples.filter((each) => each.operation === 'file_stat' && each.metric === 'rate');
  expect(iterations.map(({ iteration }) => iteration)).toEqual([0, 1, 2]);
});

test('a phase that ends at the most rounds is called short', async () => {
  const result = await driveWith(machine(), { set: ['seconds=300', 'maxRounds=2'] });
  expect(rates(result, 'file_create').map(({ cautions }) => cautions)).toEqual([
    ['phase_too_short'],
    ['phase_too_short'],
  ]);
});

test('a directory that is not where it was asked for fails the unit: lfs mkdir can succeed without doing it', async () => {
  const result = await driveWith((invocation) =>
    wordsOf(invocation).startsWith('lfs getdirstripe') ? { output: '0\n' } : machine()(invocation),
  );
  expect(result.status.state).toBe('failed');
  expect(result.mdtests).toEqual([]);
  expect(rates(result, 'file_create')[0]).toMatchObject({
    value: null,
    reason: 'skipped, since r1-s0-directory-slow failed on slow',
  });
  const [task] = result.samples.filter(({ step, value }) => step === 'r1-s0-directory-slow' && value === null);
  expect(task?.reason).toBe('mdt1: the directory is on metadata target 0');
});

test('a round that fails ends the operation, keeps the rounds before it, and skips the rest', async () => {
  let creations = 0;
  const result = await driveWith((invocation) => {
    if (wordsOf(invocation).includes('-C -u') && ++creations === 2)
      return { output: 'mdtest ERROR: open64() failed, No space left on device\n', exitStatus: 1 };
    return machine()(invocation);
  });
  expect(rates(result, 'file_create').map(({ value }) => value)).toEqual([100, null]);
  expect(rates(result, 'file_create')[1]?.reason).toContain('no_space');
  expect(rates(result, 'file_stat')[0]?.reason).toBe('skipped, since r1-s0-create-slow failed on slow');
});

describe('an interruption of a unit of metadata', () => {
  async function interruptAt(option: string, folder: string) {
    const abort = new AbortController();
    return driveWith(
      (invocation) => {
        if (wordsOf(invocation).includes(`${option} -u`)) {
          abort.abort();
          return { exitStatus: 143 };
        }
        return machine()(invocation);
      },
      { folder, abort },
    );
  }

  test.each(['-T', '-E'])('in %s goes on with the files that are there', async (option) => {
    const folder = memoryFolder();
    await interruptAt(option, folder);
    const { status, mdtests, lines } = await driveWith(machine(), { folder, data: true, left: ['r1-s0'] });
    expect(status.state).toBe('done');
    expect(roundsOf(mdtests, '-C')).toEqual([]);
    expect(roundsOf(mdtests, option)).toEqual(['round1', 'round2', 'round3']);
    expect(lines.findIndex((line) => line.includes('drop-caches'))).toBeLessThan(lines.indexOf(mdtests[0] ?? ''));
  });

  test.each(['-C', '-r'])('in %s begins anew beside what is left, and removes both', async (option) => {
    const folder = memoryFolder();
    await interruptAt(option, folder);
    const { status, mdtests, lines } = await driveWith(machine(), {
      folder,
      data: true,
      left: ['r1-s0', 'r1-s0.left-1'],
    });
    expect(status.state).toBe('done');
    expect(roundsOf(mdtests, '-C')).toEqual(['round1', 'round2', 'round3']);
    const directory = '/fsx/slow/fsxbench/test-run/r1-s0';
    expect(lines).toContain(`mv -T ${directory} ${directory}.left-2`);
    const below = 'fsxbench/test-run/r1-s0';
    expect(lines.find((line) => line.includes('/remove-below '))).toMatch(
      new RegExp(`/bin/remove-below /fsx/slow ${below} ${below}\\.left-1$`),
    );
  });
});

test('the published run of 4.0.0 gives the statistics over iterations, since it prints no rate of one', async () => {
  const output = readFileSync(join(__dirname, '../fixtures/tools/md400_aws_4r.out'), 'utf8');
  const plan = makePlan({
    benchmark: metadataBench,
    plan: 'published',
    scale: 'smoke',
    arms: [{ name: 'slow', description: 'slow' }],
    fleet: { clients: 2, instanceType: null, ranksPerClient: 2 },
    hourlyUsd: 0,
  });
  const { samples } = await driveIn(
    (invocation) => (wordsOf(invocation).includes('mdtest -F') ? { output } : machine()(invocation)),
    { plan, clients: lustreClients(2), list: () => [], pause: async () => {} },
  );
  const found = samples.filter(({ operation, metric }) => operation === 'file_create' && metric.startsWith('rate'));
  expect(found.map(({ metric }) => metric)).toEqual(['rate', 'rate_max', 'rate_min']);
  expect(found.every(({ value, iteration }) => (value ?? 0) > 0 && iteration === null)).toBe(true);
  // The clients were set up with 3.3.0, and what ran was another.
  expect([...new Set(found.map(({ toolVersion }) => toolVersion))]).toEqual(['4.0.0']);
  // The plan starts four ranks on two clients; mdtest says itself that they were four on one node.
  expect(found.map(({ ranks, plannedRanks, nodes, clients }) => [ranks, plannedRanks, nodes, clients])).toEqual(
    Array(3).fill([4, 4, 1, 2]),
  );
});
