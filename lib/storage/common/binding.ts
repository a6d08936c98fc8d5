import type { Limit } from '../slices/documented';

/** The limits that can bind: the bare disk does not bind compressed data. */
export function effective(limits: readonly Limit[]): readonly Limit[] {
  const compressed = limits.some(({ name }) => name === 'disk_compressed');
  return compressed ? limits.filter(({ name }) => name !== 'disk') : limits;
}

/** The lowest of the limits, sustained and in a burst; `null` when there are none. */
export function bindingOf(limits: readonly Limit[]): { readonly baseline: Limit; readonly burst: Limit } | null {
  const [first, ...rest] = effective(limits);
  if (first === undefined) return null;
  return {
    baseline: rest.reduce((low, limit) => (limit.baselineMBps < low.baselineMBps ? limit : low), first),
    burst: rest.reduce((low, limit) => (limit.burstMBps < low.burstMBps ? limit : low), first),
  };
}

/**
 * The compression ratio beyond which writes gain nothing: there the network's baseline meets disk × ratio. It is not published but
 * follows from the documented rates. `null` without both limits.
 */
export function kneeOf(limits: readonly Pick<Limit, 'name' | 'baselineMBps'>[]): number | null {
  const rate = (name: string) => limits.find((limit) => limit.name === name)?.baselineMBps;
  const [network, disk] = [rate('server_network'), rate('disk')];
  return network === undefined || disk === undefined || disk === 0 ? null : network / disk;
}

/**
 * What compression reaches, and the ratio at which it does: the lowest limit but the disks, above which a higher ratio brings no more
 * sustained throughput. A ratio of 1 or less: it is reached without. `null` where no byte reaches a disk.
 */
export function gainEnd(limits: readonly Limit[]): { readonly limit: Limit['name']; readonly ratio: number } | null {
  const disk = limits.find(({ name }) => name === 'disk');
  const others = bindingOf(limits.filter(({ name }) => name !== 'disk' && name !== 'disk_compressed'));
  if (disk === undefined || others === null) return null;
  return { limit: others.baseline.name, ratio: others.baseline.baselineMBps / disk.baselineMBps };
}
