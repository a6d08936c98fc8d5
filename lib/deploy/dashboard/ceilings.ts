import type { LustreConfiguration } from '../../storage/lustre/configuration';
import { limitsOf } from '../../storage/lustre/limits';
import type { ArmView, Ceiling } from './arm';

/** How limits are called on a graph; those of the clients are left out, since they may be far above it. */
const NAMES: Readonly<Record<string, string>> = { disk: 'disks, sustained', server_network: 'network, sustained' };

/** What the servers promise without burst credits; how much of it clients can use depends on them. */
export function ceilingsOf(lustre: LustreConfiguration, region: string): ArmView['ceilings'] {
  const of = (mode: 'write' | 'read'): Ceiling[] =>
    limitsOf(lustre, { mode, region }).flatMap(({ name, baselineMBps }) => {
      const label = NAMES[name];
      return label === undefined ? [] : [{ label, megabytesPerSecond: Math.round(baselineMBps) }];
    });
  return { write: of('write'), read: of('read') };
}
