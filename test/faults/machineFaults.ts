import { writeFileSync } from 'node:fs';
import type { Sample } from '../../lib/schema/sample';
import { until } from '../support/patience';
import type { Fault } from './fault';

const HOUR_MS = 3_600_000;

export const clocks = ([-HOUR_MS, HOUR_MS] as const).map(
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

export const rebootedClient: Fault = {
  id: 'client-rebooted',
  what: 'client has another boot id after the first write, whose fio is gone',
  quick: true,
  inject: async (world, note) => {
    const pid = await world.running('fio', 'write-lz4');
    writeFileSync(world.boot, 'e2b1c3d4-0000-4000-8000-000000000000');
    process.kill(pid, 'SIGKILL');
    note();
    const spoilt = await until('the end of the step', () => {
      const samples = world.lines().map((line) => JSON.parse(line) as Sample);
      return samples.find(({ step, operation }) => step.endsWith('write-lz4') && operation === 'task');
    });
    if (spoilt.value !== null || !spoilt.reason?.includes('this computer rebooted meanwhile'))
      throw new Error(
        `the step in which the client rebooted has a value, or another reason: ${JSON.stringify(spoilt)}`,
      );
  },
  says: /superseded-attempts/,
};
