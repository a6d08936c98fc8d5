import { writeFileSync } from 'node:fs';
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
