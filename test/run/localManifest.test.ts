import { LOCAL_FLEET, localManifest as manifestOf } from '../../lib/run/manifest';
import type { ClientConfig } from '../../lib/schema/client';
import type { Plan } from '../../lib/schema/plan';

type Facts = Parameters<typeof manifestOf>[2];
const localManifest = (plan: Plan, client: ClientConfig, facts: Partial<Facts> = {}) =>
  manifestOf(plan, client, { notices: [], ...facts });

const LUSTRE = { kind: 'lustre', deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200 };
const EFS = { kind: 'efs', throughputMode: 'bursting' };
const client = (arms: Record<string, string | null>): ClientConfig =>
  ({
    arms: Object.fromEntries(Object.entries(arms).map(([arm, actually]) => [arm, { mountPoint: '/x', actually }])),
    tools: { fio: '3.33' },
  }) as unknown as ClientConfig;
const plan = (...arms: [string, object?][]): Plan =>
  ({
    ...{ benchmark: 'CompressionBench', plan: 'paired' },
    arms: arms.map(([name, configuration]) => ({ name, description: `the ${name}`, configuration })),
  }) as unknown as Plan;
const armOf = (configuration: object | undefined, mounted: string | null, options = {}) =>
  localManifest(plan(['a', configuration]), client({ a: mounted }), options).arms[0];

// 1,200 GiB at 0.14 USD per GB-month in us-east-1, by the 730 h of a month.
test.each([
  [LUSTRE, null, { hourlyUsd: expect.closeTo((1200 * 0.14) / 730, 9), hourlyReason: undefined }],
  [LUSTRE, 'lustre on 10.0.0.1@tcp:/a', { hourlyUsd: expect.closeTo((1200 * 0.14) / 730, 9), hourlyReason: undefined }],
  // What is mounted is not what is planned, so it has not its price.
  [LUSTRE, 'nfs4 on a:/', { hourlyUsd: null, hourlyReason: 'nfs4 on a:/ is mounted, which is not FSx for Lustre' }],
  [
    EFS,
    'lustre on x',
    { hourlyUsd: null, hourlyReason: expect.stringMatching(/^lustre on x is mounted, which is not /) },
  ],
  [undefined, 'xfs', { hourlyUsd: null, hourlyReason: 'a directory of this computer has no list price' }],
])('%j on which %p is mounted costs %j', (configuration, mounted, price) => {
  expect(armOf(configuration, mounted)).toMatchObject(price);
});

test('a lab costs what the file systems would that it stands in for, whatever it mounts', () => {
  expect(armOf(LUSTRE, 'btrfs on /dev/loop1', { lab: true })?.hourlyUsd).toBeCloseTo((1200 * 0.14) / 730, 9);
});

test('the price is that of the Region, and unknown where nobody knows it', () => {
  expect(armOf(LUSTRE, null, { region: 'xx-nowhere-1' })).toMatchObject({
    hourlyUsd: null,
    hourlyReason: expect.stringContaining('xx-nowhere-1'),
  });
});

test('each arm has its own mount, kind and words; nothing of a service or a stack is known', () => {
  const known = (arm: string) => ({ fileSystemId: `fs-${arm}`, describe: { arm } });
  const arms = plan(['a', LUSTRE], ['b']);
  const manifest = localManifest(arms, client({ a: null, b: 'xfs on /dev/sdb' }), {
    ...{ run: 'r-1', region: 'eu-west-1', fleet: { instanceType: 'c5.large' }, known },
  });
  expect(manifest).toMatchObject({
    ...{ run: 'r-1', benchmark: 'CompressionBench', lab: false, region: 'eu-west-1', stack: null, bucket: null },
    ...{ account: null, document: null, dashboard: null, tools: { fio: '3.33' }, metricsPeriodSeconds: 60 },
    fleet: { ...LOCAL_FLEET, instanceType: 'c5.large' },
    arms: [
      { name: 'a', kind: 'lustre', description: 'the a', actually: null, fileSystemId: 'fs-a', describe: { arm: 'a' } },
      { name: 'b', kind: 'directory', actually: 'xfs on /dev/sdb', fileSystemId: 'fs-b' },
    ],
  });
  expect(localManifest(arms, client({})).arms[0]).toMatchObject({ fileSystemId: null, describe: null });
  expect(localManifest(arms, client({}), { lab: true })).toMatchObject({ lab: true, metricsPeriodSeconds: 3 });
  expect(localManifest(arms, client({})).run).toMatch(/^\d{8}T\d{6}Z-paired-/);
});
