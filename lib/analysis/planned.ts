import { keyOf } from '../common/keyOf';
import type { Plan, WorkloadAction } from '../schema/plan';
import { operationOrNone, workloadOrNone } from '../workload/lookup';
import { type CellKey, operationLabel } from './figures/operationKind';

/** Lists the work that a plan measures, each once, as the cells of its figures are told apart. */
export function plannedIn({ steps }: Pick<Plan, 'steps'>): CellKey[] {
  const planned = steps.flatMap(({ phase, tasks, compressibility, fileBytes, threads, plannedNodes: nodes }) =>
    tasks.flatMap(({ arm, action }): CellKey[] =>
      phase !== 'measure' || action.kind !== 'workload'
        ? []
        : operationIds(action as WorkloadAction).map((id) => ({
            arm,
            operation: operationLabel({
              id,
              ...(fileBytes && { fileBytes }),
              ...(threads && { threads }),
              ...(nodes && { nodes }),
            }),
            compressibility,
          })),
    ),
  );
  return [...new Map(planned.map((key) => [keyOf(key.arm, key.operation, key.compressibility), key])).values()];
}

function operationIds(action: WorkloadAction): string[] {
  if (action.operation !== 'all') return [operationOrNone(action)?.id ?? []].flat();
  const { operations } = workloadOrNone(action.tool) ?? { operations: [] };
  const { items = 'files' } = action;
  return operations.filter(({ on }) => on === items || items === 'both').map(({ id }) => id);
}
