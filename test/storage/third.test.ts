import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { documentedPlan } from '../../lib/cli/plan';
import { readSettings } from '../../lib/config/app';
import { resolveBenchmark } from '../../lib/config/benchmark';
import { deploymentLines, partsOf } from '../../lib/cost/deployment';
import { storageNamed, storageOf } from '../../lib/storage/lookup';

// The one line of registration.
jest.mock('../../lib/storage/registry', () => {
  const registry = jest.requireActual('../../lib/storage/registry');
  const { toyfs } = jest.requireActual('./example');
  return { ...registry, STORAGES: [...registry.STORAGES, toyfs] };
});

const toyBench: Benchmark = {
  ...compressionBench,
  name: 'ToyBench',
  arms: () =>
    [100, 200].map((serverMBps) => ({
      name: `t${serverMBps}`,
      storage: { kind: 'toyfs', serverMBps } as { kind: string },
    })),
};

const resolve = (context: object) => resolveBenchmark(toyBench, readSettings({ ...context }, 'ToyBench', ['ToyBench']));

test('the registry has one storage more', () => {
  expect(storageNamed('toyfs').label).toBe('Toy file system');
});

test('its settings are read, checked and put on its arms', () => {
  const { arms } = resolve({ toyServerMBps: '400' });
  expect(arms.map(({ storage }) => storageOf(storage).configuration.describe(storage))).toEqual([
    'toyfs, 400 MB/s',
    'toyfs, 400 MB/s',
  ]);
  expect(() => resolve({ toyServerMBps: 20_000 })).toThrow(
    "'toyServerMBps' must be at most 10000, got 20000. Take 10000. [fsxbench:toyfs-throughput]",
  );
  expect(() => resolve({ toyServerMBps: 'much' })).toThrow(
    '\'toyServerMBps\' must be a whole number of MB/s from 100, got "much". It is the throughput of the server.',
  );
});

test('settings of other storages are not passed over on its arms', () => {
  expect(() => resolve({ deploymentType: 'SCRATCH_2' })).toThrow('("SCRATCH_2") cannot be combined with ToyBench');
});

test('what it costs stands among the lines of a deployment, without a price that nobody knows', () => {
  const lines = deploymentLines(partsOf(resolve({})));
  expect(lines.slice(0, 2).map(({ item, quantity, hourly, reason }) => [item, quantity, hourly, reason])).toEqual([
    ['arm t100: throughput', 100, null, 'the price of toyfs/throughput in us-east-1 is unknown'],
    ['arm t200: throughput', 200, null, 'the price of toyfs/throughput in us-east-1 is unknown'],
  ]);
});

test('a plan describes its arms', () => {
  const { arms } = documentedPlan(toyBench, { plan: 'paired', scale: 'smoke', set: ['repeats=2'] });
  expect(arms).toEqual([
    { name: 't100', description: 'toyfs, 100 MB/s', configuration: { kind: 'toyfs', serverMBps: 100 } },
    { name: 't200', description: 'toyfs, 200 MB/s', configuration: { kind: 'toyfs', serverMBps: 200 } },
  ]);
});

test('the page for those who add one shows this code', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'extending', 'storage.md'), 'utf8');
  const code = readFileSync(join(__dirname, 'example', 'index.ts'), 'utf8')
    .replaceAll('../../../lib/storage/', '../')
    .replaceAll('../../../lib/', '../../');
  expect(page).toContain(`\`\`\`ts\n${code}\`\`\``);
});
