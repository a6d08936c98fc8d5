import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../../lib/schema/sample';
import type { Fault } from './fault';
import type { World } from './world';

/** Fills a disk until nothing more goes there. */
function fill(path: string): string {
  const file = join(path, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4k']);
  return file;
}

type Disk = (world: World) => string;
const DISKS: Readonly<Record<string, readonly [what: string, size: string, path: Disk]>> = {
  results: ['results disk', '2m', ({ folder }) => folder],
  temporary: ['temporary folder', '256k', ({ temporary }) => temporary],
  arm: ['arm', '64m', ({ mounts }) => join(mounts, 'none')],
};

export const fullDisks = Object.entries(DISKS).map(
  ([name, [what, size, path]]): Fault => ({
    id: `${name}-full`,
    what: `${what} is full from the first write on, and emptied for the next session`,
    disks: true,
    prepare: (world) => world.ownDisk(path(world), size),
    inject: async (world, note) => {
      await world.running('fio', 'write');
      const filler = fill(path(world));
      note();
      await world.ended();
      if (name === 'arm') {
        onlyNoneLacks(world);
        if (!world.lines().some((line) => /ENOSPC|no space left/i.test(line))) throw new Error('no sample says ENOSPC');
      }
      rmSync(filler);
    },
    says: name === 'temporary' ? null : name === 'results' ? /ENOSPC/ : /superseded-attempts/,
  }),
);

export const readOnlyDisks = ['results', 'arm'].map((name): Fault => {
  const [what, size, path] = DISKS[name] as (typeof DISKS)[string];
  return {
    id: `${name}-read-only`,
    what: `${what} becomes read-only in the first write, and writable again for the next session`,
    disks: true,
    prepare: (world) => world.ownDisk(path(world), size),
    inject: async (world, note) => {
      await world.running('fio', 'write');
      // Files that are open for writing keep a disk from that, so the tools are ended first.
      const remount = (how: string) => spawnSync('mount', ['-o', `remount,${how}`, path(world)]).status === 0;
      while (!remount('ro')) await sleep(20);
      note();
      await world.ended();
      remount('rw');
    },
    says: name === 'results' ? /EROFS/ : /superseded-attempts/,
  };
});

/** @throws unless the fault cost the arm `none` values, with reasons, and no other arm */
function onlyNoneLacks(world: World): void {
  const elsewhere = world.missing().filter((one) => !one.endsWith(' none'));
  const wrong = [...elsewhere, ...world.unexplained()];
  if (wrong.length > 0) throw new Error(`the fault cost another arm its values, or has no reason: ${wrong.join('; ')}`);
  if (world.missing().length === 0) throw new Error('the fault cost the arm nothing, so that nothing was tried');
}

export const unmountedArm: Fault = {
  id: 'arm-unmounted',
  what: 'arm is unmounted in the first write, as by a reboot, and mounted again for the next session',
  quick: true,
  disks: true,
  prepare: (world) => world.ownDisk(join(world.mounts, 'none'), '64m'),
  inject: async (world, note) => {
    const point = join(world.mounts, 'none');
    await world.running('fio', 'write');
    spawnSync('umount', ['--lazy', point]);
    note();
    await world.ended();
    onlyNoneLacks(world);
    const there = readdirSync(point);
    if (there.length > 0) throw new Error(`the run went on in the directory below the mount: ${there.join(', ')}`);
    const reasons = world.lines().filter((line) => line.includes(`no longer mounted at ${point}`));
    if (reasons.length === 0) throw new Error('no sample names the mount that is gone');
    world.ownDisk(point, '64m');
  },
  says: /superseded-attempts/,
};

export const deniedArms = (
  [
    ['from-start', 0o500, 'from the start', ({ mounts }: World) => join(mounts, 'none')],
    ['later', 0o500, "from the other arm's write on", ({ mounts }: World) => join(mounts, 'none')],
    ['read', 0, 'when it is to be read', (world: World) => world.dataOn('none')],
  ] as const
).map(
  ([id, mode, when, path]): Fault => ({
    id: `arm-denied-${id}`,
    what: `directory of an arm gets mode ${mode.toString(8)} ${when}, and 700 for the next session`,
    quick: id === 'read',
    prepare: (world) => {
      world.obeyModes();
      if (id === 'from-start') chmodSync(path(world), mode);
    },
    inject: async (world, note) => {
      // LZ4's write is the fourth step. A process of it may be over before a busy machine sees it.
      if (id === 'later') await world.stepsDone(3);
      if (id === 'read') {
        // LZ4's eight steps are done: the caches of the other arm are dropped after five more.
        await world.stepsDone(9);
        writeFileSync(world.heldCaches, '');
        await world.inPhase('prepare', 'drop-caches-none');
      }
      chmodSync(path(world), mode);
      rmSync(world.heldCaches, { force: true });
      note();
      await world.ended();
      onlyNoneLacks(world);
      const denied = `'${path(world)}' may not be written by ${userInfo().username} (EACCES, mode ${mode.toString(8)},`;
      const reasons = world.lines().filter((line) => line.includes(denied) && line.includes('--resume'));
      if (reasons.length === 0)
        throw new Error(`no sample says that ${denied} and what to do: ${world.lines().join('\n')}`);
      chmodSync(path(world), 0o700);
    },
    says: /superseded-attempts/,
  }),
);

export const slowResults: Fault = {
  id: 'results-slow',
  what: 'results disk takes 200 ms for each write and each fsync',
  fuse: true,
  prepare: (world) => world.slowResults(200),
  inject: async (world, note) => {
    await world.running('fio', 'write');
    note();
    await world.ended();
    const samples = world.lines().map((line) => JSON.parse(line) as Sample);
    const measured = samples.filter(({ phase, metric }) => phase === 'measure' && metric === 'seconds');
    if (measured.length === 0) throw new Error('no phase was measured');
    for (const { step, operation, value, raw } of measured) {
      // fio's second, and its process with the output that it prints to this disk; not what the driver writes.
      const ofProcess = Number(/^wall_s: (.*)$/m.exec(readFileSync(join(world.folder, `${raw}.cmd`), 'utf8'))?.[1]);
      const most = operation === 'task' ? ofProcess + 0.01 : 1.5;
      if (value === null || value > most) throw new Error(`${step} ${operation} lasted ${value} s instead of ${most}`);
    }
  },
  says: null,
};

/** So long may an arm that stores nothing hold up the others, all its steps together. */
const HELD_UP_MS = 600_000;

export const fullAndKilled: Fault = {
  id: 'chunkserver-killed-arm-full',
  what: 'arm on MooseFS is full from the first write on and a chunkserver of it gets SIGKILL, both mended for the next session',
  moosefs: true,
  prepare: ({ moosefs }) => moosefs.start(),
  inject: async (world, note) => {
    await world.running('fio', 'write');
    await world.moosefs.fill();
    await world.moosefs.killChunkserver();
    note();
    const begun = performance.now();
    await world.ended();
    const ms = performance.now() - begun;
    world.log += `the session ended ${Math.round(ms / 1000)} s after the fault\n`;
    if (ms > HELD_UP_MS) throw new Error(`the session ended only after ${Math.round(ms / 1000)} s`);
    onlyNoneLacks(world);
    await world.moosefs.mend();
  },
  says: /superseded-attempts/,
};
