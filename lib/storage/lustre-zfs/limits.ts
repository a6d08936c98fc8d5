import { instanceType } from '../../fleet/instanceTypes';
import { clientNetwork, networkLimit } from '../common/limits';
import type { Limit, LimitOptions } from '../slices/documented';
import { type LustreZfsStorage, resolved } from './configuration';
import { INSTANCE_STORES, SLOP } from './documented';

/**
 * The network of the servers and, if given, of the clients. Lustre over TCP uses one network card of a server. AWS documents operations
 * per second of instance stores and no throughput, and nobody documents the effect of RAID-Z1 and compression: OffloadBench's
 * baselines by layer measure that.
 */
export function limitsOf(configuration: LustreZfsStorage, { clients }: LimitOptions = {}): readonly Limit[] {
  const { servers, instanceType: type } = resolved(configuration);
  const info = instanceType(type);
  if (info === null) return [];
  return [...clientNetwork(clients), networkLimit('server_network', { ...info, count: servers }, type)];
}

/** Bytes for data before compression, without parity and without what ZFS keeps for itself. */
export function capacityBytes(configuration: LustreZfsStorage): number | null {
  const { servers, instanceType: type, raidDisks } = resolved(configuration);
  const store = INSTANCE_STORES[type];
  if (store === undefined) return null;
  const pool = (raidDisks - 1) * store.sizeGB * 1e9;
  return servers * (pool - Math.min(pool * SLOP.share, SLOP.mostBytes));
}
