import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { benchmarkNamed } from '../../lib/cli/benchmarks';
import { documentedPlan } from '../../lib/cli/plan';
import { resolveBenchmark } from '../../lib/config/benchmark';
import { healthy, localClients } from '../run/bench';
import { driveWith } from '../run/driver/driveWith';
import { contractOf } from './contract';

// The one line of registration.
jest.mock('../../lib/benchmark/registry', () => {
  const registry = jest.requireActual('../../lib/benchmark/registry');
  const { capacityBench } = jest.requireActual('./example');
  return { ...registry, BENCHMARKS: [...registry.BENCHMARKS, capacityBench] };
});

test('the registry has one benchmark more, found by its name', () => {
  expect(BENCHMARKS.at(-1)).toBe(benchmarkNamed('CapacityBench'));
});

describe('CapacityBench', () => contractOf(() => benchmarkNamed('CapacityBench')));

test('settings of its storage hold for it, those of another benchmark do not', () => {
  const { arms } = resolveBenchmark(benchmarkNamed('CapacityBench'), { scale: 'smoke', perUnitStorageThroughput: 250 });
  expect(
    arms.map(({ name, storage }) => [
      name,
      (storage as { perUnitStorageThroughput?: number }).perUnitStorageThroughput,
    ]),
  ).toEqual([
    ['x1', 250],
    ['x2', 250],
  ]);
  expect(() => resolveBenchmark(benchmarkNamed('CapacityBench'), { metadataIopsSweep: [1500] })).toThrow(
    /'metadataIopsSweep' \(\[1500\]\) cannot be combined with CapacityBench/,
  );
});

test('its plan is driven to the end, each arm in its turn', async () => {
  const plan = documentedPlan(benchmarkNamed('CapacityBench'), { scale: 'lab', set: ['repeats=2'] });
  const { config, ...clients } = localClients('/mnt');
  const [x1, x2] = Object.values(config.arms);
  const arms = { x1: x1 as NonNullable<typeof x1>, x2: x2 as NonNullable<typeof x2> };
  const { status, samples } = await driveWith(healthy, { plan, clients: { ...clients, config: { ...config, arms } } });
  expect([status.state, status.failedSteps]).toEqual(['done', []]);
  const writes = samples.filter(({ operation, metric }) => operation === 'write' && metric === 'throughput');
  expect(writes.map(({ arm, value }) => [arm, value])).toEqual([
    ['x2', 500],
    ['x1', 500],
    ['x1', 500],
    ['x2', 500],
  ]);
});

test('the page for those who add one shows this code', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'extending', 'benchmark.md'), 'utf8');
  const code = readFileSync(join(__dirname, 'example', 'index.ts'), 'utf8')
    .replaceAll('../../../lib/benchmark/', '../')
    .replaceAll('../../../lib/', '../../');
  expect(page).toContain(`\`\`\`ts\n${code}\`\`\``);
});
