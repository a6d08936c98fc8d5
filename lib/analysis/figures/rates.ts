import { keyOf } from '../../common/collections';
import { measureOf } from '../../workload/lookup';
import type { Cell } from './cells';
import type { OperationKind } from './operationKind';

/** Facts that distinguish the main rates of a run, or of one side of a comparison, from its other figures. */
interface RateKind extends Pick<Cell, 'operation' | 'metric' | 'unit'> {
  readonly kind: Pick<OperationKind, 'id'>;
}

/**
 * The cells with the rate of each operation: its workload's measure, else its throughput, else its count per second. IOR's IOPS is its throughput in
 * another unit and over another time, so only the table of samples has it.
 */
export function mainRates<C extends RateKind>(cells: readonly C[]): C[] {
  const withThroughput = new Set(
    cells.filter(({ metric }) => metric === 'throughput').map(({ operation }) => operation),
  );
  return cells.filter(
    ({ operation, kind, metric, unit }) =>
      measureOf(kind.id, metric) !== undefined ||
      (unit.endsWith('/s') && (metric === 'throughput' || !withThroughput.has(operation))),
  );
}

/** Cells of one operation and metric each, in the order of their appearance. */
export function rateKinds(cells: readonly Cell[]): Pick<Cell, 'operation' | 'kind' | 'metric' | 'unit'>[] {
  const firsts = new Map<string, Cell>();
  for (const cell of mainRates(cells)) {
    const key = keyOf(cell.operation, cell.metric);
    if (!firsts.has(key)) firsts.set(key, cell);
  }
  return [...firsts.values()];
}

/** Leaves out the fewer nodes of each operation in a plan that varies them: how a rate grows with the nodes is its own picture. */
export function byMostNodes<C extends { readonly kind: Pick<OperationKind, 'id' | 'nodes'> }>(
  cells: readonly C[],
): C[] {
  const max = new Map<string, number>();
  for (const { kind } of cells) max.set(kind.id, Math.max(max.get(kind.id) ?? 0, kind.nodes ?? 0));
  return cells.filter(({ kind }) => kind.nodes === undefined || kind.nodes === max.get(kind.id));
}
