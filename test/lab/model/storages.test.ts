import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mountsBelow } from '../../../lib/common/mounts';
import { leftovers } from '../../../lib/lab/down';
import { namespacesOfModels } from '../../../lib/lab/model/machine';
import { type LabPaths, labPaths } from '../../../lib/lab/paths';
import { removeStorages } from '../../../lib/lab/removeStorages';
import type { LabStorage } from '../../../lib/lab/state';
import { makeStorages } from '../../../lib/lab/storages';
import { tooBusy } from './busy';

const PATH = process.env.PATH;
const PROJECT = resolve(__dirname, '../../..');

function project(): LabPaths {
  const root = mkdtempSync(join(tmpdir(), 'fsxbench-model-'));
  symlinkSync(join(PROJECT, 'assets'), join(root, 'assets'));
  return labPaths(root);
}

let paths: LabPaths;
let other: LabPaths;
beforeEach(() => {
  paths = project();
  other = project();
});
afterEach(async () => {
  process.env.PATH = PATH;
  jest.restoreAllMocks();
  // Both, with any result: a remaining model would also throttle others' devices.
  const left = [...(await removeStorages(paths)), ...(await removeStorages(other))];
  expect([...left, ...(await leftovers(paths)), ...(await leftovers(other))]).toEqual([]);
  for (const { root } of [paths, other]) rmSync(root, { recursive: true });
});

/** Disks of 6 MB/s behind links of 15.6 MB/s. */
const model = {
  scale: 1000,
  holds: 'servers' as const,
  arms: (['NONE', 'LZ4'] as const).map((dataCompressionType) => ({
    name: dataCompressionType.toLowerCase(),
    storage: {
      kind: 'lustre',
      deploymentType: 'PERSISTENT_2',
      storageCapacityGiB: 12_000,
      perUnitStorageThroughput: 500,
      dataCompressionType,
    },
  })),
};

test('where nothing can be held, says why and makes the storages that it can', async () => {
  jest.spyOn(process, 'getuid').mockReturnValue(1000);
  const said: string[] = [];
  const options = {
    paths,
    model,
    arms: model.arms,
    record: async () => {},
    onProgress: (line: string) => said.push(line),
  };
  const { storages, notices } = await makeStorages(options);
  expect(storages.map(({ kind }) => kind)).toEqual(['directory', 'directory']);
  expect(notices[0]).toBe(
    'No scale model here, so nothing limits disks and links: only root may limit disks and links.',
  );
  expect(said.filter((line) => line === notices[0])).toHaveLength(1);
});

/** Why nothing can be throttled here; asked before the tests are named: a skipped one has the reason. */
const obstacle = (() => {
  if (process.getuid?.() !== 0) return 'only root may limit disks and links';
  const { status, stderr } = spawnSync('bash', [join(PROJECT, 'assets/lab/model/check')], { encoding: 'utf8' });
  return status === 0 ? null : stderr.trim();
})();
const testHeld = obstacle === null ? test : test.skip;

describe(obstacle === null ? 'where limits can be set' : `skipped (${obstacle})`, () => {
  testHeld(
    'two labs hold each storage within 5 % of its figures, or none on a busy machine, and one that is taken away leaves the other alone',
    async () => {
      const recorded: (readonly LabStorage[])[] = [];
      const make = (where: LabPaths) =>
        makeStorages({
          paths: where,
          model,
          arms: model.arms,
          record: async (storages) => void recorded.push(storages),
        });
      const [made] = await Promise.all([make(paths), make(other)]);
      if (tooBusy(made.notices)) return;
      expect(made.notices).toEqual([]);
      for (const { kind, mountPoint, model: held } of made.storages) {
        expect(kind).toBe('scale-model');
        expect(mountsBelow(mountPoint).map(({ type }) => type)).toEqual(['fuse']);
        expect(held?.held.map(({ name, setMBps }) => [name, setMBps])).toEqual([
          ['disk_write', 6],
          ['disk_read', 6],
          ['network_write', 15.6],
          ['network_read', 15.6],
        ]);
        for (const { setMBps, measuredMBps } of held?.held ?? [])
          expect(Math.abs(measuredMBps / setMBps - 1)).toBeLessThanOrEqual(0.05);
      }
      // Written down before it is made: a killed one can be removed.
      expect(recorded[0]?.every((storage) => storage.model === undefined)).toBe(true);
      expect(await removeStorages(other)).toEqual([]);
      expect(await leftovers(other)).toEqual([]);
      expect(await namespacesOfModels(paths)).toHaveLength(4);
      for (const { mountPoint } of made.storages) expect(readdirSync(mountPoint)).toEqual([]);
    },
  );

  testHeld('a disk that is not at its figure is not used', async () => {
    // Asks for more than the kernel's limits.
    const faster = { ...model, scale: 1000, arms: model.arms.slice(0, 1) };
    const up = join(paths.root, 'assets');
    execFileSync('rm', [up]);
    execFileSync('cp', ['-r', '--dereference', join(PROJECT, 'assets'), up]);
    execFileSync('sed', [
      '-i',
      's/throttle "$number" "$MODEL_DISK_READ_BPS"/throttle "$number" 5000000/',
      join(up, 'lab/model/up'),
    ]);
    const { storages, notices } = await makeStorages({
      paths,
      model: faster,
      arms: faster.arms,
      record: async () => {},
    });
    expect(storages[0]?.kind).not.toBe('moosefs');
    expect(notices[0]).toMatch(/disk_read of none must be throttled to 6.0 MB\/s, and the kernel throttles it to 5.0/);
  });
});
