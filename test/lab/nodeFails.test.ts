import { basename, join } from 'node:path';
import { canSlurm, clusterForTests, measuredIn, NODES, QUICK } from './cluster';

(canSlurm ? describe : describe.skip)('a cluster whose node dies in the middle of a run', () => {
  const cluster = clusterForTests();
  const { home, fsxbench, start, run, slurm, endNode, startNode, showProject, measuring, resultsOf, dataLeft } =
    cluster;
  const results = ['--results', join(home, 'results')];
  const started = (id: string): string => `run ${id} in ${join(home, 'results/runs/MountBench', id)}\n`;
  const LONG = [...QUICK, '--set', 'repeats=4'];

  test('the command ends, says how to go on, and leaves nothing; the run that is resumed loses nothing', async () => {
    const long = run('--nodes', '2', ...LONG, '--slurm', '--partition=main --time=10');
    await measuring(long);
    endNode('n2');
    const stopped = await long.ended;
    await startNode('n2');
    expect(`${stopped.status}\n${stopped.output}`).toMatch(/^1\n/);
    expect(stopped.output).toMatch(/Node failure on n2/);
    const before = resultsOf(stopped);
    expect(stopped.output).toContain(`npx fsxbench run MountBench --resume ${basename(before.folder)}`);
    expect(dataLeft()).toEqual([]);
    const again = await start([...fsxbench(), 'run', '--resume', basename(before.folder), ...results]).ended;
    expect(`${again.status}\n${again.output}`).toMatch(/^0\n/);
    const after = resultsOf(again);
    expect(after.status).toMatchObject({ state: 'done', failedSteps: [] });
    expect(after.samples.slice(0, before.samples.length)).toEqual(before.samples);
    expect(dataLeft()).toEqual([]);
  });

  test('a detached run is a job that goes on after its user has logged out, and after a node has died', async () => {
    for (const node of ['n1', 'n2']) showProject(node);
    const submitted = await run('--nodes', '2', ...LONG, '--detach').ended;
    expect(`${submitted.status}\n${submitted.output}`).toMatch(/^0\n/);
    const [, id = '', job = ''] = /^(\S+) is job (\d+): it keeps running/m.exec(submitted.output) ?? [];
    expect(slurm('squeue', '--noheader', '--format=%i')).toBe(`${job}\n`);
    expect(submitted.output).toContain(`npx fsxbench watch ${id}`);
    const watch = start([...fsxbench(), 'watch', id, ...results]);
    await measuring({ ...watch, said: () => `${started(id)}${watch.said()}` });
    endNode('n2');
    await startNode('n2');
    showProject('n2');
    const watched = await watch.ended;
    expect(`${watched.status}\n${watched.output}`).toMatch(/^0\n/);
    // The queue is asked every few seconds; the second session shows that the job was put back into it.
    expect(watched.output).toMatch(new RegExp(`the job ${job} (waits|is)`));
    const { samples, status, plan } = resultsOf({ output: started(id) });
    expect(status).toMatchObject({ state: 'done', failedSteps: [] });
    expect(status.sessions).toHaveLength(2);
    expect(new Set(measuredIn(samples).map(({ clients }) => clients))).toEqual(new Set([NODES]));
    const measured = plan.steps.filter(({ phase }) => phase === 'measure').map(({ id: step }) => step);
    expect(new Set(measuredIn(samples).map(({ step }) => step))).toEqual(new Set(measured));
    expect(dataLeft()).toEqual([]);
  });

  test('a detached run that its user cancels ends cleanly and leaves nothing', async () => {
    const submitted = await run('--nodes', '2', ...LONG, '--detach', '--json').ended;
    const { run: id, job } = JSON.parse(submitted.output) as { run: string; job: string };
    const watch = start([...fsxbench(), 'watch', id, ...results]);
    await measuring({ ...watch, said: () => `${started(id)}${watch.said()}` });
    slurm('scancel', job);
    const watched = await watch.ended;
    expect(`${watched.status}\n${watched.output}`).toMatch(/^1\n/);
    expect(watched.output).toMatch(new RegExp(`${id} interrupted: .* steps to do; resume it with .* --resume ${id}`));
    expect(dataLeft()).toEqual([]);
  });
});
