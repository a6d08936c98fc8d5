import { setTimeout as sleep } from 'node:timers/promises';
import { SEED } from '../support/drawn';
import type { Fault } from './fault';
import { randomOf } from './random';

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

export const killedDrivers = PHASES.map(
  ([phase, step]): Fault => ({
    id: `driver-killed-${step}`,
    what: `driver gets SIGKILL in ${phase} (${step})${step === 'write' ? ' while its fio hangs' : ''}`,
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

export const stoppedDrivers = (['write', 'remove'] as const).map(
  (step): Fault => ({
    id: `driver-stopped-${step}`,
    what: `driver gets SIGSTOP in ${step}, and continues after 17 s`,
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

export const killedTools = (
  [
    ['fio', 'read'],
    ['mpirun', 'run'],
  ] as const
).map(
  ([tool, step]): Fault => ({
    id: `${tool}-killed-${step}`,
    what: `${tool} gets SIGKILL in ${step}`,
    quick: tool === 'fio',
    ...(tool === 'mpirun' ? { by: 'mpirun' } : {}),
    inject: async (world, note) => {
      process.kill(await world.running(tool, step), 'SIGKILL');
      note();
    },
    says: /superseded-attempts/,
  }),
);

export const stoppedTools = (
  [
    ['fio', 'write'],
    ['mpirun', 'run'],
  ] as const
).map(
  ([tool, step]): Fault => ({
    id: `${tool}-stopped-${step}`,
    what: `${tool} gets SIGSTOP in ${step}, and continues after 5 s`,
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

export const interrupted = [1, 2].map(
  (number): Fault => ({
    id: `ctrl-c-${number}`,
    what: `SIGINT at a random moment (${number} of 2)`,
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

export const twoOperators: Fault = {
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
