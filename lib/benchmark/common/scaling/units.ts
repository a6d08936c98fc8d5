import type { Action, Plan, PlanArm, Step } from '../../../schema/plan';
import { DROP_CACHES, NEW_DIRECTORY, REMOVE_DATA, stepsOf, takingTurns } from '../steps';

/** One unit of work of some nodes on every arm. */
export interface ClusterUnit {
  readonly arms: readonly PlanArm[];
  readonly repeat: number;
  readonly nodes: number;
  readonly compressibility: number | null;
  /** Sets it apart from other work of the same nodes in the same repeat. @default - there is none */
  readonly name?: string;
}

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
export function unitOf(
  { arms, repeat, nodes, compressibility, name }: ClusterUnit,
  work: readonly MeasuredWork[],
): Step[] {
  const unit = [`r${repeat}-n${nodes}`, name].filter((part) => part !== undefined).join('-');
  const made = stepsOf({ repeat, compressibility, unit, arms, plannedNodes: nodes });
  const steps = [
    made('directory', 'prepare', NEW_DIRECTORY),
    ...work.flatMap(({ operation, action, expectedSeconds }, index) => [
      ...(index === 0 ? [] : [made(`drop-caches-${operation}`, 'prepare', DROP_CACHES)]),
      made(operation, 'measure', action, { expectedSeconds }),
    ]),
    made('clean', 'clean up', REMOVE_DATA),
  ];
  return takingTurns(steps, arms, repeat).map((each) => ({
    ...each,
    tasks: each.tasks.map((task) => ({ ...task, group: `first${nodes}` })),
  }));
}
