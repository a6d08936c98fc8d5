import type { ScaleModel } from '../../schema/model';
import type { Limit } from '../../storage/slices/documented';

/**
 * The limits that the lab held in a scale model, in place of the documented ones; a model has no bursts.
 *
 * @param clients that take part, each with its own link where the model holds one
 */
export function modelLimits(
  { scale, held }: ScaleModel,
  mode: 'write' | 'read',
  ratio: number | null,
  clients: number,
): {
  name: 'client_nic' | 'server_network' | 'disk' | 'disk_compressed';
  baselineMBps: number;
  burstMBps: number;
  source: string;
}[] {
  const limit = <N extends string>(name: N, figure: 'client' | 'network' | 'disk', times: number, how: string) => {
    const found = held.find((each) => each.name === `${figure}_${mode}`);
    if (found === undefined) return [];
    const MBps = found.setMBps * times;
    return [{ name, baselineMBps: MBps, burstMBps: MBps, source: `${found.source}, ÷ ${scale}${how}` }];
  };
  return [
    ...limit('client_nic', 'client', clients, `, × ${clients}`),
    ...limit('server_network', 'network', 1, ''),
    ...limit('disk', 'disk', 1, ''),
    ...(ratio === null ? [] : limit('disk_compressed', 'disk', ratio, `, × ${ratio}: compressed before the disk`)),
  ] satisfies Limit[];
}
