import { keyOf } from '../../common/collections';
import { toMBps } from '../../common/format/units';
import type { Sample } from '../../schema/sample';
import type { Run } from '../run';

/** Bytes that the clients moved in the measured phases, in all samples that count. `null` with a reason where that is not known. */
export interface BytesMoved {
  readonly arm: string;
  readonly operation: string;
  readonly bytes: number | null;
  readonly reason?: string;
}

/** Bytes by arm and operation. Failed tasks moved an unknown amount and are not in the sum. */
export function bytesMoved({ counted, arms }: Run): BytesMoved[] {
  const order = arms.map(({ name }) => name);
  const measured = counted.filter(({ phase }) => phase === 'measure');
  const rates = measured.filter(
    ({ metric, unit, value }) => metric === 'throughput' && toMBps(1, unit) !== null && value !== null,
  );
  const groups = Map.groupBy(rates, ({ arm, operation }) => keyOf(arm, operation));
  const siblings = Map.groupBy(measured, measurementKey);
  return [...groups.values()]
    .map((group): BytesMoved => {
      const { arm, operation } = group[0] as Sample;
      const amounts = group.map((rate) => bytesOf(rate, siblings.get(measurementKey(rate)) ?? []));
      const known = amounts.filter((amount) => amount !== null);
      if (known.length === amounts.length)
        return { arm, operation, bytes: known.reduce((sum, amount) => sum + amount, 0) };
      return { arm, operation, bytes: null, reason: 'a tool did not say how much it moved, or for how long' };
    })
    .sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm));
}

const measurementKey = ({ step, arm, operation, iteration }: Sample): string => keyOf(step, arm, operation, iteration);

/** Bytes as counted by the tool; IOR prints none, but its rate is bytes over total time (facts-tools, section 2). */
function bytesOf(rate: Sample, siblings: readonly Sample[]): number | null {
  const said = siblings.find(({ metric }) => metric === 'bytes')?.value ?? null;
  if (said !== null) return said;
  const seconds = siblings.find(({ metric }) => metric === 'total_time')?.value ?? null;
  const rateMBps = rate.value === null ? null : toMBps(rate.value, rate.unit);
  return seconds === null || rateMBps === null ? null : rateMBps * 1e6 * seconds;
}
