import type { RecordedTarget } from '../../schema/sample';
import type { Readout } from '../../storage/filesystem';
import type { ActiveTask } from './activeTask';
import { failedBy, type TaskResult } from './outcome';

/**
 * Does a task's work, and returns the targets with its data, and each target's state before and after.
 *
 * @returns no targets if they are not visible
 */
export async function betweenTargets<Result extends Pick<Readout, 'failure'>>(
  { filesystem: { targets: reader }, place }: ActiveTask,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly targets?: readonly RecordedTarget[] }> {
  if (reader === undefined) return { result: await work() };
  const since = new Date();
  const before = await reader.states(place, { since, withSpace: true });
  const result = await work();
  if (before.length === 0) return { result };
  const after = new Map((await reader.states(place, { since, withSpace: false })).map((each) => [each.name, each]));
  const names = before.map(({ name }) => name);
  const objects = result.failure === null ? await reader.objects(place, names) : null;
  return {
    result,
    targets: before.map(({ name, state }) => {
      const now = after.get(name)?.state ?? state;
      // Space is read before the work alone.
      const end = state === 'nearly full' && now === 'active' ? state : now;
      return { name, before: state, after: end, objects: objects?.get(name) ?? null };
    }),
  };
}

/** The result of a failed task; after the tool’s words the targets that are not active, and what to do. */
export async function withTargetFault(
  { filesystem: { targets }, place, context }: ActiveTask,
  since: Date,
  result: TaskResult,
): Promise<TaskResult> {
  if (targets === undefined || result.failure === null || context.abort.aborted) return result;
  const fault = await targets.fault(place, since);
  return fault === null ? result : failedBy(result, `${result.failure}; ${fault}`);
}
