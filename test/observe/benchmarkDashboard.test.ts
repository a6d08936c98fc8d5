import { storageBench } from '../../lib/benchmark/storage';
import type { Dashboard, Panel } from '../../lib/dashboard/graph';
import { type DeployedBenchmark, dashboardOfRun, deployedDashboard } from '../../lib/observe/benchmarkDashboard';
import { soundRun } from '../analysis/runs';

const panels = ({ rows }: Dashboard): readonly Panel[] => rows.flat();
const texts = (dashboard: Dashboard): string[] =>
  panels(dashboard).flatMap((panel) => (panel.kind === 'text' ? [panel.markdown] : []));
const graphNamed = (dashboard: Dashboard, title: string) =>
  panels(dashboard).find((panel) => panel.kind === 'graph' && panel.title === title);

/** Arms of these names as StorageBench deploys them. */
function deployed(names: readonly string[], change: Partial<DeployedBenchmark> = {}): Dashboard {
  const arms = storageBench.arms('published').filter(({ name }) => names.includes(name));
  return deployedDashboard({
    benchmark: 'StorageBench',
    stackName: 'StorageBench',
    region: 'us-east-1',
    autoScalingGroup: null,
    instanceType: 'c5n.large',
    clients: 2,
    hourlyUsd: 3.456,
    alarms: [],
    arms: arms.map(({ name, storage }) => ({
      name,
      description: `the arm ${name}`,
      configuration: storage,
      fileSystemId: `id-of-${name}`,
      hourlyUsd: 1.5,
    })),
    ...change,
  });
}

test('says what the stack costs, by arm, and how to stop paying', () => {
  const all = storageBench.arms('published').map(({ name }) => name);
  const [, cost = ''] = texts(deployed(all.slice(0, 2), { stackName: 'Mine' }));
  expect(cost).toContain('**3.46 USD per hour** at list prices');
  expect(cost).toContain(`- arm ${all[0]}: 1.50 USD\n- arm ${all[1]}: 1.50 USD\n- clients: 2 × c5n.large`);
  expect(cost).toContain('`npx cdk destroy Mine`');
  expect(texts(deployed(all.slice(0, 1), { hourlyUsd: null }))[1]).toContain('**an unknown amount per hour**');
});

test('storages of several kinds have a heading each, with the names of their arms; one kind needs none', () => {
  const headings = (names: readonly string[]) => texts(deployed(names)).filter((text) => /^## .*: /.test(text));
  const arms = storageBench.arms('published');
  const [first] = arms;
  const other = arms.find(({ storage }) => storage.kind !== first?.storage.kind);
  const names = [first?.name ?? '', other?.name ?? ''];
  expect(headings(names.slice(0, 1))).toEqual([]);
  expect(headings(names).map((text) => text.split(': ')[1])).toEqual(names);
});

test('what the clients sent stands beside what they received, and the busiest beside the mean', () => {
  const dashboard = deployed(['efs'], { autoScalingGroup: 'clients' });
  const lines = (title: string) => {
    const panel = graphNamed(dashboard, title);
    return panel?.kind === 'graph' ? panel.left.map(({ label, of }) => [label, of]) : [];
  };
  const metric = (name: string, stat: string) =>
    expect.objectContaining({ metric: name, stat, dimensions: { AutoScalingGroupName: 'clients' } });
  expect(lines('Clients: network, all together')).toEqual([
    ['out', metric('NetworkOut', 'Sum')],
    ['in', metric('NetworkIn', 'Sum')],
  ]);
  expect(lines('Clients: CPU')).toEqual([
    ['mean', metric('CPUUtilization', 'Average')],
    ['busiest', metric('CPUUtilization', 'Maximum')],
  ]);
});

test('a run’s dashboard is that of its stack, with the file systems that it measured', () => {
  const { manifest, plan } = soundRun();
  if (manifest === null || plan === null) throw new Error('a sound run has both');
  const stack = { name: 'Mine', hourlyUsd: 12.5 } as typeof manifest.stack;
  const [head = '', cost = ''] = texts(dashboardOfRun({ ...manifest, stack }, plan, []));
  for (const { fileSystemId } of manifest.arms) expect(head).toContain(fileSystemId);
  expect(cost).toContain('**12.50 USD per hour**');
  expect(cost).toContain('`npx cdk destroy Mine`');
  expect(() => dashboardOfRun(manifest, { ...plan, arms: [] }, [])).toThrow(/the plan has no configuration of arm/);
  expect(() => dashboardOfRun({ ...manifest, benchmark: 'Gone' }, plan, [])).toThrow(
    "'benchmark' must be one of this release, got Gone: use the release that deployed it",
  );
});
