import { capacityOf } from '../../storage/common/space';
import { type Filesystem, NO_CAPACITY, type Readout, type Settling, type Workplace } from '../../storage/filesystem';
import type { Measured } from '../../workload/common/measured';
import type { ActiveTask, TaskContext } from './activeTask';
import type { TaskResult } from './outcome';
import { type Reading, type Settled, settle } from './settle';

/** The operation of the sample that records how long removed data took to be freed; `null` if longer than the timeout. */
export const FREEING_OPERATION = 'freeing';

/** Reads size and used space of the file system, once it is stable. */
export async function measureCapacity(active: ActiveTask): Promise<TaskResult> {
  const { context, place } = active;
  const { capacity, settling } = active.filesystem;
  // There will be none in the next session either.
  if (capacity.source === NO_CAPACITY) return active.done((await capacity.read(place)).measured);
  if (settling === undefined) return active.fromReading(await capacity.read(place));
  const { last, settled } = await watchSpace(context, { capacity, settling }, place, 'measure-capacity');
  const waited: Measured = { operation: 'capacity', metric: 'settle_seconds', value: settled.seconds, unit: 's' };
  const measured = [...last.measured, waited];
  if (settled.state !== 'changing')
    return active.fromReading({ measured, failure: settled.state === 'failed' ? settled.reason : null });
  // A value that is unavailable now will not become available later, so the task is done, with the reason.
  const { reason } = settled;
  return active.done(
    measured.map((each) => (isSize(each) || each === waited ? each : { ...each, value: null, reason })),
  );
}

/** True for the size of a file system, which neither data nor their removal change. */
const isSize = ({ metric }: Measured): boolean => metric === 'size_bytes';

/** Removes the data of a unit, and waits until their space is free if it is read next. */
export async function removeData(active: ActiveTask): Promise<TaskResult> {
  const { context, place, shell } = active;
  const { capacity, settling } = active.filesystem;
  const failure = await active.data.remove();
  if (failure !== null || settling === undefined || context.isSpaceReadNext !== true) return active.done([], failure);
  const beside = { ...place, commands: shell.named('space') };
  const { settled } = await watchSpace(context, { capacity, settling }, beside, 'remove-data');
  // The removal itself succeeded, whatever the readings say; only an interrupted wait is repeated in the next session.
  return active.done([freed(settled)], context.abort.aborted && settled.state === 'failed' ? settled.reason : null);
}

function freed(settled: Settled): Measured {
  const sample = { operation: FREEING_OPERATION, metric: 'seconds', unit: 's' };
  if (settled.state === 'settled') return { ...sample, value: settled.seconds };
  return { ...sample, value: null, reason: settled.reason };
}

/** Reads the used space of a file system until it is stable. */
async function watchSpace(
  { abort, pause }: TaskContext,
  { capacity, settling }: Required<Pick<Filesystem, 'capacity' | 'settling'>>,
  place: Workplace,
  kind: keyof Settling['alike'],
): Promise<{ last: Readout; settled: Settled }> {
  let last: Readout = { measured: capacityOf([], 'interrupted'), failure: null };
  const look = async (): Promise<Reading | string> => {
    last = await capacity.read(place);
    const [size, used] = last.measured;
    if (last.failure !== null) return last.failure;
    if (size?.value == null || used?.value == null) return used?.reason ?? 'the used space was not read';
    return { size: size.value, used: used.value };
  };
  const settled = await settle({ look, settling, alike: settling.alike[kind], abort, pause });
  return { last, settled };
}
