import type { ScaleModel } from '../../schema/model';
import type { Limit } from '../../storage/slices/documented';
import type { Place } from '../../store/place';
import type { RunRecord } from '../../store/record';
import type { Subject } from '../subject';

/** Returns the scale model whose rates the lab applied to an arm; `null` if there was none. */
export function modelOf({ manifest }: Pick<RunRecord, 'manifest'>, arm: string): ScaleModel | null {
  return manifest?.arms.find(({ name }) => name === arm)?.model ?? null;
}

/** Returns the place where an arm was measured: in a run on a scale model, arms without a model count as plain lab arms. */
export const placeOfArm = ({ place, record }: Pick<Subject, 'place' | 'record'>, arm: string): Place =>
  place === 'model' && modelOf(record, arm) === null ? 'lab' : place;

/**
 * The limits that the lab held in a scale model, in place of the documented ones; a model has no bursts.
 *
 * @param clients that take part, each with a link of its own where the model holds one
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
