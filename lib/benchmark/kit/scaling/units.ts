import type { Action, Plan, PlanArm, Step } from '../../../schema/plan';
import { inTurns, rotated, type StepOptions, step } from '../steps';

/** One unit of work of some nodes on every arm. */
export interface ClusterUnit {
  readonly arms: readonly PlanArm[];
  readonly repeat: number;
  readonly nodes: number;
  readonly target: number | null;
  /** Sets it apart from other work of the same nodes in the same repeat. @default - there is none */
  readonly name?: string;
}

/** A phase that is measured. */
export interface MeasuredWork {
  readonly operation: string;
  readonly action: Action;
  readonly expectedSeconds: number;
}

/** @throws Error for more nodes than the fleet has clients */
export function checkNodes(nodes: readonly number[], { clients }: Plan['fleet']): void {
  const beyond = nodes.find((count) => count > clients);
  if (beyond !== undefined)
    throw new Error(`'nodes' must be at most the ${clients} clients of the fleet, got ${beyond}`);
}

/** A directory, the work with emptied caches before every part but the first, and the removal; arms take turns. */
export function unitOf({ arms, repeat, nodes, target, name }: ClusterUnit, work: readonly MeasuredWork[]): Step[] {
  const unit = [`r${repeat}-n${nodes}`, name].filter((part) => part !== undefined).join('-');
  const made = (suffix: string, options: Pick<StepOptions, 'phase' | 'action'> & Partial<StepOptions>): Step => ({
    ...step({
      repeat,
      target,
      unit,
      arms,
      group: () => `first${nodes}`,
      plannedNodes: nodes,
      ...options,
      id: `${unit}-${suffix}`,
    }),
  });
  const steps = [
    made('directory', { phase: 'prepare', action: { kind: 'make-directory', fresh: true } }),
    ...work.flatMap(({ operation, action, expectedSeconds }, index) => [
      ...(index === 0 ? [] : [made(`drop-caches-${operation}`, { phase: 'prepare', action: { kind: 'drop-caches' } })]),
      made(operation, { phase: 'measure', action, expectedSeconds }),
    ]),
    made('clean', { phase: 'clean up', action: { kind: 'remove-data' } }),
  ];
  const order = rotated(
    arms.map(({ name }) => name),
    repeat,
  );
  return inTurns(steps, order).map((each) => ({
    ...each,
    tasks: each.tasks.map((task) => ({ ...task, group: `first${nodes}` })),
  }));
}
