import { omitUndefined } from '../../common/collections';
import type { Action, ClientGroup, PlanArm, Step, Task } from '../../schema/plan';
import { SETTLING } from '../../storage/filesystem';

/** Timeout allowance in seconds beyond twice a step's expected duration: MPI start over a fleet, a slow fsync. */
const GRACE_SECONDS = 600;

/** Timeout of steps that only prepare or read. */
const CHORE_SECONDS = 2;

/** `A`, `B`, …: one group of clients per arm. */
export const groupName = (index: number): ClientGroup => String.fromCharCode('A'.charCodeAt(0) + index);

/** The fields that vary between the steps of a plan. */
export interface StepOptions {
  readonly id: string;
  readonly phase: Step['phase'];
  readonly repeat: number;
  readonly compressibility: number | null;
  readonly unit: string;
  readonly arms: readonly PlanArm[];
  /** The group that works on the arm at this position. */
  readonly group: (armIndex: number) => ClientGroup;
  readonly action: Action | ((arm: PlanArm) => Action);
  readonly fileBytes?: number;
  readonly threads?: number;
  readonly plannedNodes?: number;
  /** @default - the timeout of a preparation step */
  readonly expectedSeconds?: number;
}

/** One step in which every arm does the same, or what a function returns for it. */
export function step(options: StepOptions): Step {
  const { id, phase, repeat, compressibility, unit, arms, group, action, expectedSeconds = CHORE_SECONDS } = options;
  const { fileBytes, threads, plannedNodes } = options;
  const of = typeof action === 'function' ? action : () => action;
  const tasks = arms.map((arm, index): Task => ({ arm: arm.name, group: group(index), action: of(arm) }));
  const deadlineSeconds = Math.ceil(2 * expectedSeconds + GRACE_SECONDS);
  const axes = omitUndefined({ fileBytes, threads, plannedNodes });
  return { id, phase, repeat, compressibility, ...axes, unit, tasks, expectedSeconds, deadlineSeconds };
}

export const NEW_DIRECTORY = { kind: 'make-directory', fresh: true } as const;
export const DROP_CACHES: Action = { kind: 'drop-caches' };
export const REMOVE_DATA: Action = { kind: 'remove-data' };

/** Common to the steps of a unit. @default all clients work on each arm */
export type Unit = Pick<StepOptions, 'repeat' | 'compressibility' | 'unit' | 'arms'> & Partial<StepOptions>;

/** Makes the steps of a unit, whose name begins their ids. */
export const stepsOf =
  (unit: Unit) =>
  (name: string, phase: Step['phase'], action: StepOptions['action'], own: Partial<StepOptions> = {}): Step =>
    step({ group: () => 'all', ...unit, ...own, id: `${unit.unit}-${name}`, phase, action });

export const inRepeats = (repeats: number, steps: (repeat: number) => readonly Step[]): Step[] =>
  Array.from({ length: repeats }, (_, index) => steps(index + 1)).flat();

/** The same steps with arms taking turns, another first in each repeat: one step per arm. For a machine that cannot be divided between the arms. */
export const takingTurns = (steps: readonly Step[], arms: readonly PlanArm[], repeat = 0): Step[] =>
  rotated(arms, repeat).flatMap(({ name }) =>
    steps.map((original) => ({
      ...original,
      id: `${original.id}-${name}`,
      tasks: original.tasks.filter(({ arm }) => arm === name).map((task) => ({ ...task, group: 'all' })),
    })),
  );

/** Steps between two looks at the space of each arm. */
export const betweenCapacities = (arms: readonly PlanArm[], steps: readonly Step[]): Step[] => [
  everyArm('setup-capacity', 'setup', arms),
  ...steps,
  everyArm('conclude-capacity', 'conclude', arms),
];

/** The steps, plus time to wait for stable space usage on file systems that free removed data in the background. */
export const withSettling = (steps: readonly Step[], settles: (arm: string) => boolean): Step[] =>
  steps.map((each) => {
    const waits = each.tasks.map(({ arm, action: { kind } }) => {
      const waited = kind === 'measure-capacity' || (kind === 'remove-data' && isSpaceReadNext(steps, each, arm));
      return waited && settles(arm) ? (SETTLING.alike[kind] - 1) * SETTLING.everySeconds : 0;
    });
    return { ...each, expectedSeconds: each.expectedSeconds + Math.max(0, ...waits) };
  });

/** True if the next step of an arm, other than making directories, reads its free space: removed data must be free by then. */
export function isSpaceReadNext(steps: readonly Step[], { id }: Pick<Step, 'id'>, arm: string): boolean {
  const later = steps.slice(steps.findIndex((each) => each.id === id) + 1).flatMap(({ tasks }) => tasks);
  const next = later.find((task) => task.arm === arm && task.action.kind !== 'make-directory');
  return next?.action.kind === 'measure-capacity';
}

export function everyArm(id: string, phase: 'setup' | 'conclude', arms: readonly PlanArm[]): Step {
  const action: Action = { kind: 'measure-capacity' };
  return step({ id, phase, repeat: 0, compressibility: null, unit: phase, arms, group: () => 'all', action });
}

/**
 * Rotates the order of arms, or of what is measured on them, from repeat to repeat: none is always first, and repeats of the same work are as far apart as can be.
 * Slow noise of an arm then reaches less far from one repeat into the next than if every second repeat went backwards.
 */
export const rotated = <T>(items: readonly T[], repeat: number): T[] =>
  items.map((_, index) => items[(index + repeat) % items.length] as T);
