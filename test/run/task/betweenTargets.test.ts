import type { ActiveTask } from '../../../lib/run/task/activeTask';
import { failed } from '../../../lib/run/task/outcome';
import { betweenTargets, withTargetFault } from '../../../lib/run/task/tool';
import type { TargetState } from '../../../lib/schema/sample';

type States = Readonly<Record<string, TargetState>>;

/** A task whose file system has targets with states before and after the work, and so many objects of its data. */
function task(before: States, after: States, objects: Readonly<Record<string, number>> | null = {}) {
  const said: string[] = [];
  const targets = {
    states: async (_: unknown, { withSpace }: { withSpace: boolean }) => {
      said.push(withSpace ? 'before' : 'after');
      return new Map(Object.entries(withSpace ? before : after));
    },
    objects: async (_: unknown, names: readonly string[]) => {
      said.push(`objects of ${names.join(' ')}`);
      return objects && new Map(Object.entries(objects));
    },
    fault: async () => {
      said.push('fault');
      return before.OST0001 === 'active' ? null : 'OST0001 is inactive';
    },
  };
  const active = { filesystem: { targets }, place: {}, context: { abort: { aborted: false } } };
  return { said, active: active as unknown as ActiveTask };
}

const worked =
  (said: string[], failure: string | null = null) =>
  async () => {
    said.push('work');
    return { measured: [], failure };
  };

test('the state before is read before the work, and that after it and the objects behind it', async () => {
  const { said, active } = task(
    { OST0000: 'active', OST0001: 'active' },
    { OST0001: 'evicted', OST0000: 'active' },
    { OST0001: 3 },
  );
  const { targets, result } = await betweenTargets(active, worked(said));
  expect(said).toEqual(['before', 'work', 'after', 'objects of OST0000 OST0001']);
  expect(result).toEqual({ measured: [], failure: null });
  expect(targets).toEqual([
    { name: 'OST0000', before: 'active', after: 'active', objects: null },
    { name: 'OST0001', before: 'active', after: 'evicted', objects: 3 },
  ]);
});

// Space is read before the work alone; a target that is not listed any more has the state that it had.
test.each<[TargetState, TargetState | undefined, TargetState]>([
  ['active', 'disconnected', 'disconnected'],
  ['inactive', 'active', 'active'],
  ['nearly full', 'active', 'nearly full'],
  ['nearly full', 'inactive', 'inactive'],
  ['nearly full', undefined, 'nearly full'],
  ['evicted', undefined, 'evicted'],
])('a target that was %s and is found %s ends as %s', async (before, found, after) => {
  const { said, active } = task({ OST0000: before }, found === undefined ? {} : { OST0000: found });
  expect((await betweenTargets(active, worked(said))).targets).toEqual([
    { name: 'OST0000', before, after, objects: null },
  ]);
});

test('objects of failed work are not counted, and those that cannot be counted are not known', async () => {
  const failing = task({ OST0000: 'active' }, {}, { OST0000: 7 });
  expect(
    (await betweenTargets(failing.active, worked(failing.said, 'exit status 2'))).targets?.[0]?.objects,
  ).toBeNull();
  expect(failing.said).toEqual(['before', 'work', 'after']);
  const unknown = task({ OST0000: 'active' }, {}, null);
  expect((await betweenTargets(unknown.active, worked(unknown.said))).targets?.[0]?.objects).toBeNull();
});

test('a file system without targets, or whose targets are not visible, has none', async () => {
  const { said, active } = task({}, {});
  expect(await betweenTargets(active, worked(said))).toEqual({ result: { measured: [], failure: null } });
  expect(said).toEqual(['before', 'work']);
  const without = { ...active, filesystem: {} } as ActiveTask;
  expect(await betweenTargets(without, worked([]))).toEqual({ result: { measured: [], failure: null } });
});

test('a failure names the target behind it; nobody looks for one of a success, or after an abort', async () => {
  const since = new Date();
  const { said, active } = task({ OST0001: 'inactive' }, {});
  const result = failed('exit status 2');
  expect((await withTargetFault(active, since, result)).failure).toBe('exit status 2; OST0001 is inactive');
  expect(await withTargetFault(task({ OST0001: 'active' }, {}).active, since, result)).toBe(result);
  said.length = 0;
  const success = { ...result, failure: null };
  expect(await withTargetFault(active, since, success)).toBe(success);
  const aborted = { ...active, context: { abort: { aborted: true } } } as ActiveTask;
  expect(await withTargetFault(aborted, since, result)).toBe(result);
  expect(await withTargetFault({ ...active, filesystem: {} } as ActiveTask, since, result)).toBe(result);
  expect(said).toEqual([]);
});
