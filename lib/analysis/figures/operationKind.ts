import { keyOf } from '../../common/collections';
import { counted, fileSize } from '../../common/format/units';
import type { Sample } from '../../schema/sample';
import { measureOf } from '../../workload/lookup';
import type { Cell } from './cells';

/** An operation with its axes: another file size, or number of threads or nodes, is another operation in tables and charts. */
export interface OperationKind {
  /** `write`, `file_create` … as in samples. */
  readonly id: string;
  /** Size of each file. @default - files are empty, or not the workload */
  readonly fileBytes?: number;
  /** Processes of each client. @default - the plan does not vary them */
  readonly threads?: number;
  /** Clients that take part. @default - the plan does not vary their number */
  readonly nodes?: number;
}

export interface CellKey {
  readonly arm: string;
  readonly operation: string;
  readonly compressibility: number | null;
}

export const isSameWork = (one: CellKey, other: CellKey): boolean =>
  one.arm === other.arm && one.operation === other.operation && one.compressibility === other.compressibility;

export const labelOf = (sample: Sample): string => operationLabel(kindOf(sample));

/** The operation of a sample with its axes. The driver's own measurements and mdtest trees have no axes. */
export function kindOf({ operation: id, fileBytes, threads, plannedNodes, source }: Sample): OperationKind {
  if (source !== 'client' || /^tree_/.test(id)) return { id };
  return {
    id,
    ...(fileBytes && { fileBytes }),
    ...(threads && { threads }),
    ...(plannedNodes && { nodes: plannedNodes }),
  };
}

/** `file_create of 4 KiB`, `write of 1 GiB by 4 threads`, `write on 8 nodes`. */
export const operationLabel = ({ id, fileBytes, ...axes }: OperationKind): string =>
  [id, ...(fileBytes ? [`of ${fileSize(fileBytes)}`] : []), ...describeAxes(axes)].join(' ');

export const describeAxes = ({ threads, nodes }: Pick<OperationKind, 'threads' | 'nodes'>): string[] => [
  ...(threads ? [`by ${counted(threads, 'thread')}`] : []),
  ...(nodes ? [`on ${counted(nodes, 'node')}`] : []),
];

/** The label of an operation on files of one size, or of an unknown one. */
type Sized = Pick<CellKey, 'operation'> & { readonly fileBytes: number | null };
export const sizedLabel = ({ operation: id, fileBytes }: Sized): string =>
  operationLabel({ id, ...(fileBytes && { fileBytes }) });

type RateKind = Pick<Cell, 'operation' | 'metric' | 'unit'> & { readonly kind: Pick<OperationKind, 'id'> };

/** Cells with each operation's rate: its workload's measure, else throughput, else count per second, but not IOR's IOPS, which is its throughput again. */
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

export function rateKinds(cells: readonly Cell[]): Pick<Cell, 'operation' | 'kind' | 'metric' | 'unit'>[] {
  const groups = Map.groupBy(mainRates(cells), ({ operation, metric }) => keyOf(operation, metric));
  return [...groups.values()].map(([first]) => first as Cell);
}

/** Leaves out the fewer nodes of each operation in a plan that varies them: how a rate grows with the nodes is its own picture. */
export function byMostNodes<C extends { readonly kind: Pick<OperationKind, 'id' | 'nodes'> }>(
  cells: readonly C[],
): C[] {
  const max = new Map<string, number>();
  for (const { kind } of cells) max.set(kind.id, Math.max(max.get(kind.id) ?? 0, kind.nodes ?? 0));
  return cells.filter(({ kind }) => kind.nodes === undefined || kind.nodes === max.get(kind.id));
}
