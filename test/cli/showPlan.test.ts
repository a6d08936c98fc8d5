import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../run/bench';
import { fsxbench, fsxbenchIn } from './support';

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
    expect(out).toContain('error  Not enough free space for the data  (data-exceed-capacity)\n');
  });
});

test('a plan has the clients, the file systems and the price that cdk.json sets, as cost does', async () => {
  const root = temporaryFolder();
  const settings = {
    ...{ deploymentType: 'PERSISTENT_2', storageType: 'SSD', storageCapacityGiB: 96_000 },
    ...{ perUnitStorageThroughput: 500, metadataIops: 48_000, clients: 20 },
  };
  writeFileSync(join(root, 'cdk.json'), JSON.stringify({ context: { CompressionBench: settings } }));
  const planned = await fsxbenchIn({ root }, ['plan', 'CompressionBench', '--json']);
  const { fleet, arms, totals } = JSON.parse(planned.out);
  expect(planned.err).toBe('with the settings of CompressionBench in cdk.json\n');
  expect(fleet).toMatchObject({ clients: 20, instanceType: 'c5n.9xlarge' });
  expect(arms[0].description).toContain('96000 GiB, 500 MB/s/TiB, 48000 metadata IOPS');
  const { hourly } = JSON.parse((await fsxbenchIn({ root }, ['cost', 'CompressionBench', '--json'])).out);
  expect(totals.costUsd).toBeCloseTo((hourly * totals.expectedSeconds) / 3600, 6);

  const answer = async (...argv: string[]) => await fsxbenchIn({ root }, ['plan', ...argv, '--json']);
  const without = async (...argv: string[]) => await fsxbenchIn({ root: '/' }, ['plan', ...argv, '--json']);
  expect(await answer('CompressionBench', '--scale', 'lab')).toEqual(
    await without('CompressionBench', '--scale', 'lab'),
  );
  expect(await answer('MetadataBench')).toEqual(await without('MetadataBench'));
});

test('a plan has the scale of cdk.json unless it is asked for another', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'cdk.json'), JSON.stringify({ context: { CompressionBench: { scale: 'smoke' } } }));
  const scaleOf = async (...argv: string[]) =>
    JSON.parse((await fsxbenchIn({ root }, ['plan', 'CompressionBench', '--json', ...argv])).out).scale;
  expect([await scaleOf(), await scaleOf('--scale', 'published')]).toEqual(['smoke', 'published']);
});
