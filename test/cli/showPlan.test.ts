import { fsxbench } from './support';

test('a plan counts one process as one', async () => {
  const { out } = await fsxbench('plan', 'MetadataBench', '--scale', 'smoke');
  expect(out).toContain('\n  fleet      4 clients (c5.large), 1 process each\n');
});

describe('a plan', () => {
  test('is printed as the document that a run keeps', async () => {
    const { status, out } = await fsxbench('plan', 'CompressionBench', '--json');
    const plan = JSON.parse(out);
    expect(status).toBe(0);
    expect(plan).toMatchObject({
      schema: 'fsxbench.plan/1',
      benchmark: 'CompressionBench',
      plan: 'paired',
      scale: 'published',
      fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 18 },
    });
    expect(plan.totals.costUsd).toBeCloseTo((27.1067 * plan.totals.expectedSeconds) / 3600, 0);
    expect(plan.issues.filter((issue: { severity: string }) => issue.severity !== 'note')).toEqual([]);
  });

  test('keeps the study’s own numbers when it is the published one', async () => {
    const plan = JSON.parse((await fsxbench('plan', 'CompressionBench', '--plan', 'published', '--json')).out);
    expect(plan.fleet.ranksPerClient).toBe(144);
    expect(plan.totals.expectedSeconds).toBeGreaterThan(12 * 3600);
  });

  test('says nothing of a cost at least where prices are missing', async () => {
    const { totals } = JSON.parse((await fsxbench('plan', 'StorageBench', '--region', 'eu-west-1', '--json')).out);
    expect(totals.costReason).toMatch(/^the price of /);
  });

  test('that would fill the disk is refused with status 1, and says why', async () => {
    const { status, out, err } = await fsxbench(
      'plan',
      'CompressionBench',
      '--scale',
      'smoke',
      '--set',
      'maxMiBPerArm=4000000',
    );
    expect([status, err]).toEqual([1, 'fsxbench: refusing to run this plan: see its errors\n']);
    expect(out).toContain('error data-exceed-capacity');
  });
});
