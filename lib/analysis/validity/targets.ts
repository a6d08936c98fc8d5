import { keyOf } from '../../common/collections';
import { firstThree } from '../../common/format/text';
import { bytes, counted, plain } from '../../common/format/units';
import type { RecordedTarget } from '../../schema/sample';
import { describeFault, LUSTRE_TYPE, targetsAway } from '../../storage/common/lustre';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { type Answer, inapplicable, judged, place, type RuleFinding, some, unchecked, type ValidityRule } from './rule';

interface Missing {
  readonly name: string;
  /** `inactive`, `nearly full`, `without data`. */
  readonly why: string;
  readonly next: string;
}

/** Operations on files without data measure metadata targets alone. */
const movesData = ({ operation, fileBytes }: MeasuredTask): boolean =>
  (fileBytes ?? 0) > 0 || !/^(file|dir|tree)_/.test(operation);

function missingIn(task: MeasuredTask, away: readonly string[]): Missing[] {
  const isCounted = movesData(task) && task.targets.some(({ objects }) => (objects ?? 0) > 0);
  const why = ({ name, before, objects }: RecordedTarget): string | null => {
    if (before === 'nearly full') return isCounted && objects !== 0 ? null : before;
    if (before === 'inactive' || before === 'disconnected') return before;
    if (away.includes(name)) return 'inactive or disconnected for a client';
    return isCounted && objects === 0 ? 'without data' : null;
  };
  return task.targets.flatMap((target): Missing | [] => {
    const found = why(target);
    if (found === null) return [];
    const next =
      found === 'without data'
        ? 'spread the files over all targets (lfs setstripe -c -1 DIRECTORY), or write more files'
        : describeFault(target.name, target.before === 'active' ? 'inactive' : target.before);
    return { name: target.name, why: found, next };
  });
}

function withTargets({ measured, environment }: Subject): MeasuredTask[] | Answer {
  const tasks = measured.filter(({ failed, targets }) => !failed && targets.length > 0);
  if (tasks.length > 0) return tasks;
  // By the clients' own description.
  const mounts = environment.flatMap(({ facts }) => Object.values(facts.arms ?? {}));
  return mounts.some(({ type }) => type === LUSTRE_TYPE)
    ? unchecked('the targets of the data were not recorded')
    : inapplicable('no file system here has targets');
}

/** A rate of one server of two is half of the file system's. */
export const missingTargets: ValidityRule = {
  id: 'missing-targets',
  checks: 'every target of the file systems was measured',
  check(subject) {
    const tasks = withTargets(subject);
    if (!Array.isArray(tasks)) return tasks;
    const away = new Map(
      subject.arms.map(({ name }) => [name, targetsAway(subject.environment.map(({ facts }) => facts.arms?.[name]))]),
    );
    const judgedTasks = tasks.map((task) => ({ task, missing: missingIn(task, away.get(task.arm) ?? []) }));
    const compared = Map.groupBy(judgedTasks, ({ task }) => keyOf(task.name, task.compressibility, task.repeat));
    const differing = new Set(
      [...compared.values()].flatMap((own) => {
        const counts = own.map(({ missing }) => missing.length);
        return counts.some((count) => count !== counts[0]) ? own.map(({ task }) => task) : [];
      }),
    );
    const findings = [...Map.groupBy(judgedTasks, ({ task }) => task.arm)].flatMap(([arm, own]): RuleFinding | [] => {
      const partial = own.filter(({ missing }) => missing.length > 0);
      const [first] = partial;
      if (first === undefined) return [];
      const all = [...new Map(partial.flatMap(({ missing }) => missing).map((one) => [one.name, one])).values()];
      const differs = partial.some(({ task }) => differing.has(task));
      const names = all.map(({ name, why }) => `${name} (${why})`);
      return {
        severity: differs ? 'error' : 'warning',
        message: `${arm}: ${counted(partial.length, 'measured phase')} did not measure all targets${differs ? ', and another arm measured a different number' : ''}: ${firstThree(names)}.`,
        expected: counted(first.task.targets.length, 'target'),
        actual: `without ${names.join(', ')}`,
        suggestion: `${[...new Set(all.map(({ next }) => next))].slice(0, 3).join('; ')}; repeat these phases`,
        where: some(partial.map(({ task }) => task.step)),
      };
    });
    const uncounted = tasks.filter((task) => movesData(task) && task.targets.every(({ objects }) => objects === null));
    return judged(
      findings,
      `a target that was inactive, disconnected or nearly full before any of ${counted(tasks.length, 'measured phase')}, or had no data${uncounted.length === 0 ? '' : `; in ${uncounted.length} of them, objects were not counted`}`,
    );
  },
};

/** A target that comes or goes within a phase leaves a rate of neither file system. */
export const targetChanged: ValidityRule = {
  id: 'target-changed',
  checks: 'no target changed its state during a measured phase',
  check(subject) {
    const tasks = withTargets(subject);
    if (!Array.isArray(tasks)) return tasks;
    const changes = tasks.flatMap((task) =>
      task.targets.flatMap((target) => (target.before === target.after ? [] : { task, target })),
    );
    const findings = [...Map.groupBy(changes, ({ task, target }) => keyOf(task.arm, target.name)).values()].map(
      (own): RuleFinding => {
        const { task, target } = own[0] as (typeof changes)[number];
        const what =
          target.after === 'evicted'
            ? `${target.name} evicted this client`
            : `${target.name} was ${target.before} before and ${target.after} after`;
        return {
          severity: 'warning',
          message: `${task.arm}: ${what}, in ${counted(own.length, 'measured phase')}.`,
          expected: 'one state from beginning to end',
          actual: `${target.before}, then ${target.after}`,
          suggestion: `${describeFault(target.name, target.after)}; repeat these phases`,
          where: some(own.map((one) => one.task.step)),
        };
      },
    );
    return judged(findings, `a target whose state changed during any of ${counted(tasks.length, 'measured phase')}`);
  },
};

/** Allowed difference between the file system's free space and the blocks of its files: metadata, rounded parity, other writers. */
const TOLERANCE = 0.1;
/** Less than this is a file system's own housekeeping. */
const LEAST_BYTES = 64 * 2 ** 20;

/** Two ways to one figure: if they differ, one of them counted something else. */
export const freeSpaceDisagrees: ValidityRule = {
  id: 'free-space-disagrees',
  checks: 'used space grew by what the files take',
  check({ space, elsewhere }) {
    const late = elsewhere?.space ?? null;
    if (late !== null) return unchecked(late);
    const both = space.flatMap(({ arm, compressibility, readings }) =>
      readings.flatMap(({ allocatedBytes, grownBytes, ...reading }) =>
        allocatedBytes === null || grownBytes === null
          ? []
          : { ...reading, arm, compressibility, allocatedBytes, grownBytes },
      ),
    );
    if (both.length === 0) {
      const reasons = [...new Set(space.flatMap(({ freeSpaceReasons }) => freeSpaceReasons))];
      return reasons.length > 0
        ? unchecked(`free space was not read: ${reasons.join('; ')}`)
        : inapplicable('free space was not read before and after');
    }
    const findings = both.flatMap((reading): RuleFinding | [] => {
      const { arm, compressibility, repeat, allocatedBytes, grownBytes, source } = reading;
      if (Math.abs(grownBytes - allocatedBytes) <= Math.max(LEAST_BYTES, TOLERANCE * allocatedBytes)) return [];
      const grown = bytes(Math.abs(grownBytes));
      return {
        severity: 'warning',
        message: `${place(arm, 'space', compressibility)}, repeat ${repeat}: the used space of the file system ${grownBytes < 0 ? 'shrank' : 'grew'} by ${grown}, but the files take ${bytes(allocatedBytes)} by ${source}.`,
        expected: `growth of ${bytes(allocatedBytes)}, within ${plain(TOLERANCE * 100)} % or ${bytes(LEAST_BYTES)}`,
        actual: `${grownBytes < 0 ? '−' : ''}${grown}`,
        suggestion: `trust ${source}; look for other writers, and for data removed before that were still being freed`,
        where: arm,
      };
    });
    return judged(
      findings,
      `a difference above ${plain(TOLERANCE * 100)} % and ${bytes(LEAST_BYTES)} in any of ${counted(both.length, 'reading')}`,
    );
  },
};
