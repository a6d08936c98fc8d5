import { counted, fileSize } from '../../common/format/units';
import type { Sample } from '../../schema/sample';

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

/** Key of a figure: an operation with its axes, on data of one compressibility, on one arm. */
export interface CellKey {
  readonly arm: string;
  readonly operation: string;
  readonly compressibility: number | null;
}

/** True if both are figures of the same arm, operation and compressibility. */
export const isSameWork = (one: CellKey, other: CellKey): boolean =>
  one.arm === other.arm && one.operation === other.operation && one.compressibility === other.compressibility;

/** The label of a sample's operation with the axes that its plan varies. */
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
export const sizedLabel = ({
  operation,
  fileBytes,
}: {
  readonly operation: string;
  readonly fileBytes: number | null;
}) => operationLabel({ id: operation, ...(fileBytes && { fileBytes }) });
