import { summarise } from '../../../lib/analysis/summary';
import { MOUNT_BENCHMARK } from '../../../lib/benchmark/registry';
import { makePlan } from '../../../lib/plan/plan';
import { renderMarkdown } from '../../../lib/report/markdown';
import { sideBySide } from '../../../lib/report/overview';
import { renderHtml } from '../../../lib/report/page';
import type { Plan } from '../../../lib/schema/plan';
import type { Manifest } from '../../../lib/schema/run';
import { lustreShorthand } from '../../../lib/storage/lustre/settings';
import type { RunRecord } from '../../../lib/store/record';
import { clientLoad, deployedArm, manifestOf, recordOf, samplesOfPlan } from '../../support/records';

const KNOWN = lustreShorthand.read('PERSISTENT_2:1000,12TiB,12000IOPS', {
  kind: 'lustre',
  deploymentType: 'PERSISTENT_2',
  storageType: 'SSD',
  dataCompressionType: 'NONE',
}).configuration;

function planOf(set: readonly string[] = [], configuration: Plan['arms'][number]['configuration'] = KNOWN): Plan {
  return makePlan({
    benchmark: MOUNT_BENCHMARK,
    plan: 'scaling',
    scale: 'lab',
    hourlyUsd: 0,
    set,
    arms: [{ name: 'fsx', description: 'Lustre', configuration }],
    fleet: { clients: 4, instanceType: 'c5n.18xlarge', ranksPerClient: 2 },
  });
}

const MINUTES = { startedAt: '2026-11-22T12:00:00.000Z', endedAt: '2026-11-22T12:05:00.000Z' };

type Rates = Readonly<Record<string, readonly [one: number, two: number, four: number]>>;
/** 24,000 creates and half as many removals a second are what 12,000 metadata IOPS promise. */
const RATES: Rates = {
  write: [5900, 11_700, 11_800],
  read: [2000, 4000, 8000],
  file_create: [12_000, 23_200, 24_000],
  file_stat: [80_000, 160_000, 320_000],
  file_remove: [5600, 6000, 6080],
};

/** Samples of a run that reached such rates with 1, 2 and 4 nodes: rounds of a phase on files have a slow one among them. */
function runOf(plan: Plan, rates: Rates = RATES, busy = 0.1): RunRecord {
  const samples = samplesOfPlan(plan.steps, ({ step, action, sample }) => {
    const nodes = step.plannedNodes ?? 0;
    const onData = step.compressibility === 1;
    const operation = onData ? action.operation : `file_${action.operation}`;
    const value = (rates[operation]?.[Math.log2(nodes)] ?? 0) * (1 + step.repeat / 1000);
    const ranks = 2 * nodes;
    const common = { operation, toolVersion: '3.3.0', clients: nodes, ranks, plannedRanks: ranks, nodes, ...MINUTES };
    const load = Array.from({ length: nodes }, (_, index) =>
      clientLoad({ client: `n${index}`, seconds: 300, processors: 72, busy, tool: busy, loadAverage: 1 }),
    );
    if (onData) return [sample({ ...common, value, load })];
    return [value, value / 10, value].map((rate, iteration) =>
      sample({ ...common, metric: 'rate', unit: 'op/s', value: rate, iteration, ...(iteration === 0 ? { load } : {}) }),
    );
  });
  const manifest = manifestOf({
    benchmark: plan.benchmark,
    region: 'us-east-1',
    arms: [
      deployedArm({ name: 'fsx', kind: plan.arms[0]?.configuration?.kind ?? '', fileSystemId: null, hourlyUsd: null }),
    ],
    fleet: {
      ...{ kind: 'local', hourlyUsd: null, image: null, clients: [], leader: null, instanceType: 'c5n.18xlarge' },
      machines: { asked: '--nodes 4', names: ['n1', 'n2', 'n3', 'n4'] },
    } as unknown as Manifest['fleet'],
  });
  return recordOf({ plan, samples, manifest });
}

test('each number of nodes moves data, then creates, looks up and removes files, in short rounds', () => {
  const { steps } = planOf(['repeats=1', 'nodes=1,4']);
  const measured = steps.filter(({ phase }) => phase === 'measure');
  expect(measured.map(({ plannedNodes, unit, tasks: [task] }) => [plannedNodes, unit, task?.action])).toEqual(
    [1, 4].flatMap((nodes) => [
      ...['write', 'read'].map((operation) => [
        ...[nodes, `r1-n${nodes}`],
        expect.objectContaining({ tool: 'ior', operation }),
      ]),
      ...['create', 'stat', 'remove'].map((operation) => [
        ...[nodes, `r1-n${nodes}-files`],
        expect.objectContaining({ tool: 'mdtest', operation, rounds: { seconds: 5, max: 5 } }),
      ]),
    ]),
  );
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
  expect(JSON.stringify(measured)).toContain(JSON.stringify('mdtest -F -v -C -u -n 500 -d {dirs}'.split(' ')));
});

test('one tool does all of it where it works on files, too; no files are created where none are asked for', () => {
  const toolsOf = (...set: string[]) =>
    new Set(
      planOf(set).steps.flatMap(({ tasks }) => tasks.flatMap(({ action }) => ('tool' in action ? action.tool : []))),
    );
  expect(toolsOf('tool=fio')).toEqual(new Set(['fio']));
  expect(toolsOf('filesPerRank=0')).toEqual(new Set(['ior']));
  expect(() => planOf(['filesPerRank=-1'])).toThrow(
    "'filesPerRank' must be a whole number from 0 to 1000000, got '-1'",
  );
});

test('one sentence says where data stop growing, one where files do, each with what limits them', () => {
  const report = renderMarkdown(summarise(runOf(planOf())));
  const [data, files, ...others] = report.split('\n').filter((line) => / times as fast as 1 node on /.test(line));
  expect(others).toEqual([]);
  expect(data).toMatch(
    /^4 nodes wrote 2\.00 \(2\.00–2\.00\) and read 4\.00 \(4\.00–4\.00\) times as fast as 1 node on \*\*fsx\*\*: efficiencies of 50 % and 100 %\. Writes stop growing at 2 nodes, and are limited by the disks; reads still grow at 4 nodes, at 66\.8 % of the lowest known limit \(the disks\)\.$/,
  );
  expect(files).toMatch(
    /^4 nodes created files 2\.00 \(2\.00–2\.00\), ran stat on files 4\.00 \(4\.00–4\.00\) and deleted files 1\.09 \(1\.09–1\.09\) times as fast as 1 node on \*\*fsx\*\*: efficiencies of 50 %, 100 % and 27\.1 %\. Creates stop growing at 2 nodes, and are limited by the metadata servers; stats still grow at 4 nodes; deletes stop growing at 1 node, at 50\.7 % of what the metadata servers sustain\.$/,
  );
});

test('operations that end alike are told together, and processors that are busy are named', () => {
  const flat: Rates = {
    ...RATES,
    file_create: [100, 101, 102],
    file_stat: [100, 101, 102],
    file_remove: [100, 101, 102],
  };
  const report = renderMarkdown(summarise(runOf(planOf(), flat, 0.95)));
  expect(report).toContain('Creates, stats and deletes stop growing at 1 node, and are limited by the clients’ CPUs.');
});

test('without a configuration growth alone is told', () => {
  const report = renderMarkdown(summarise(runOf(planOf([], { kind: 'directory' }))));
  expect(report).toContain(
    'Creates stop growing at 2 nodes; stats still grow at 4 nodes; deletes stop growing at 1 node.',
  );
});

test('the report has one picture for data and one for files, which draws what the metadata servers sustain', async () => {
  const run = summarise(runOf(planOf()));
  const page = await renderHtml(run);
  expect([...page.matchAll(/<svg[^>]* aria-labelledby="([a-z]+-\d+)-title/g)].map(([, id]) => id)).toEqual([
    'scaling-0',
    'scaling-1',
  ]);
  expect(page).toContain('Limit of creates, the metadata servers: 2.00.');
  expect(page).toContain('Dotted is what the metadata servers sustain.');
});

test('a sweep that was stopped says of each operation how many nodes its figure is of, and leaves none out', () => {
  const { samples, ...rest } = runOf(planOf());
  const stopped = samples.filter(({ operation, plannedNodes }) => operation !== 'read' || plannedNodes !== 4);
  const run = summarise({ ...rest, samples: stopped });
  const report = renderMarkdown(run);
  expect(report).toContain('4 nodes wrote 2.00');
  expect(report).toContain('2 nodes read 2.00');
  const heads = (sideBySide(run)?.rows ?? []).flatMap((row) => (row.length === 1 ? row : []));
  expect(heads).toEqual(expect.arrayContaining(['Write on 4 nodes, MB/s', 'Read on 2 nodes, MB/s']));
});

test('the figures at the top, and those of metadata, are those of the most nodes', () => {
  const run = summarise(runOf(planOf()));
  const heads = (sideBySide(run)?.rows ?? []).flatMap((row) => (row.length === 1 ? row : []));
  expect(heads).toEqual([
    ...['Write on 4 nodes, MB/s', 'Read on 4 nodes, MB/s'],
    ...['File create on 4 nodes, op/s', 'File stat on 4 nodes, op/s', 'File delete on 4 nodes, op/s'],
  ]);
  expect(run.metadata).toMatchObject({ nodes: 4 });
  expect(run.metadata?.rates.find(({ operation }) => operation === 'file_create')?.count).toBe(9);
  expect(renderMarkdown(run)).toContain('Figures are those of 4 nodes.');
});
