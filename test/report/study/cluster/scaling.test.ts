import { summarise } from '../../../../lib/analysis/summary';
import { clusterBench } from '../../../../lib/benchmark/cluster';
import { makePlan } from '../../../../lib/plan/plan';
import { answers } from '../../../../lib/report/answers';
import { renderMarkdown } from '../../../../lib/report/markdown';
import { renderHtml } from '../../../../lib/report/page';
import { plainText } from '../../../../lib/report/shown';
import { endOfGrowth, scalingOf } from '../../../../lib/report/study/cluster';
import type { ScaleModel, ThrottledFigure } from '../../../../lib/schema/model';
import type { Plan } from '../../../../lib/schema/plan';
import type { Manifest } from '../../../../lib/schema/run';
import type { RunRecord } from '../../../../lib/store/record';
import { recordOf, samplesOfPlan } from '../../../support/records';
import { modelledRun } from '../../modelledRun';

const CLIENTS = 4;

function planOf(set: readonly string[], plan = 'scaling'): Plan {
  const arms = [{ name: 'scratch', description: 'SCRATCH_2' }];
  const fleet = { clients: CLIENTS, instanceType: null, ranksPerClient: 2 };
  return makePlan({ benchmark: clusterBench, plan, scale: 'lab', arms, fleet, set, hourlyUsd: 0 });
}

/** A run in which nodes reach the rates of a function, in every repeat by another factor; `null` for a missing value. */
function runOf(
  plan: Plan,
  reached: (nodes: number) => number | null,
  clientsOf = (nodes: number): number => nodes,
): RunRecord {
  const samples = samplesOfPlan(plan.steps, ({ step, sample }) => {
    const nodes = step.plannedNodes as number;
    const rate = reached(nodes);
    const value = rate === null ? { value: null, reason: 'no space' } : { value: rate * (1 + step.repeat / 100) };
    const counted = { clients: clientsOf(nodes), ranks: nodes * 2, plannedRanks: nodes * 2, nodes };
    return [sample({ toolVersion: '3.3.0', ...counted, ...value })];
  });
  return recordOf({ plan, samples });
}

const RATES: Readonly<Record<number, number>> = { 1: 100, 2: 190, 4: 200 };

test('more nodes than the fleet has, or the same number twice, are refused with what is allowed', () => {
  expect(() => planOf(['nodes=1,8'])).toThrow("'nodes' must be at most the 4 clients of the fleet, got 8");
  expect(() => planOf(['nodes=2,2'])).toThrow(/whole numbers of nodes from 1 to 1000, separated by commas, each once/);
});

test('every number of nodes does the same on the first of them, and the order turns with each repeat', () => {
  const measured = planOf(['repeats=2']).steps.filter(({ phase }) => phase === 'measure');
  expect(measured.map(({ repeat, plannedNodes, tasks }) => [repeat, plannedNodes, tasks[0]?.group])).toEqual([
    [1, 1, 'first1'],
    [1, 2, 'first2'],
    [1, 4, 'first4'],
    [2, 4, 'first4'],
    [2, 2, 'first2'],
    [2, 1, 'first1'],
  ]);
  expect(new Set(measured.map(({ tasks }) => JSON.stringify(tasks[0]?.action))).size).toBe(1);
});

test('speed-up and efficiency are those of the repeats, with intervals', () => {
  const [scaling, ...others] = scalingOf(summarise(runOf(planOf([]), (nodes) => RATES[nodes] ?? null)));
  expect(others).toEqual([]);
  const figures = scaling?.points.map(({ nodes, speedUp, efficiency }) => [nodes, speedUp?.value, efficiency?.value]);
  expect(figures).toEqual([
    [1, expect.closeTo(1, 6), expect.closeTo(1, 6)],
    [2, expect.closeTo(1.9, 6), expect.closeTo(0.95, 6)],
    [4, expect.closeTo(2, 6), expect.closeTo(0.5, 6)],
  ]);
  expect(scaling?.points[2]?.speedUp?.interval).toMatchObject({
    low: expect.closeTo(2, 6),
    high: expect.closeTo(2, 6),
  });
  expect(scaling?.points.map(({ interval }) => interval !== null)).toEqual([true, true, true]);
});

test('nodes without a value have none made up for them, and say why', () => {
  const run = summarise(runOf(planOf([]), (nodes) => (nodes === 2 ? null : (RATES[nodes] ?? null))));
  const point = scalingOf(run)[0]?.points[1];
  expect(point).toMatchObject({ nodes: 2, mean: null, speedUp: null, efficiency: null, reasons: ['no space'] });
  expect(renderMarkdown(run)).toContain('no space');
});

test('the report begins with the speed-up of the most nodes, and draws it', async () => {
  const run = summarise(runOf(planOf([]), (nodes) => RATES[nodes] ?? null));
  expect(renderMarkdown(run)).toMatch(
    /4 nodes wrote 2\S* \(2\S*–2\S*\) times as fast as 1 node on \S+: an efficiency of 50\S* %/,
  );
  const page = await renderHtml(run);
  expect(page).toContain('id="scaling-0-title"');
  expect(page).toContain('write on scratch: speed-up by nodes');
});

test('what limited the nodes is said once for all that it limited', () => {
  const { manifest } = modelledRun(1000);
  const held = { client_write: 102, disk_write: 205, network_write: 1000 };
  const arms = manifest?.arms
    .slice(0, 1)
    .map(({ model, ...arm }) => ({
      ...arm,
      name: 'scratch',
      model: {
        ...(model as ScaleModel),
        held: Object.entries(held).map(([name, MBps]) => ({
          name: name as ThrottledFigure['name'],
          documentedMBps: MBps * 100,
          setMBps: MBps,
          measuredMBps: MBps,
          source: 'EC2',
        })),
      },
    }));
  const run = { ...runOf(planOf([]), (nodes) => RATES[nodes] ?? null), manifest: { ...manifest, arms } as Manifest };
  const [{ sentences } = { sentences: [] }] = answers(summarise(run));
  expect(sentences.map(plainText)).toEqual([
    'scratch wrote on 1 node, on 2 nodes at 95–100 % of what the clients’ network cards sustain; wrote on 4 nodes at 100 % of what the disks sustain.',
  ]);
  // 190 of 200 MB/s.
  expect(renderMarkdown(summarise(run))).toMatch(
    /an efficiency of 50\S* %\. It stops growing at 2 nodes, and is limited by the disks\./,
  );
});

test('a rate that no number of nodes has exhausted still grows, and a plateau begins with the fewest nodes that come to 90 % of it', () => {
  const endWith = (rates: Readonly<Record<number, number>>) =>
    scalingOf(summarise(runOf(planOf([]), (nodes) => rates[nodes] ?? null))).map(endOfGrowth);
  expect(endWith({ 1: 100, 2: 200, 4: 400 })).toEqual([null]);
  expect(endWith({ 1: 100, 2: 179, 4: 200 })).toEqual([null]);
  expect(endWith({ 1: 100, 2: 180, 4: 200 })).toEqual([{ nodes: 2, share: expect.closeTo(0.9, 6) }]);
  expect(endWith({ 1: 100, 2: 90, 4: 80 })).toEqual([{ nodes: 1, share: 1 }]);
});

test('where no limit is known, the growth alone is told', () => {
  const run = runOf(planOf([]), (nodes) => RATES[nodes] ?? null);
  expect(renderMarkdown(summarise(run))).toMatch(/an efficiency of 50\S* %\. It stops growing at 2 nodes\.$/m);
});

test('a part of the fleet is no missing client; a client that is missing in that part is', () => {
  const issuesOf = (clientsOf?: (nodes: number) => number): string[] =>
    summarise(runOf(planOf([]), (nodes) => RATES[nodes] ?? null, clientsOf)).analysis.issues.map(({ id }) => id);
  expect(issuesOf()).not.toContain('missing-ranks');
  expect(issuesOf((nodes) => Math.min(nodes, 3))).toContain('missing-ranks');
});

test('the study’s command is run as it was printed, and its figures are held against the nodes that they are of', () => {
  const plan = planOf(['nodes=2,4'], 'published');
  const measured = plan.steps.filter(({ phase }) => phase === 'measure').flatMap(({ tasks }) => tasks);
  for (const { action } of measured)
    expect(action).toMatchObject({ command: [...'ior -t 1m -b 16m -s 4 -F -C -e -o {dir}/testFile'.split(' ')] });
  const { verdicts } = summarise(runOf(plan, () => 1632.01 * 1.048576)).analysis;
  const of = (id: string) => verdicts.find(({ claim }) => claim.id === id);
  expect(of('dask.ior.2nodes.write')?.because).not.toContain('number of clients');
  expect(of('dask.ior.8nodes.write')?.because).toContain('number of clients');
});
