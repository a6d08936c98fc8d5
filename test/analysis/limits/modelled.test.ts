import { modelLimits } from '../../../lib/analysis/limits/known';
import type { ScaleModel } from '../../../lib/schema/model';
import { bindingOf, kneeOf } from '../../../lib/storage/common/limits';

const figure = (name: ScaleModel['held'][number]['name'], setMBps: number) => ({
  name,
  documentedMBps: setMBps * 100,
  setMBps,
  measuredMBps: setMBps * 0.99,
  source: 'https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html',
});
const model: ScaleModel = {
  scale: 100,
  stands: 'PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4',
  held: [
    figure('disk_write', 28.8),
    figure('disk_read', 20),
    figure('network_write', 108),
    figure('network_read', 108),
  ],
  dirtyBytes: 8_352_000,
  free: [],
};

test('a model that does not hold a figure has no limit of it', () => {
  const held = model.held.filter(({ name }) => name !== 'disk_read');
  expect(modelLimits({ ...model, held }, 'read', 2, 1).map(({ name }) => name)).toEqual(['server_network']);
});

test('limits are what the kernel held, not what is documented or measured, and have no burst', () => {
  expect(
    modelLimits(model, 'write', 2.5, 1).map(({ name, baselineMBps, burstMBps }) => [name, baselineMBps, burstMBps]),
  ).toEqual([
    ['server_network', 108, 108],
    ['disk', 28.8, 28.8],
    ['disk_compressed', 72, 72],
  ]);
  expect(modelLimits(model, 'read', null, 1).map(({ baselineMBps }) => baselineMBps)).toEqual([108, 20]);
  expect(modelLimits(model, 'write', 2.5, 1)[2]?.source).toContain('÷ 100, × 2.5');
});

test('below the knee the disk binds, past it the network', () => {
  expect(kneeOf(modelLimits(model, 'write', 1, 1))).toBeCloseTo(3.75);
  expect(bindingOf(modelLimits(model, 'write', 2.5, 1))?.baseline.name).toBe('disk_compressed');
  expect(bindingOf(modelLimits(model, 'write', 5, 1))?.baseline.name).toBe('server_network');
});

test('links of the clients bind until there are as many as fill the disk', () => {
  const held = [...model.held, figure('client_write', 10), figure('client_read', 10)];
  const binding = (clients: number) => bindingOf(modelLimits({ ...model, held }, 'write', null, clients))?.baseline;
  expect([1, 2, 3].map((clients) => [binding(clients)?.name, binding(clients)?.baselineMBps])).toEqual([
    ['client_nic', 10],
    ['client_nic', 20],
    ['disk', 28.8],
  ]);
  expect(binding(2)?.source).toContain('÷ 100, × 2');
});
