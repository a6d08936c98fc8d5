import { join } from 'node:path';
import { summarise } from '../../../../lib/analysis/summary';
import { clusterBench } from '../../../../lib/benchmark/cluster';
import { parseFile } from '../../../../lib/parse';
import { makePlan } from '../../../../lib/plan/plan';
import { renderMarkdown } from '../../../../lib/report/markdown';
import { renderHtml } from '../../../../lib/report/page';
import { scalingOf } from '../../../../lib/report/study/cluster';
import { temperaturesOf } from '../../../../lib/report/study/cluster/temperatureSection';
import type { ParsedSample } from '../../../../lib/schema/parse';
import type { Plan } from '../../../../lib/schema/plan';
import type { RunRecord } from '../../../../lib/store/record';
import { FIXTURES } from '../../../parse/corpus';
import { recordOf, samplesOfPlan } from '../../../support/records';

const ARMS = [{ name: 'scratch', description: 'SCRATCH_2' }];
const FLEET = { clients: 4, instanceType: null, ranksPerClient: 2 };

function planOf(plan: string, set: readonly string[] = [], surroundings = {}): Plan {
  return makePlan({
    benchmark: clusterBench,
    plan,
    scale: 'lab',
    arms: ARMS,
    fleet: FLEET,
    set,
    hourlyUsd: 0,
    environment: surroundings,
  });
}

/** The analysis that was recorded, of data with 0.2 K per decade, in so many seconds. */
const RECORDED = parseFile(join(FIXTURES, 'dask_local.out'), 'dask').samples;

function runOf(
  plan: Plan,
  change: (sample: ParsedSample, step: Plan['steps'][number]) => Partial<ParsedSample>,
): RunRecord {
  const samples = samplesOfPlan(plan.steps, ({ step, sample }) =>
    RECORDED.map(({ test: _, ...one }) =>
      sample({
        ...{ compressibility: null, toolVersion: '2026.8.0', clients: 4, plannedRanks: 4, arm: 'scratch' },
        ...{ group: 'all', ...one, ...change({ test: null, ...one }, step) },
      }),
    ),
  );
  return recordOf({ plan, samples });
}

const timed: Parameters<typeof runOf>[1] = ({ metric }, { plannedNodes = 1, repeat }) =>
  metric === 'seconds' ? { value: (120 + repeat) / plannedNodes } : {};
const DATA = ['trend=0.2', 'nodes=1,4', 'repeats=2'];

test.each([
  [['nodes=8'], "'nodes' must be at most the 4 clients of the fleet, got 8"],
  [['trend=warm'], "'trend' must be a number of kelvin per decade from -5 to 5, got 'warm'"],
  [['source=era5'], "'source' must be an absolute path with the files of ERA5"],
])('%j is refused with what is allowed', (set, message) => {
  expect(() => planOf('temperature', set)).toThrow(message);
});

test('all analyses read what was generated once, each after caches were dropped, and every second repeat begins with the most nodes', () => {
  const { steps } = planOf('temperature', DATA);
  expect(steps.map(({ id }) => id)).toEqual([
    ...['setup-capacity', 'temperature-directory-scratch', 'temperature-generate-scratch'],
    ...['r1-n1', 'r1-n4', 'r2-n4', 'r2-n1'].flatMap((id) => [
      `temperature-${id}-drop-caches-scratch`,
      `temperature-${id}-analyse-scratch`,
    ]),
    ...['temperature-remove-scratch', 'conclude-capacity'],
  ]);
  const commands = steps.flatMap(({ tasks: [task] }) =>
    task?.action.kind === 'workload' ? [task.action.command] : [],
  );
  expect(commands[0]?.join(' ')).toMatch(/sst-analysis make .*--years 10 .*--trend 0.2 --seed 1 --processes 1$/);
  expect(commands[2]?.join(' ')).toMatch(/sst-analysis analyse --data \{dir\}\/netcdf --nodes 4 --workers-per-node 1 /);
});

test('what is generated takes as long as its bytes take the processes of one node', () => {
  const secondsOf = (...set: string[]) =>
    planOf('temperature', [...DATA, ...set]).steps.find(({ id }) => id.includes('generate'))?.expectedSeconds;
  // 10 years of 46 × 90 cells, four times a day, in 4 bytes: 242 MB.
  expect(secondsOf('latitudes=46', 'longitudes=90', 'stepsPerDay=4')).toBe(5);
  expect(secondsOf('latitudes=721', 'longitudes=1440', 'stepsPerDay=24', 'workersPerNode=36')).toBe(203);
});

test('files of one’s own are read in place, and nothing is generated', () => {
  const { steps } = planOf('temperature', ['source=/fsx/scratch/data', 'partition=compute']);
  expect(steps.some(({ id }) => id.includes('generate'))).toBe(false);
  const analyse = steps.find(({ phase }) => phase === 'measure')?.tasks[0]?.action;
  expect(analyse?.kind === 'workload' && analyse.command.join(' ')).toMatch(
    /--data \/fsx\/scratch\/data .*--partition compute$/,
  );
});

test('the report has the trend with its interval, whether that holds the known one, and the times by nodes', async () => {
  const run = summarise(runOf(planOf('temperature', DATA), timed));
  expect(temperaturesOf(run)).toMatchObject([
    {
      trend: {
        slope: expect.closeTo(0.2251, 4),
        low: expect.closeTo(0.1098, 4),
        high: expect.closeTo(0.3405, 4),
        known: 0.2,
      },

      agree: true,
      times: [
        { nodes: 1, seconds: 121.5 },
        { nodes: 4, seconds: 30.375 },
      ],
    },
  ]);
  expect(scalingOf(run)).toEqual([]);
  const text = await renderMarkdown(run);
  expect(text).toContain(
    '0.225 K per decade (95 % interval 0.110 to 0.340); the data were made with 0.200, which the interval holds',
  );
  expect(text).toMatch(/Dask’s analysis on \S+ took 2 min.* with 1 node and 30 s with 4 nodes/);
  const page = await renderHtml(run);
  expect(page).toContain('Yearly mean sea-surface temperature, read from scratch');
});

test('the page of another plan shows what was found beside it, and whose it is; nothing of an INVALID run', async () => {
  const own = summarise(runOf(planOf('scaling'), () => ({ operation: 'write' })));
  const found = summarise({ ...runOf(planOf('temperature', DATA), timed), run: 'the-analysis' });
  expect(await renderMarkdown(own)).not.toContain('K per decade');
  expect(await renderMarkdown({ ...own, beside: [found] })).toMatch(
    /From the run the-analysis, which was given in addition to this one and is (VALID|WARN)[\s\S]*0\.225 K per decade/,
  );
  const invalid = await renderMarkdown({ ...own, beside: [{ ...found, validity: 'INVALID' }] });
  expect(invalid).not.toContain('K per decade');
});

test('a trend that misses the known one is said to miss it, and analyses that differ are pointed out', async () => {
  const other = runOf(planOf('temperature', ['trend=0.9', 'nodes=1', 'repeats=2']), ({ metric, value }, { repeat }) =>
    metric === 'mean' && value !== null && repeat === 2 ? { value: value + 1 } : {},
  );
  const text = await renderMarkdown(summarise(other));
  expect(text).toContain('the data were made with 0.900, which the interval does not hold');
  expect(text).toContain('The analyses of this arm do not agree');
});

test('two whole years have no trend, and the report says why', async () => {
  const short = runOf(planOf('temperature', ['nodes=1', 'repeats=2']), ({ metric }) =>
    metric.startsWith('trend') ? { value: null, reason: 'fewer than three whole years' } : {},
  );
  expect(await renderMarkdown(summarise(short))).toContain('no trend, since that needs three whole years');
});

test('an import goes through its phases on the parts of all clients, in the directory of each arm', () => {
  const { steps } = planOf('import');
  const measured = steps.filter(({ phase }) => phase === 'measure').map(({ tasks: [task] }) => task?.action);
  expect(
    measured.map((action) => action?.kind === 'workload' && [action.operationId, action.command.slice(1, 3)]),
  ).toEqual([
    ['import_metadata', ['metadata', '/fsx/scratch/data']],
    ['first_read', ['first', '/fsx/scratch/data']],
    ['second_read', ['second', '/fsx/scratch/data']],
  ]);
  const preload = planOf('import', ['load=preload']).steps.find(({ id }) => id.includes('preload'))?.tasks[0]?.action;
  expect(preload?.kind === 'workload' && preload.command.join(' ')).toContain('--part {client} --of 4 ');
});

test('the lab refuses an import, since it has no bucket behind its storages', () => {
  expect(planOf('import', [], { lab: true }).issues).toContainEqual(
    expect.objectContaining({ id: 'not-in-lab', severity: 'error' }),
  );
});
