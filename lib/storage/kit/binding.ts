import type { Limit } from '../slices/documented';

/** The lowest of the limits, sustained and in a burst; `null` when there are none. The bare disk does not bind compressed data. */
export function bindingOf(limits: readonly Limit[]): { readonly baseline: Limit; readonly burst: Limit } | null {
  const compressed = limits.some(({ name }) => name === 'disk_compressed');
  const candidates = compressed ? limits.filter(({ name }) => name !== 'disk') : limits;
  const [first, ...rest] = candidates;
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
