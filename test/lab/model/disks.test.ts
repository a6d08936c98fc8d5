import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { leftovers } from '../../../lib/lab/down';
import { loopDevicesOf } from '../../../lib/lab/mounts';
import { type LabPaths, labPaths } from '../../../lib/lab/paths';
import { endProcesses, processesOfLab } from '../../../lib/lab/processes';
import { removeStorages } from '../../../lib/lab/removeStorages';
import { makeStorages } from '../../../lib/lab/storages';
import { tooBusy } from './busy';

const PROJECT = resolve(__dirname, '../../..');
const SCRIPT = join(PROJECT, 'assets/lab/model/hold-disks');

let paths: LabPaths;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'fsxbench-disks-'));
  symlinkSync(join(PROJECT, 'assets'), join(root, 'assets'));
  paths = labPaths(root);
});
afterEach(async () => {
  jest.restoreAllMocks();
  delete process.env.MODEL_CALIBRATION_SECONDS;
  await endProcesses(() => processesOfLab(paths.lab));
  expect([...(await removeStorages(paths)), ...(await leftovers(paths))]).toEqual([]);
  rmSync(paths.root, { recursive: true });
});

const volume = { kind: 'ebs', volumeType: 'gp2', volumeGiB: 1200 };
const arms = [
  { name: 'xfs', storage: { ...volume, filesystem: 'xfs' } },
  { name: 'zstd', storage: { ...volume, filesystem: 'btrfs', compression: 'zstd:3' } },
  {
    name: 'moosefs',
    storage: { kind: 'moosefs', chunkservers: 2, instanceType: 'c5.xlarge', volumeGiB: 600, copies: 2 },
  },
  { name: 'nvme', storage: { kind: 'instance-store' } },
];
const model = { scale: 20, holds: 'disks' as const, arms };
/** 250 MiB/s of a gp2 volume, a twentieth. */
const HELD_MBPS = 13.107;

test('where nothing can be held, says why, and the stand-ins are there without limits', async () => {
  jest.spyOn(process, 'getuid').mockReturnValue(1000);
  const lustre = [{ name: 'lustre', storage: { kind: 'lustre' } }];
  const { storages, notices } = await makeStorages({
    paths,
    arms: lustre,
    model: { ...model, arms: lustre },
    record: async () => {},
  });
  expect(storages.map(({ model: held }) => held)).toEqual([undefined]);
  expect(notices).toContain('No scale model here, so disks are not throttled: only root may throttle disks.');
});

test('control groups of version 2 limit groups, not disks: they are not taken', () => {
  const folder = mkdtempSync(join(paths.root, 'v2-'));
  const script = `source ${SCRIPT}; throttle_place() { echo 'v2 ${folder}'; }; check`;
  const { status, stderr } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, MODEL_NAME: 'check', MODEL_FOLDER: folder },
  });
  expect(status).toBe(1);
  expect(stderr).toContain('only through control groups of version 1 (blkio)');
});

/** Why nothing can be throttled here; asked before the tests are named: a skipped one has the reason. */
const obstacle = (() => {
  if (process.getuid?.() !== 0) return 'only root may limit disks';
  const environment = { ...process.env, MODEL_NAME: 'check', MODEL_FOLDER: tmpdir(), STAND_IN_NAME: 'check' };
  for (const [script, more] of [
    ['lab/model/hold-disks', {}],
    ['storage/moosefs/lab/stand-in', {}],
    ['lab/loop', { LOOP_TYPE: 'xfs' }],
    ['lab/loop', { LOOP_TYPE: 'btrfs' }],
  ] as const) {
    const { status, stderr } = spawnSync('bash', [join(PROJECT, 'assets', script), 'check'], {
      encoding: 'utf8',
      env: { ...environment, ...more },
    });
    if (status !== 0) return stderr.trim();
  }
  return null;
})();
const testHeld = obstacle === null ? test : test.skip;

/** Limits and bounds that the kernel has of a device. */
function inForce(device: string): string[] {
  const number = readFileSync(`/sys/block/${basename(device)}/dev`, 'utf8').trim();
  const limits = ['read', 'write'].flatMap((way) =>
    readFileSync(`/sys/fs/cgroup/blkio/blkio.throttle.${way}_bps_device`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith(`${number} `)),
  );
  return [...limits, `strict ${readFileSync(`/sys/class/bdi/${number}/strict_limit`, 'utf8').trim()}`];
}

describe(obstacle === null ? 'where limits can be set' : `skipped (${obstacle})`, () => {
  testHeld(
    'each arm has its own stand-in, held within 5 % of what is documented of its disks, or none is on a busy machine',
    async () => {
      process.env.MODEL_CALIBRATION_SECONDS = '2';
      const { storages, notices } = await makeStorages({ paths, arms, model, record: async () => {} });
      expect(storages.map(({ kind }) => kind)).toEqual(['xfs', 'btrfs', 'moosefs', 'xfs']);
      if (tooBusy(notices)) {
        // So that the arms stay comparable.
        expect(storages.filter((one) => one.model !== undefined)).toEqual([]);
        return;
      }
      const [xfs, zstd, moosefs, nvme] = storages;
      for (const one of [xfs, zstd])
        expect(one?.model?.held.map(({ name, setMBps }) => [name, Number(setMBps.toFixed(3))])).toEqual([
          ['disk_write', HELD_MBPS],
          ['disk_read', HELD_MBPS],
        ]);
      // Two volumes of 125 MiB/s: what is written is stored on both.
      expect(moosefs?.model?.held.map(({ setMBps }) => Number(setMBps.toFixed(2)))).toEqual([6.55, 13.11]);
      for (const { model: held } of storages)
        for (const { setMBps, measuredMBps } of held?.held ?? [])
          expect(Math.abs(measuredMBps / setMBps - 1)).toBeLessThanOrEqual(0.05);
      expect(xfs?.actually).toMatch(/^XFS on a loop device, throttled: a 1:20 model of .*gp2 1200 GiB/);
      expect(nvme?.model).toBeUndefined();
      expect(notices).toContain('No limit applies to nvme: no disk speed is documented.');

      // No memory in between: what takes a second is not taken at once.
      const began = performance.now();
      writeFileSync(join(xfs?.mountPoint ?? '', 'data'), Buffer.alloc(2 * HELD_MBPS * 1e6, 'x'));
      expect((performance.now() - began) / 1000).toBeGreaterThan(1);

      const [disk] = await loopDevicesOf(join(paths.substitutes, 'xfs'));
      expect(inForce(disk?.device ?? '')).toHaveLength(3);
      expect(inForce(disk?.device ?? '').at(-1)).toBe('strict 1');
      await endProcesses(() => processesOfLab(paths.lab));
      expect(await removeStorages(paths)).toEqual([]);
      // The next user of the device gets it without limits.
      expect(inForce(disk?.device ?? '')).toEqual(['strict 0']);
    },
  );
});
