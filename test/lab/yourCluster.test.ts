import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { printedOn } from '../docs/commands';
import { openMpiVersion } from '../support/openMpi';
import { canSlurm, clusterForTests, measuredIn, NODES, QUICK, QUICK_WITH_FILES } from './cluster';
import type { Ended } from './support';

const PRINTED = printedOn('docs/your-cluster.md').filter((command) => command.startsWith('npx fsxbench '));

(canSlurm ? describe : describe.skip)("somebody's cluster, as an ordinary user of it", () => {
  const { home, fsx, environment, fsxbench, start, run, slurm, onNode, measuring, resultsOf, dataLeft } =
    clusterForTests();

  /** A command of the page as it is carried out here: on two nodes, in seconds. */
  const printed = (pattern: RegExp, ...set: string[]): Promise<Ended> => {
    const [found, ...others] = PRINTED.filter((command) => pattern.test(command));
    if (found === undefined || others.length > 0) throw new Error(`the page must print one command like ${pattern}`);
    const [own = '', program] = found.replace('npx fsxbench ', '').split(' -- ');
    const here = own
      .replace('/fsx', fsx)
      .replace('--nodes 16', `--nodes ${NODES}`)
      .replace(/--ranks \d+/, '--ranks 1')
      .split(' ');
    const there = own.startsWith('run') ? ['--results', join(home, 'results')] : [];
    const theirs = program
      ?.replace('--nodes=16', `--nodes=${NODES}`)
      .replace(/--ntasks=\d+/, '--ntasks=2')
      .split(' ');
    const argv = [...here, '--shared', home, ...there, ...set, ...(theirs === undefined ? [] : ['--', ...theirs])];
    return start([...fsxbench(), ...argv]).ended;
  };

  test('the page prints three commands first, and the first says what the second will find', async () => {
    expect(PRINTED.slice(0, 3).map((command) => command.split(' ')[2])).toEqual(['doctor', 'run', 'run']);
    const { status, output } = await printed(/ doctor /);
    expect(`${status}\n${output}`).toMatch(/^0\n/);
    for (const node of ['n1', 'n2']) expect(output).toMatch(new RegExp(`^${node} +\\S`, 'm'));
    expect(output).toContain(`ready for: npx fsxbench run --on ${fsx} --nodes 2`);
    expect(dataLeft()).toEqual([]);
  });

  test('one command asks for the nodes, measures from all of them, and leaves nothing', async () => {
    const ended = await printed(/ --as /, ...QUICK_WITH_FILES);
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    const { samples, plan, manifest, status } = resultsOf(ended);
    expect(status).toMatchObject({ state: 'done', failedSteps: [] });
    expect(plan.fleet).toMatchObject({ clients: NODES, ranksPerClient: 2 });
    expect(manifest.fleet).toMatchObject({ clients: [], machines: { asked: '--nodes 2', names: ['n1', 'n2'] } });
    expect(new Set(measuredIn(samples).map(({ clients }) => clients))).toEqual(new Set([NODES]));
    expect(new Set(measuredIn(samples).map(({ operation }) => operation))).toEqual(
      new Set(['write', 'read', 'file_create', 'file_stat', 'file_remove']),
    );
    expect(dataLeft()).toEqual([]);
  });

  test('within an allocation it takes its nodes, and no more than there are', async () => {
    const inJob = (...args: string[]) =>
      start([
        'salloc',
        '--nodes=2',
        ...fsxbench(),
        'run',
        '--on',
        fsx,
        '--results',
        join(home, 'results'),
        '--shared',
        home,
        ...args,
      ]);
    const more = await inJob('--nodes', '3', ...QUICK).ended;
    expect(more.output).toMatch(/'--nodes' must be at most the 2 of the allocation \d+ \(n\[1-2\]\), got 3/);
    const one = await inJob('--nodes', '1', ...QUICK).ended;
    expect(`${one.status}\n${one.output}`).toMatch(/^0\n/);
    expect(resultsOf(one).manifest.fleet.machines?.names).toEqual(['n1']);
  });

  test('what Slurm refuses is said in its own words, and starts nothing', async () => {
    const { status, output } = await run('--nodes', '2', '--slurm', '--partition=none', ...QUICK).ended;
    expect(status).toBe(1);
    expect(output).toContain('invalid partition specified: none');
    expect(dataLeft()).toEqual([]);
  });

  describe('of which one node has not mounted the file system, and has another MPI', () => {
    const [bare, programs] = [join(home, 'bare'), join(home, 'programs')];
    const doctor = (...args: string[]) =>
      start([...fsxbench(), 'doctor', '--nodes', '2', '--shared', home, ...args], {
        path: `${programs}:${environment().PATH}`,
      }).ended;
    beforeAll(() => {
      for (const folder of [bare, programs]) mkdirSync(folder);
      chmodSync(bare, 0o1777);
      onNode('n2', 'mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', bare);
      const mpirun = join(programs, 'mpirun');
      writeFileSync(
        mpirun,
        '#!/bin/sh\n[ "$(uname -n)" = n2 ] && exec echo "mpirun (Open MPI) 5.0.6"\nexec /usr/bin/mpirun "$@"\n',
      );
      chmodSync(mpirun, 0o755);
    });

    test('doctor says all of it, and that nothing would be measured', async () => {
      const { status, output } = await doctor('--on', bare);
      expect(`${status}\n${output}`).toMatch(/^1\n/);
      expect(output).toMatch(
        /^missing {2}n2: .* is another directory here \(tmpfs tmpfs\): mount the same file system/m,
      );
      expect(output).toMatch(
        new RegExp(
          `^limited {2}The clients differ in their MPI: .*${openMpiVersion()} on n1; .*5\\.0\\.6 on n2\\.$`,
          'm',
        ),
      );
      expect(output).toContain(`not ready for: npx fsxbench run --on ${bare} --nodes 2`);
    });

    test('doctor says that all is there, and what the nodes are, as one document too', async () => {
      const { status, output } = await doctor('--on', fsx, '--json');
      expect(`${status}\n${output}`).toMatch(/^0\n/);
      const { works, machines } = JSON.parse(output.slice(output.indexOf('\n{'), output.lastIndexOf('}') + 1));
      expect(works).toEqual({ 'run --on': true });
      const facts = (name: string, mpi: string) => ({
        name,
        problem: null,
        others: { share: expect.any(Number), names: expect.any(Array) },
        facts: expect.objectContaining({
          node: name,
          kernel: expect.any(String),
          cpus: expect.any(Number),
          tools: expect.objectContaining({ openmpi: `mpirun (Open MPI) ${mpi}`, node: process.version }),
          programs: expect.objectContaining({ fio: '/usr/bin/fio', mpirun: join(programs, 'mpirun') }),
        }),
      });
      expect(machines).toEqual([facts('n1', openMpiVersion()), facts('n2', '5.0.6')]);
    });

    test('a run refuses such a node by name, and measures nothing', async () => {
      const own = [...fsxbench(), 'run', '--on', bare, '--results', join(home, 'results'), '--shared', home];
      const { status, output } = await start([...own, '--nodes', '2', ...QUICK]).ended;
      expect(`${status}\n${output}`).toMatch(/^2\n/);
      expect(output).toContain(`not every client can measure ${bare}:`);
      expect(output).toMatch(/^ *n2: .* is another directory here \(tmpfs tmpfs\)/m);
      expect(readdirSync(bare)).toEqual([]);
    });
  });

  test('Ctrl-C ends it on all nodes, and resuming asks for nodes again and loses nothing', async () => {
    const long = run('--nodes', '2', ...QUICK, '--set', 'repeats=5');
    await measuring(long);
    process.kill(long.pid, 'SIGINT');
    const stopped = await long.ended;
    expect(stopped.output).toContain('interrupted');
    const before = resultsOf(stopped);
    expect(before.status.state).toBe('interrupted');
    // Next to a completing job: its nodes are released a moment after its end.
    expect(slurm('squeue', '--noheader', '--states=PENDING,RUNNING,SUSPENDED,CONFIGURING')).toBe('');
    expect(dataLeft()).toEqual([]);
    const again = await start([
      ...fsxbench(),
      'run',
      '--resume',
      basename(before.folder),
      '--results',
      join(home, 'results'),
    ]).ended;
    expect(`${again.status}\n${again.output}`).toMatch(/^0\n/);
    const after = resultsOf(again);
    expect(after.status).toMatchObject({ state: 'done', failedSteps: [] });
    expect(after.samples.slice(0, before.samples.length)).toEqual(before.samples);
    expect(dataLeft()).toEqual([]);
  });

  test("the user's own program is started by srun on all nodes", async () => {
    writeFileSync(join(home, 'app'), '#!/bin/sh\ntouch "$1/$(uname -n)"\n');
    chmodSync(join(home, 'app'), 0o755);
    const ended = await printed(/ -- /, '--set', 'repeats=2');
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    const { samples } = resultsOf(ended);
    expect(measuredIn(samples).filter(({ metric }) => metric === 'seconds')).toHaveLength(2);
  });

  test('a sweep tells how the rate grows with the nodes, and its report draws it', async () => {
    const set = [
      'repeats=2',
      'seconds=1',
      'maxMiBPerNode=32',
      'ranksPerClient=1',
      'reads=false',
      'filesPerRank=50',
    ].flatMap((text) => ['--set', text]);
    const ended = await printed(/ --plan scaling/, ...set);
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    const { samples, folder } = resultsOf(ended);
    expect(new Set(measuredIn(samples).map(({ plannedNodes, clients }) => `${plannedNodes} of ${clients}`))).toEqual(
      new Set(['1 of 1', '2 of 2']),
    );
    const report = await start([
      ...fsxbench(),
      'report',
      basename(folder),
      '--results',
      join(home, 'results'),
      '--markdown',
    ]).ended;
    expect(report.output).toMatch(
      /2 nodes wrote [\d.,]+ (?:\([\d.,–]+\) )?times as fast as 1 node on \S+: an efficiency of .* %\. It (still grows|stops growing) at [12] nodes?\./,
    );
    expect(report.output).toMatch(
      /2 nodes created files .*, ran stat on files .* and deleted files .* times as fast as 1 node on \S+: efficiencies of .* %\. /,
    );
    expect(report.output).toContain('- Clients: n1, n2');
    expect(report.output).toContain('npx fsxbench run --on DIRECTORY --nodes 2 --plan scaling --set nodes=1,2 ');
  });
});
