import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { temporaryFolder } from '../run/bench';
import { fsxbench, fsxbenchIn } from './support';

const mockRefresh = jest.fn();
jest.mock('../../lib/cost/refresh', () => ({
  ...jest.requireActual('../../lib/cost/refresh'),
  refreshPrices: (...asked: unknown[]) => mockRefresh(...asked),
}));

describe('cost --refresh', () => {
  const price = (item: string, region: string, usd: number) => ({
    item,
    region,
    unit: 'hour',
    price: usd,
    ...{ source: 'AWS', asOf: '2026-11-01', confidence: 'aws' },
  });
  const file = (asOf: string, region: string, prices: unknown[], instances: Record<string, number>) => ({
    ...{ schema: 'fsxbench.prices/1', currency: 'USD', asOf, prices },
    instances: [{ region, unit: 'hour', source: 'AWS', asOf, confidence: 'aws', prices: instances }],
  });
  const EU = file(
    '2026-11-02',
    'eu-west-1',
    [price('vpc/nat-gateway', 'eu-west-1', 0.048), price('vpc/public-ipv4', 'eu-west-1', 0.005)],
    { 'c5.large': 0.096, 'c5.xlarge': 0.192, 'c5.2xlarge': 0.384 },
  );
  const refresh = (root: string, ...argv: string[]) =>
    fsxbenchIn({ root, environment: { AWS_ENDPOINT_URL_PRICING: 'http://mirror' } }, ['cost', '--refresh', ...argv]);

  test('counts the prices and instance types of the Region, and names each item that AWS lists twice', async () => {
    mockRefresh.mockResolvedValue({ file: EU, ambiguous: ['fsx/backup', 'ebs/gp3'] });
    const { status, err } = await refresh(temporaryFolder(), '--region', 'eu-west-1');
    expect(status).toBe(0);
    expect(err).toContain(
      'prices.json: 2 prices and those of 3 instance types of eu-west-1, published by AWS on 2026-11-02\n',
    );
    expect(err).toContain('skipped, since AWS lists several prices for each: fsx/backup, ebs/gp3\n');
    expect(mockRefresh).toHaveBeenLastCalledWith('eu-west-1', expect.objectContaining({ from: 'http://mirror' }));
  });

  test('replaces the prices of this Region, and keeps those of others', async () => {
    const root = temporaryFolder();
    const path = join(root, 'prices.json');
    const us = price('vpc/nat-gateway', 'us-east-1', 0.045);
    const old = file('2026-11-05', 'us-east-1', [us, price('ebs/gp3', 'eu-west-1', 9)], { 'c5.large': 0.085 });
    writeFileSync(path, JSON.stringify(old));
    mockRefresh.mockResolvedValue({ file: EU, ambiguous: [] });
    const { err } = await refresh(root, '--region', 'eu-west-1');
    expect(err).not.toContain('skipped');
    const written = JSON.parse(readFileSync(path, 'utf8'));
    expect(written.prices).toEqual([us, ...EU.prices]);
    expect(written.instances).toEqual([...old.instances, ...EU.instances]);
    expect(written.asOf).toBe('2026-11-05');
  });

  test('changes no price if the lists cannot be read, or the file is not one of prices', async () => {
    const root = temporaryFolder();
    const path = join(root, 'prices.json');
    writeFileSync(path, JSON.stringify(EU));
    mockRefresh.mockRejectedValue(new Error('http://mirror does not answer'));
    const { status, err } = await refresh(root);
    expect([status, err]).toEqual([1, expect.stringContaining('http://mirror does not answer. No price was changed')]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(EU);
    writeFileSync(path, '{}');
    mockRefresh.mockClear();
    expect(await refresh(root)).toMatchObject({
      status: 2,
      err: expect.stringContaining('after removing the existing file'),
    });
    expect(mockRefresh).not.toHaveBeenCalled();
  });
});

describe('cost', () => {
  test.each(BENCHMARKS.map(({ name, plans: [plan] }) => [name, plan?.name]))(
    'says of %s what a run by its default plan costs, as the plan does, or at least costs, where some of it is billed by use',
    async (name, plan) => {
      const { out, status } = await fsxbench('cost', name);
      expect(status).toBe(0);
      const [, more, usd] = /plan takes about .*?: (more than )?([\d.]+) USD while it runs/.exec(out) ?? [];
      expect(out).toContain(`the ${plan} plan takes about `);
      expect(more !== undefined).toBe(out.includes(': more than'));
      const { totals } = JSON.parse((await fsxbench('plan', name, '--json')).out);
      if (more === undefined) expect(totals.costUsd.toFixed(2)).toBe(usd);
      else expect(totals.costReason).toMatch(new RegExp(`^more than ${usd} USD while the plan runs; arm `));
    },
  );

  test('of another deployment says nothing of a plan, which is made once it is deployed', async () => {
    const { out, status } = await fsxbench('cost', 'CompressionBench', '-c', 'clients=2');
    expect([status, out.includes('plan takes')]).toEqual([0, false]);
  });

  test('adds up to what the stack says, line by line, with a source for each price', async () => {
    const document = JSON.parse((await fsxbench('cost', 'CompressionBench', '--json')).out);
    expect(document).toMatchObject({ schema: 'fsxbench.cost/1', currency: 'USD', region: 'us-east-1' });
    const sum = document.lines.reduce((total: number, line: { hourly: number }) => total + line.hourly, 0);
    expect(sum).toBeCloseTo(document.hourly, 9);
    expect(document.lines.every((line: { source: string }) => line.source.length > 0)).toBe(true);
    expect(document.hourly).toBeCloseTo(27.1067, 4);
  });

  test('with settings is that of what they deploy, and wrong ones are refused as cdk refuses them', async () => {
    const hourly = async (...argv: string[]) =>
      JSON.parse((await fsxbench('cost', 'CompressionBench', '--json', ...argv)).out).hourly as number;
    // Eight clients cost 1.944 USD per hour each, and their volumes and monitoring.
    expect((await hourly()) - (await hourly('-c', 'clients=4'))).toBeCloseTo(
      4 * (1.944 + (30 * 0.08 + 7 * 0.3) / 730),
      4,
    );
    expect(await hourly('-c', 'scale=smoke')).toBeLessThan(1);
    expect(await hourly('-c', 'CompressionBench={"arms":"lz4"}', '-c', 'efa=false')).toBeLessThan(22);

    const wrong = await fsxbench('cost', 'CompressionBench', '-c', 'client=4', '-c', 'storageCapacityGiB=1300');
    expect([wrong.status, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain("'client' is not a setting. Did you mean 'clients'?");
    const bare = await fsxbench('cost', 'CompressionBench', '-c', 'clients');
    expect([bare.status, bare.err]).toEqual([2, "fsxbench: -c takes key=value, such as clients=4, got 'clients'\n"]);
  });

  test('counts what cdk.json sets, as the deployment would', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'cdk.json'), JSON.stringify({ context: { CompressionBench: { scale: 'smoke' } } }));
    const { out } = await fsxbenchIn({ root }, ['cost', 'CompressionBench']);
    expect(out).toContain('CompressionBench at scale smoke in us-east-1: 0.7');
  });

  test('of a Region without known prices is unknown, not zero', async () => {
    const document = JSON.parse((await fsxbench('cost', 'CompressionBench', '--region', 'sa-east-1', '--json')).out);
    expect(document.hourly).toBeNull();
    expect(
      document.lines.some((line: { hourly: number | null; reason?: string }) => line.hourly === null && line.reason),
    ).toBe(true);
  });
});
