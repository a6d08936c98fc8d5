import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from './random';
import type { Mood } from './s3';
import type { By, World } from './world';

/** Something that goes wrong in a run. */
export interface Fault {
  readonly id: string;
  /** For people: what, and when. */
  readonly what: string;
  /** In `npm test` too. @default - in `npm run faults` only */
  readonly quick?: boolean;
  /** What works on the arms. @default fio */
  readonly by?: By;
  /** Needs root: disks of its own. @default false */
  readonly disks?: boolean;
  /** Needs what the lab needs for a MooseFS. @default false */
  readonly moosefs?: boolean;
  /** The results go to the S3 of the lab's emulator, not to one in memory. @default false */
  readonly emulated?: boolean;
  /** Before the driver starts. */
  readonly prepare?: (world: World) => void;
  /** Makes it happen. `note` is called when it has happened, and before anything is done about it. */
  readonly inject: (world: World, note: () => void) => Promise<void>;
  /**
   * What must be in the verdict of the report or, where the fault left the figures alone, in the driver's log; `null` where neither may say a word, since
   * neither figures nor results were touched.
   */
  readonly says: RegExp | null;
}

const HOUR_MS = 3_600_000;
const PHASES = [
  ['setup', 'setup-capacity'],
  ['prepare', 'directory'],
  ['prepare', 'drop-caches'],
  ['warm-up', 'warm-up'],
  ['measure', 'write'],
  ['measure', 'read'],
  ['conclude', 'space'],
  ['clean up', 'remove'],
] as const;

const killedDrivers = PHASES.map(
  ([phase, step]): Fault => ({
    id: `driver-killed-${step}`,
    what: `driver gets SIGKILL in ${phase} (${step})${step === 'write' ? ', where its fio hangs' : ''}`,
    ...(step === 'warm-up' ? { by: 'warm fio' } : {}),
    quick: step === 'write',
    inject: async (world, note) => {
      if (step === 'write') process.kill(await world.running('fio', step), 'SIGSTOP');
      else if (step === 'read') await world.running('fio', step);
      else await world.inPhase(phase, step);
      world.signal('SIGKILL');
      await world.ended();
      note();
    },
    says: step === 'write' ? /run-disturbed-leftovers.*fio \(/ : /run-resumed.*\(killed\)/,
  }),
);

const stoppedDrivers = (['write', 'remove'] as const).map(
  (step): Fault => ({
    id: `driver-stopped-${step}`,
    what: `driver gets SIGSTOP in ${step}, and goes on after 17 s`,
    inject: async (world, note) => {
      await world.inPhase(step === 'write' ? 'measure' : 'clean up', step);
      world.signal('SIGSTOP');
      note();
      await sleep(17_000);
      world.signal('SIGCONT');
    },
    says: /run-disturbed-stopped.*stalled for (1[5-9]|[2-5]\d) s/,
  }),
);

const killedTools = (
  [
    ['fio', 'write'],
    ['fio', 'read'],
    ['mpirun', 'run'],
  ] as const
).map(
  ([tool, step]): Fault => ({
    id: `${tool}-killed-${step}`,
    what: `${tool} gets SIGKILL in ${step}`,
    quick: tool === 'fio' && step === 'read',
    ...(tool === 'mpirun' ? { by: 'mpirun' } : {}),
    inject: async (world, note) => {
      process.kill(await world.running(tool, step), 'SIGKILL');
      note();
    },
    says: /superseded-attempts/,
  }),
);

const stoppedTools = (
  [
    ['fio', 'write'],
    ['fio', 'read'],
    ['mpirun', 'run'],
  ] as const
).map(
  ([tool, step]): Fault => ({
    id: `${tool}-stopped-${step}`,
    what: `${tool} gets SIGSTOP in ${step}, and goes on after 5 s`,
    ...(tool === 'mpirun' ? { by: 'mpirun' } : {}),
    inject: async (world, note) => {
      const pid = await world.running(tool, step);
      process.kill(pid, 'SIGSTOP');
      note();
      await sleep(5000);
      process.kill(pid, 'SIGCONT');
    },
    says: /A process was stopped during the measurement/,
  }),
);

/** FSXBENCH_FAULTS_SEED has the moments of an earlier run again. */
const SEED = Number(process.env.FSXBENCH_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

const interrupted = [1, 2, 3, 4].map(
  (number): Fault => ({
    id: `ctrl-c-${number}`,
    what: `SIGINT at a random moment (${number} of 4)`,
    inject: async (world, note) => {
      const random = randomOf(SEED + number);
      const steps = Math.floor(random() * (world.plan.steps.length - 1));
      const ms = Math.floor(random() * 500);
      world.log += `SIGINT ${ms} ms after step ${steps} (FSXBENCH_FAULTS_SEED=${SEED})\n`;
      await world.stepsDone(steps);
      await sleep(ms);
      world.signal('SIGINT');
      await world.ended();
      note();
    },
    says: /run-resumed.*\((interrupted|failed)\)/,
  }),
);

const moodsOf = (emulated: boolean): Fault[] =>
  (
    [
      ['slow', 'answers after 1.5 s', null],
      ['silent', 'accepts requests and never answers', /results are kept in/],
      ['refusing', 'refuses every request', /results are kept in.*Access Denied/],
      ['losing-answers', 'stores, and loses its first answer about each file', null],
    ] as const
  ).map(
    ([mood, what, says]): Fault => ({
      id: `${emulated ? 'emulated-' : ''}s3-${mood}`,
      what: `${emulated ? "the lab's S3" : 'S3'} ${what}, from the first write to the end of the session`,
      quick: mood === 'refusing' && !emulated,
      emulated,
      inject: async (world, note) => {
        await world.inPhase('measure', 'write');
        world.store.mood = mood satisfies Mood;
        note();
        await world.ended();
        world.store.mood = 'well';
      },
      says,
    }),
  );

const killedStore: Fault = {
  id: 's3-killed',
  what: 'S3 is gone in write, and comes back in read',
  inject: async (world, note) => {
    await world.running('fio', 'write');
    await world.store.stop();
    note();
    await world.running('fio', 'read');
    await world.store.start();
  },
  says: null,
};

const clocks = ([-HOUR_MS, HOUR_MS] as const).map(
  (jump): Fault => ({
    id: jump < 0 ? 'clock-back' : 'clock-forward',
    what: `the driver's clock is set ${jump < 0 ? 'back' : 'forward'} by an hour in write`,
    quick: jump < 0,
    inject: async (world, note) => {
      await world.running('fio', 'write');
      writeFileSync(world.clock, String(jump));
      note();
    },
    says: jump < 0 ? /run-disturbed-clock.*was set back by 1 h/ : /run-disturbed-clock.*went forward by 1 h/,
  }),
);

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

const fullDisks = Object.entries(DISKS).map(
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
      rmSync(filler);
    },
    says: name === 'temporary' ? null : name === 'results' ? /ENOSPC/ : /superseded-attempts/,
  }),
);

const readOnlyDisks = ['results', 'arm'].map((name): Fault => {
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

const unmountedArm: Fault = {
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

/** So long may an arm that stores nothing hold up the others, all its steps together. */
const HELD_UP_MS = 600_000;

const fullAndKilled: Fault = {
  id: 'chunkserver-killed-arm-full',
  what: 'arm on MooseFS is full from the first write on and a chunkserver of it gets SIGKILL, both mended for the next session',
  moosefs: true,
  prepare: ({ moosefs }) => moosefs.start(),
  inject: async (world, note) => {
    await world.running('fio', 'write');
    world.moosefs.fill();
    world.moosefs.killChunkserver();
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

const twoOperators: Fault = {
  id: 'two-operators',
  what: 'a second driver is started on the run in write',
  quick: true,
  inject: async (world, note) => {
    await world.running('fio', 'write');
    note();
    await world.second();
  },
  says: /process \d+ is already running this run/,
};

/** Every fault that is tried, in the order of the table in docs/faults.md. */
export const FAULTS: readonly Fault[] = [
  ...killedDrivers,
  ...stoppedDrivers,
  ...killedTools,
  ...stoppedTools,
  ...interrupted,
  ...moodsOf(false),
  ...moodsOf(true),
  killedStore,
  ...clocks,
  ...fullDisks,
  ...readOnlyDisks,
  unmountedArm,
  fullAndKilled,
  twoOperators,
];
